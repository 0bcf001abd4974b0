import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { inspectStore, openReader, openStore, StoreError } from "../../src/store/open.ts";
import { edgeOf, policyOf } from "./documents.ts";
import { filledFolder, temporaryFolder } from "./folder.ts";

describe("opening", () => {
	it("keeps what was written", async () => {
		const folder = temporaryFolder();
		const first = openStore(folder);
		await first.putEdge("e", edgeOf("a.example"), {});
		const written = await first.putPolicy("e", "r", policyOf("x"), {});
		await first.close();
		const second = openStore(folder);
		expect(second.policy("e", "r")).toEqual("stored" in written && written.stored);
		expect(second.counts()).toEqual({ edges: 1, routes: 0, policies: 1 });
		await second.close();
	});

	it("makes a folder and files that are for its user alone, whatever the umask", async () => {
		const folder = join(temporaryFolder(), "data");
		const before = process.umask(0);
		onTestFinished(() => void process.umask(before));
		await openStore(folder).close();
		const rights = [".", "data.mdb", "lock.mdb"].map(
			(name) => statSync(join(folder, name)).mode & 0o777,
		);
		expect(rights).toEqual([0o700, 0o600, 0o600]);
	});

	it("has no reader where nothing was stored", () => {
		expect(() => openReader(temporaryFolder())).toThrow(/no store in/);
	});
	it("a folder that can't be made", () => {
		const folder = temporaryFolder();
		writeFileSync(join(folder, "file"), "");
		expect(() => openStore(join(folder, "file", "below"))).toThrow(StoreError);
	});
});

describe("inspecting", () => {
	const fileOf = (folder: string) => join(folder, "data.mdb");

	it("finds nothing in a sound store, open or not, and in none", async () => {
		await inspectStore(join(temporaryFolder(), "missing"));
		const folder = await filledFolder();
		await inspectStore(folder);
		const store = openStore(folder);
		const before = statSync(fileOf(folder)).mtimeMs;
		await inspectStore(folder);
		expect(statSync(fileOf(folder)).mtimeMs).toBe(before);
		await store.close();
	});

	it("makes no lock file beside a copy of the data file", async () => {
		const folder = temporaryFolder();
		copyFileSync(fileOf(await filledFolder()), fileOf(folder));
		await inspectStore(folder);
		expect(readdirSync(folder)).toEqual(["data.mdb"]);
	});

	it("finds what the start would refuse", async () => {
		const folder = await filledFolder();
		const bytes = readFileSync(fileOf(folder));
		// Everywhere, as some pages hold what was replaced since.
		const text = bytes.toString("latin1").replaceAll("xxxxxxxx", "yxxxxxxx");
		writeFileSync(fileOf(folder), text, "latin1");
		await expect(inspectStore(folder)).rejects.toThrow(/does not fit its digest/);
		expect(() => openStore(folder)).toThrow(/does not fit its digest/);
		writeFileSync(fileOf(folder), bytes.subarray(0, 4096 * 3));
		await expect(inspectStore(folder)).rejects.toThrow(StoreError);
		expect(statSync(fileOf(folder)).size).toBe(4096 * 3);
	});
});
