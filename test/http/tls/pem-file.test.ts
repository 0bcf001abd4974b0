/** Certificates and keys are read from regular files; nothing else is even opened. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readPemFile } from "../../../src/http/tls/pem-file.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-pem-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("reads a file, and refuses what could hold up the process", () => {
	const at = (name: string) => join(folder, name);
	writeFileSync(at("file"), "some");
	execFileSync("mkfifo", [at("fifo")]);
	expect(readPemFile(at("file")).toString()).toBe("some");
	expect(() => readPemFile(at("fifo"))).toThrow(/fifo is no regular file/);
	expect(() => readPemFile("/dev/zero")).toThrow("/dev/zero is no regular file");
	expect(() => readPemFile(folder)).toThrow(/is a folder/);
	expect(() => readPemFile(at("none"))).toThrow(/ENOENT/);
});
