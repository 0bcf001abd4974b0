/** What a config file says, and where in it a setting stands, however short it was written. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { NO_FILE, readConfigFile } from "../../../src/process/config/config-file.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-config-file-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const read = (text: string, name = "weir.yaml") => {
	const path = join(folder, name);
	writeFileSync(path, text);
	return readConfigFile(path);
};
const locate = (text: string, pointer: string) => {
	const file = read(text);
	if (!file.ok) throw new Error("refused");
	const { message: _, ...place } = file.value.locate({ pointer, message: "m" });
	return place;
};

it.each([
	["listen: :80", "/listen/0/address", "/listen", 1, 1],
	["listen:\n- address: :80", "/listen/0/address", "/listen/0/address", 2, 3],
	[
		"listen: [{address: ':80', tls: {cert: c, key: k}}]",
		"/listen/0/tls/0/key",
		"/listen/0/tls/key",
		1,
		42,
	],
	["management: :80", "/management/address", "/management", 1, 1],
	["geo: {}", "/geo/database", "/geo", 1, 1],
])("%j has %s at %s", (text, pointer, written, line, column) => {
	expect(locate(text, pointer)).toEqual({ pointer: written, position: { line, column } });
});

it("what the file does not say has no place in it", () => {
	expect(locate("workers: 1", "/data_dir")).toEqual({ pointer: "/data_dir" });
	expect(locate("", "/data_dir")).toEqual({ pointer: "/data_dir" });
	expect(NO_FILE.locate({ pointer: "/x", message: "m" })).toEqual({ pointer: "/x", message: "m" });
});

it("tells what the file itself sets", () => {
	const file = read("workers: 1");
	expect(file.ok && [file.value.names("workers"), file.value.names("data_dir")]).toEqual([
		true,
		false,
	]);
	expect(NO_FILE.names("workers")).toBe(false);
});

it("is refused with places, also as JSON, and where it can't be read", () => {
	expect(read('{"workers": 1, "workers": 2}', "weir.json")).toEqual({
		ok: false,
		error: [{ message: 'duplicate key "workers"', position: { line: 1, column: 16 } }],
	});
	expect(read("- 1")).toMatchObject({ ok: false, error: [{ pointer: "" }] });
	expect(readConfigFile(join(folder, "missing"))).toEqual({
		ok: false,
		error: [{ message: "cannot be read: there is no such file (ENOENT)" }],
	});
});
