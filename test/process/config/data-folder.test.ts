/** Whether a data folder can be used or made, without making it. */
import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { folderObstacle } from "../../../src/process/config/data-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-data-folder-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("one that is there, and one that can be made, will do", () => {
	expect(folderObstacle(folder)).toBeUndefined();
	expect(folderObstacle(join(folder, "a", "b"))).toBeUndefined();
	expect(existsSync(join(folder, "a"))).toBe(false);
});

it("a file, and what would be below one, will not", () => {
	const file = join(folder, "file");
	writeFileSync(file, "");
	expect(folderObstacle(file)).toBe(`${file} cannot be used: it is no folder`);
	expect(folderObstacle(join(file, "a", "b"))).toBe(
		`${file} has no room for ${join(file, "a", "b")}, which is not there: it is no folder`,
	);
});

it("a name that no file system takes will not", () => {
	expect(folderObstacle(`/${"x".repeat(1000)}`)).toMatch(/^\/x{299}… cannot be used: the name is/);
	expect(folderObstacle("/a\0b")).toBe("/a\\u0000b cannot be used: a name holds no NUL");
	const loop = join(folder, "loop");
	symlinkSync("loop", loop);
	expect(folderObstacle(loop)).toBe(`${loop} cannot be used: its symbolic links lead in a circle`);
});

it.skipIf(process.getuid?.() === 0)("nor will one without the rights", () => {
	const closed = join(folder, "closed");
	mkdirSync(closed);
	chmodSync(closed, 0o500);
	expect(folderObstacle(closed)).toMatch(/cannot be used: EACCES; give weir's user the rights/);
	expect(folderObstacle(join(closed, "a"))).toMatch(
		/has no room for \S+a, which is not there: EACCES/,
	);
});
