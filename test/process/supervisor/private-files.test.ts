/** Files that others could read are narrowed and named; what is not weir's is left alone. */
import { chmodSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { narrowFiles, wideRights } from "../../../src/process/supervisor/private-files.ts";

function folderWith(rights: Readonly<Record<string, number>>): string {
	const folder = mkdtempSync(join(tmpdir(), "weir-rights-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	for (const [name, mode] of Object.entries(rights)) {
		writeFileSync(join(folder, name), "");
		chmodSync(join(folder, name), mode);
	}
	return folder;
}

const rightsOf = (folder: string, name: string) => statSync(join(folder, name)).mode & 0o777;

it("narrows its own files and says so", () => {
	const folder = folderWith({ "data.mdb": 0o644, "lock.mdb": 0o666, counters: 0o600 });
	expect(wideRights(folder)).toEqual([
		`${join(folder, "data.mdb")} has the rights 0644; the start narrows them`,
		`${join(folder, "lock.mdb")} has the rights 0666; the start narrows them`,
	]);
	expect(rightsOf(folder, "data.mdb")).toBe(0o644);
	const warnings = narrowFiles(folder);
	expect(warnings).toEqual([
		`${join(folder, "data.mdb")} had the rights 0644; others can't read or write it any more`,
		`${join(folder, "lock.mdb")} had the rights 0666; others can't read or write it any more`,
	]);
	for (const name of ["data.mdb", "lock.mdb", "counters"])
		expect(rightsOf(folder, name)).toBe(0o600);
	expect(narrowFiles(folder)).toEqual([]);
});

it("names a folder with wider rights and leaves them as they are", () => {
	const folder = folderWith({ "data.mdb": 0o600 });
	chmodSync(folder, 0o750);
	expect(narrowFiles(folder)).toEqual([
		`the data folder ${folder} has the rights 0750: other users can see more than they need; chmod 700 ${folder}`,
	]);
	expect(rightsOf(folder, ".")).toBe(0o750);
});

it("leaves other files, links and missing folders alone", () => {
	const folder = folderWith({ "backup.mdb": 0o644, log: 0o644 });
	symlinkSync(join(folder, "log"), join(folder, "counters"));
	expect(narrowFiles(folder)).toEqual([]);
	expect(rightsOf(folder, "log")).toBe(0o644);
	expect(narrowFiles(join(folder, "missing"))).toEqual([]);
});
