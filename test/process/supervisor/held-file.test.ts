/** A file that is held is the same one for other processes, whatever becomes of its name. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { HeldFile } from "../../../src/process/supervisor/held-file.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-held-file-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readElsewhere = (path: string): string =>
	execFileSync(process.execPath, ["-p", `require("node:fs").readFileSync("${path}", "utf8")`], {
		encoding: "utf8",
	}).trim();

it.skipIf(process.platform !== "linux")("is found by other processes without its name", () => {
	const name = join(folder, "held");
	writeFileSync(name, "first");
	const held = new HeldFile(name);
	expect(held.isInPlace).toBe(true);
	expect(readElsewhere(held.path)).toBe("first");

	writeFileSync(`${name}.next`, "second");
	renameSync(`${name}.next`, name);
	expect(held.isInPlace).toBe(false);
	expect(readElsewhere(held.path)).toBe("first");

	rmSync(name);
	expect(held.isInPlace).toBe(false);
	expect(readElsewhere(held.path)).toBe("first");
	held.close();
});

it("is known by its name where it can't be held", () => {
	const name = join(folder, "missing");
	const held = new HeldFile(name);
	expect(held.path).toBe(name);
	expect(held.isInPlace).toBe(true);
	held.close();
});
