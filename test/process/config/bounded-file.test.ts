/** Whatever is named is read within a bound, or a sentence says why not. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readBounded } from "../../../src/process/config/bounded-file.ts";

const MIB = 1_048_576;
const folder = mkdtempSync(join(tmpdir(), "weir-bounded-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("reads what is within the bound, and no more than one byte beyond", () => {
	const path = join(folder, "a");
	for (const size of [0, 1, 65_536, 65_537, MIB]) {
		writeFileSync(path, Buffer.alloc(size, "x"));
		const read = readBounded(path, MIB);
		expect(read.ok && read.value.byteLength).toBe(size);
	}
	writeFileSync(path, Buffer.alloc(MIB + 1));
	const tooLarge = { ok: false, error: "is larger than 1 MiB, which no document is" };
	expect(readBounded(path, MIB)).toEqual(tooLarge);
	expect(readBounded("/dev/zero", MIB)).toEqual(tooLarge);
});

it.each([
	["missing", "there is no such file (ENOENT)"],
	[".", "it is a folder, and a file is needed (EISDIR)"],
])("says of %s why it can't be read", (name, reason) => {
	expect(readBounded(join(folder, name), MIB)).toEqual({
		ok: false,
		error: `cannot be read: ${reason}`,
	});
});
