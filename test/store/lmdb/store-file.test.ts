import { statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hasMetaPages } from "../../../src/store/lmdb/store-file.ts";
import { openReader, openStore, StoreError } from "../../../src/store/open.ts";
import { filledFolder } from "../folder.ts";

describe("store file", () => {
	it.each([
		["empty", 0, true],
		["one byte", 1, false],
		["less than a page", 100, false],
		["the first page only", 4096, false],
		["half", 0.5, false],
		["three quarters", 0.75, false],
	])("a file cut to %s", async (_name, size, isSound) => {
		const folder = await filledFolder();
		const file = join(folder, "data.mdb");
		truncateSync(file, size < 1 ? Math.floor(statSync(file).size * size) : size);
		if (isSound) await openStore(folder).close();
		else expect(() => openStore(folder)).toThrow(StoreError);
	});

	it("garbage", async () => {
		const folder = await filledFolder();
		writeFileSync(join(folder, "data.mdb"), "this is not a database\n".repeat(1000));
		expect(() => openStore(folder)).toThrow(/damaged or not a store of weir/);
		expect(() => openReader(folder)).toThrow(/damaged or not a store of weir/);
	});
});

it("does not take a file that can't be read for one that was overwritten", () => {
	expect(() => hasMetaPages(1_000_000)).toThrow("EBADF");
});
