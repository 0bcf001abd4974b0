import { readFileSync, statSync } from "node:fs";
import { expect, it } from "vitest";
import type { LostRecord } from "../../src/fleet/lost.ts";
import { writeLostFile } from "../../src/fleet/lost-file.ts";
import { temporaryFolder } from "../store/folder.ts";

it("keeps each record in a line, for nobody else", () => {
	const record = { id: "x", base: 1, before: "", after: "", level: 1, by: "m_1", isAwaited: false };
	const lost: LostRecord[] = [2, 3].map((revision) => ({
		revision,
		why: "lost",
		record: { ...record, at: "2026-01-01T00:00:00Z", operations: [["put", "e/a", "…"]] },
	}));
	const now = new Date("2026-01-02T03:04:05.678Z");
	const path = writeLostFile(temporaryFolder(), lost.slice(0, 1), now);
	expect(path).toMatch(/\/fleet-lost-20260102T030405678Z\.jsonl$/);
	expect(writeLostFile(path.replace(/\/[^/]*$/, ""), lost.slice(1), now)).toBe(path);
	const lines = readFileSync(path, "utf8").trimEnd().split("\n");
	expect(lines.map((line) => JSON.parse(line))).toEqual(lost);
	expect(statSync(path).mode & 0o777).toBe(0o600);
});
