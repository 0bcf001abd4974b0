/**
 * What the store promises besides its content: one supervisor, refusals in words for what is damaged,
 * foreign or newer, keys added by another process, syncs shared by writes that wait together.
 */
import { once } from "node:events";
import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { open } from "lmdb";
import { describe, expect, it } from "vitest";
import { openKeyStore, openReader, openStore, StoreError } from "../../src/store/open.ts";
import { startChild } from "./children.ts";
import { edgeOf, policyOf, routeOf } from "./documents.ts";
import { temporaryFolder } from "./folder.ts";

const key = (id: string) => ({
	id,
	description: "",
	hash: "00",
	createdAt: "2026-01-01T00:00:00.000Z",
});

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
		expect(second.version()).toBe(2);
		await second.close();
	});

	it("refuses a second supervisor, and forgets one that was killed", async () => {
		const folder = temporaryFolder();
		const { child, lines } = startChild("hold", folder);
		expect((await lines.next()).value).toBe("open");
		expect(() => openStore(folder)).toThrow(
			new RegExp(`in use by another weir \\(process ${child.pid}\\)`),
		);
		child.kill("SIGKILL");
		await once(child, "exit");
		const store = openStore(folder);
		expect(() => openStore(folder)).toThrow(/in use by another weir/);
		await store.close();
		await openStore(folder).close();
	});

	it("lets another process add and revoke keys while the supervisor runs", async () => {
		const folder = temporaryFolder();
		const store = openStore(folder);
		const { lines, child } = startChild("add-key", folder);
		expect((await lines.next()).value).toBe("added");
		store.refresh();
		expect(store.keys().map(({ id }) => id)).toEqual(["key_child"]);
		expect(store.keysRevision()).toBe(1);
		child.kill("SIGKILL");
		const beside = openKeyStore(folder);
		expect(await beside.revokeKey("key_child")).toBe(true);
		expect(await beside.revokeKey("key_child")).toBe(false);
		expect(await beside.revokeKey("k".repeat(5000))).toBe(false);
		store.refresh();
		expect(store.keys()).toEqual([]);
		await store.close();
		await beside.close();
	});

	it("shows a reader in another process every commit after its refresh", async () => {
		const folder = temporaryFolder();
		const store = openStore(folder);
		await store.putEdge("e", edgeOf("a.example"), {});
		const { child, lines } = startChild("read", folder);
		expect((await lines.next()).value).toBe("open");
		for (let round = 1; round <= 50; round++) {
			await store.putRoute("e", "r", routeOf(`/${round}`), {});
			await store.putPolicy("e", "r", policyOf("x".repeat(round * 997)), {});
			child.stdin?.write("read\n");
			expect(JSON.parse((await lines.next()).value)).toEqual([`/${round}`, round * 997]);
		}
		await store.close();
	});

	it("has no reader where nothing was stored", () => {
		expect(() => openReader(temporaryFolder())).toThrow(/no store in/);
	});
});

describe("files that are no store of ours", () => {
	async function filled(): Promise<string> {
		const folder = temporaryFolder();
		const store = openStore(folder);
		for (let index = 0; index < 200; index++) {
			await store.putPolicy("e", `r${index}`, policyOf("x".repeat(300)), {});
		}
		await store.putPolicy("e", "large", policyOf("x".repeat(20_000)), {});
		await store.close();
		return folder;
	}

	it.each([
		["empty", 0, true],
		["one byte", 1, false],
		["less than a page", 100, false],
		["the first page only", 4096, false],
		["half", 0.5, false],
		["three quarters", 0.75, false],
	])("a file cut to %s", async (_name, size, isSound) => {
		const folder = await filled();
		const file = join(folder, "data.mdb");
		truncateSync(file, size < 1 ? Math.floor(statSync(file).size * size) : size);
		if (isSound) await openStore(folder).close();
		else expect(() => openStore(folder)).toThrow(StoreError);
	});

	it("garbage", async () => {
		const folder = await filled();
		writeFileSync(join(folder, "data.mdb"), "this is not a database\n".repeat(1000));
		expect(() => openStore(folder)).toThrow(/damaged or not a store of weir/);
		expect(() => openReader(folder)).toThrow(/damaged or not a store of weir/);
	});

	it("one changed letter inside a document", async () => {
		const folder = await filled();
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

		const newer = await filled();
		const same = open({ path: newer, noSubdir: false, encoding: "string", overlappingSync: false });
		same.putSync("!layout", "2");
		await same.close();
		expect(() => openStore(newer)).toThrow(/has layout 2; this version of weir reads layout 1/);
		expect(() => openReader(newer)).toThrow(/has layout 2/);
	});

	it("a folder that can't be made", () => {
		const folder = temporaryFolder();
		writeFileSync(join(folder, "file"), "");
		expect(() => openStore(join(folder, "file", "below"))).toThrow(StoreError);
	});
});

describe("limits", () => {
	it("bounds the number of keys", async () => {
		const store = openKeyStore(temporaryFolder());
		for (let index = 0; index < 1000; index++) await store.addKey(key(`key_${index}`));
		await expect(store.addKey(key("key_more"))).rejects.toThrow(/1000 API keys already/);
		await store.close();
	}, 60_000);
});
