import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { makeFolder } from "../../../src/store/lmdb/make-folder.ts";

const root = mkdtempSync(join(tmpdir(), "weir-folder-"));
afterAll(() => rmSync(root, { recursive: true }));

it("makes all that is missing, for its user alone, and leaves what is there", () => {
	const folder = join(root, "a", "b", "c");
	makeFolder(folder);
	for (const made of [folder, join(root, "a")]) expect(statSync(made).mode & 0o777).toBe(0o700);
	makeFolder(folder);
	makeFolder(root);
	const linked = join(root, "linked");
	symlinkSync(folder, linked);
	makeFolder(join(linked, "d"));
	expect(existsSync(join(folder, "d"))).toBe(true);
});

it("says why it can't", () => {
	writeFileSync(join(root, "file"), "");
	expect(() => makeFolder(join(root, "file", "x"))).toThrow(/ENOTDIR|EEXIST/);
	symlinkSync(join(root, "nowhere"), join(root, "dangling"));
	expect(() => makeFolder(join(root, "dangling"))).toThrow(/EEXIST/);
	expect(() => makeFolder(`${root}/${"n".repeat(300)}`)).toThrow(/ENAMETOOLONG/);
});

it.runIf(process.platform === "linux")("ends where no folders can be made", () => {
	expect(() => makeFolder("/proc/weir-none/data")).toThrow(/ENOENT/);
});
