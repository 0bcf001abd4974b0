/** A backup's file appears when it is whole, replaces only another backup, and is for its owner alone. */
import {
	lstatSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { backupFile, backupStream } from "../../../src/process/commands/backup-target.ts";
import { StoreError } from "../../../src/store/open.ts";
import { SmallDisk, whyNoDisk } from "../../faults/small-disk.ts";

function folderOf(files: Readonly<Record<string, string>> = {}): string {
	const folder = mkdtempSync(join(tmpdir(), "weir-target-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
	return folder;
}

it("is there when it is kept, and nothing is when it is dropped", () => {
	const before = process.umask(0);
	onTestFinished(() => void process.umask(before));
	const folder = folderOf();
	const path = join(folder, "file");
	const [kept, dropped] = [backupFile(path), backupFile(join(folder, "other"))];
	kept.write(Buffer.from("some"));
	dropped.write(Buffer.from("some"));
	expect(readdirSync(folder).filter((name) => !name.startsWith("."))).toEqual([]);
	kept.write(Buffer.from("thing"));
	kept.keep();
	dropped.drop();
	expect(readdirSync(folder)).toEqual(["file"]);
	expect(readFileSync(path, "utf8")).toBe("something");
	expect(statSync(path).mode & 0o777).toBe(0o600);
});

it("replaces a backup and nothing else", () => {
	const folder = folderOf({ old: "weir-backup 1 {}\n", empty: "", config: "listen: 8080\n" });
	symlinkSync("old", join(folder, "link"));
	for (const name of ["old", "empty", "link"]) {
		const target = backupFile(join(folder, name));
		target.write(Buffer.from("weir-backup new"));
		target.keep();
		expect(readFileSync(join(folder, name), "utf8")).toBe("weir-backup new");
	}
	expect(lstatSync(join(folder, "link")).isSymbolicLink()).toBe(true);
	expect(() => backupFile(join(folder, "config"))).toThrow("is no backup of weir; choose another");
	expect(() => backupFile(folder)).toThrow("is no file");
	symlinkSync("none", join(folder, "dangling"));
	expect(() => backupFile(join(folder, "dangling"))).toThrow("symbolic link to a file that is not");
	expect(() => backupFile("/dev/null")).toThrow("is no file");
	expect(() => backupFile(join(folder, "none", "file"))).toThrow(/can't be written to .*ENOENT/);
});

it("is not printed to a terminal", () => {
	expect(() => backupStream(1, true)).toThrow(StoreError);
});

const reason = whyNoDisk("tmpfs");
it.skipIf(reason !== undefined)(
	`on a full disk is a sentence${reason ? ` (${reason})` : ""}`,
	() => {
		const disk = new SmallDisk("tmpfs");
		onTestFinished(() => disk.remove());
		const target = backupFile(join(disk.folder, "backup"));
		disk.fill();
		expect(() => target.write(Buffer.alloc(100_000))).toThrow(/can't be written .*ENOSPC/);
		target.drop();
		expect(readdirSync(disk.folder)).toEqual(["filler"]);
	},
);
