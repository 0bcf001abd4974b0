/** Addresses that the kernel takes, for any folder. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { socketPath } from "../../../src/process/control/socket-path.ts";
import { temporaryFolder } from "../../store/folder.ts";

it("is the path itself where that fits", () => {
	const folder = temporaryFolder();
	const { path, release } = socketPath(folder);
	expect(path).toBe(join(folder, "control.sock"));
	release();
});

it("is short for a long path, counted in bytes", () => {
	const folder = join(temporaryFolder(), "ü".repeat(60));
	mkdirSync(folder);
	const { path, release } = socketPath(folder, "linux");
	expect(path).toMatch(/^\/proc\/self\/fd\/\d+\/control\.sock$/);
	release();
	expect(() => socketPath(folder, "darwin")).toThrow(/too long for a socket/);
});

it("is none in a folder that is not there", () => {
	expect(() => socketPath(`/missing/${"x".repeat(100)}`, "linux")).toThrow(/ENOENT/);
});
