import { describe, expect, it } from "vitest";
import { openKeyStore, openStore } from "../../src/store/open.ts";
import { startChild } from "./children.ts";
import { temporaryFolder } from "./folder.ts";

describe("keys", () => {
	const key = (id: string) => ({
		id,
		name: "",
		role: "admin" as const,
		hash: "00",
		createdAt: "2026-01-01T00:00:00.000Z",
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

	it("bounds the number of keys", async () => {
		const store = openKeyStore(temporaryFolder());
		for (let index = 0; index < 1000; index++) await store.addKey(key(`key_${index}`));
		await expect(store.addKey(key("key_more"))).rejects.toThrow(/1000 API keys already/);
		await store.close();
	}, 60_000);
});
