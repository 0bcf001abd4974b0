import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { open } from "lmdb";
import { describe, expect, it } from "vitest";
import { encode, etagOf } from "../../src/store/layout.ts";
import { openKeyStore, openReader, openStore } from "../../src/store/open.ts";
import { heldBytes } from "../held-bytes.ts";
import { filledFolder, temporaryFolder } from "./folder.ts";

describe("layout", () => {
	it("an etag is what the value begins with, and of a value that is cut short what there is of it", () => {
		const { value, stored } = encode({ some: "document" });
		expect(etagOf(value)).toBe(stored.etag);
		expect(etagOf(value.slice(0, 5))).toBe(`"${value.slice(0, 5)}"`);
		expect(etagOf("")).toBe('""');
		expect(etagOf(value)).toBe(stored.etag);
	});

	it("an etag that is kept keeps nothing else of the value", () => {
		const [values, bytes] = [200, 100_000];
		const before = heldBytes();
		const etags = Array.from({ length: values }, (_, n) =>
			// as a text comes from the store, in one piece
			etagOf(Buffer.alloc(bytes, `${n}`).toString("latin1")),
		);
		expect(heldBytes() - before).toBeLessThan((values * bytes) / 4);
		expect(new Set(etags.map(({ length }) => length))).toEqual(new Set([24]));
	});

	it("one changed letter inside a document", async () => {
		const folder = await filledFolder();
		const file = join(folder, "data.mdb");
		const bytes = readFileSync(file);
		const at = bytes.indexOf("x".repeat(10_000));
		expect(at).toBeGreaterThan(0);
		bytes.write("y", at + 5000);
		writeFileSync(file, bytes);
		expect(() => openStore(folder)).toThrow(/does not fit its digest/);
	});

	it("a foreign LMDB file, and a newer layout", async () => {
		const foreign = temporaryFolder();
		const other = open({
			path: foreign,
			noSubdir: false,
			encoding: "string",
			overlappingSync: false,
		});
		other.putSync("some", "thing");
		await other.close();
		expect(() => openStore(foreign)).toThrow(/weir has not written/);
		expect(() => openReader(foreign)).toThrow(/weir has not written/);
		expect(() => openKeyStore(foreign)).toThrow(/weir has not written/);

		const newer = await filledFolder();
		const same = open({ path: newer, noSubdir: false, encoding: "string", overlappingSync: false });
		same.putSync("!layout", "9");
		await same.close();
		expect(() => openStore(newer)).toThrow(
			/has layout 9; this version of weir reads layouts up to 4 only/,
		);
		expect(() => openReader(newer)).toThrow(/has layout 9/);
	});
});
