/** Names of descriptors are found, also behind links, and mean the same in every process. */
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { logDestination } from "../../../src/process/log/log-destination.ts";

let folder = "";
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "weir-destination-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("knows standard output and error by all their names", () => {
	for (const path of ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
		expect(logDestination(path)).toBe("stdout");
	for (const path of ["/dev/stderr", "/dev/fd/2"]) expect(logDestination(path)).toBe("stderr");
	symlinkSync("/dev/stdout", join(folder, "access.log"));
	symlinkSync("access.log", join(folder, "relative.log"));
	expect(logDestination(join(folder, "relative.log"))).toBe("stdout");
});

it("names other descriptors so that workers find them", () => {
	expect(logDestination("/dev/fd/7", "linux")).toBe(`/proc/${process.pid}/fd/7`);
	expect(logDestination("/dev/fd/7", "darwin")).toBe("/dev/fd/7");
});

it("leaves files, links to files and circles of links as they are", () => {
	symlinkSync("circle", join(folder, "circle"));
	symlinkSync("file", join(folder, "link"));
	for (const name of ["file", "link", "circle"])
		expect(logDestination(join(folder, name))).toBe(join(folder, name));
});
