import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import type { LostRecord } from "../../src/fleet/lost.ts";
import { LostFiles } from "../../src/fleet/lost-file.ts";
import { temporaryFolder } from "../store/folder.ts";

const record = { base: 1, before: "", after: "", level: 1, by: "m_1", isAwaited: false };
const lostAt = (...revisions: number[]): LostRecord[] =>
	revisions.map((revision) => ({
		revision,
		why: "lost",
		record: {
			...{ ...record, id: `id${revision}`, at: "2026-01-01T00:00:00Z" },
			operations: [["put", "e/a", "…"]],
		},
	}));
const linesOf = (path: string) =>
	readFileSync(path, "utf8")
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line));

it("keeps each record in a line, for nobody else", () => {
	const lost = lostAt(2, 3);
	const files = new LostFiles(temporaryFolder(), () => new Date("2026-01-02T03:04:05.678Z"));
	const path = files.write(lost.slice(0, 1));
	expect(path).toMatch(/\/fleet-lost-20260102T030405678Z\.jsonl$/);
	expect(files.write(lost.slice(1))).toBe(path);
	expect(linesOf(path)).toEqual(lost);
	expect(statSync(path).mode & 0o777).toBe(0o600);
});

it("says where those are that came back, and reads what is missing, newest file first", () => {
	let now = new Date("2026-01-02T03:04:05.678Z");
	const folder = temporaryFolder();
	const files = new LostFiles(folder, () => now);
	const first = files.write(lostAt(2, 3, 4));
	now = new Date("2026-01-02T03:05:00.000Z");
	const second = files.write(lostAt(7));
	files.found(first, [{ id: "id3", revision: 9 }]);
	expect(linesOf(first).at(-1)).toEqual({
		...{ revision: 9, why: "given back at revision 9", id: "id3" },
		at: "2026-01-02T03:05:00.000Z",
	});
	expect([...new LostFiles(folder).read()]).toEqual([
		{ id: "id7", revision: 7, why: "lost", where: second },
		{ id: "id2", revision: 2, why: "lost", where: first },
		{ id: "id4", revision: 4, why: "lost", where: first },
	]);
});

it("reads around what is no line of its own, and writes nothing to what was deleted", () => {
	const folder = temporaryFolder();
	const files = new LostFiles(folder);
	const path = files.write(lostAt(2));
	writeFileSync(
		path,
		`\nnot JSON\n{"revision":1}\n${readFileSync(path, "utf8")}{"revision":5,"rec`,
	);
	writeFileSync(join(folder, "fleet-lost-notes.jsonl"), "mine");
	expect([...files.read()]).toEqual([{ id: "id2", revision: 2, why: "lost", where: path }]);
	expect(files.isThere(path)).toBe(true);
	rmSync(path);
	expect(files.isThere(path)).toBe(false);
	files.found(path, [{ id: "id2", revision: 3 }]);
	expect(dirname(path)).toBe(folder);
	expect(files.isThere(path)).toBe(false);
	expect([...files.read()]).toEqual([]);
});
