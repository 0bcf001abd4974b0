import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openReader, openStore, StoreError } from "../../src/store/open.ts";
import { edgeOf, policyOf } from "./documents.ts";
import { temporaryFolder } from "./folder.ts";

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
