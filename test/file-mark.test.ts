import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { fileMark } from "../src/file-mark.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-mark-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("changes when a file is written to, replaced or removed, and with nothing else", () => {
	const path = join(folder, "file");
	writeFileSync(path, "one");
	const marks = [fileMark(path)];
	expect(fileMark(path)).toBe(marks[0]);
	writeFileSync(path, "two!");
	marks.push(fileMark(path));
	writeFileSync(`${path}.new`, "two!");
	renameSync(`${path}.new`, path);
	marks.push(fileMark(path));
	rmSync(path);
	marks.push(fileMark(path));
	expect(new Set(marks).size).toBe(4);
	expect(marks.at(-1)).toBe("ENOENT");
});
