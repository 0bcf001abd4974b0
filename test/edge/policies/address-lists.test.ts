/** A worker's address lists: one object each, whose set changes when it is told, and not before. */
import { describe, expect, it } from "vitest";
import { WorkerAddressLists } from "../../../src/edge/policies/address-lists.ts";
import type { Change } from "../../../src/store/store.ts";
import { MemoryStore } from "../memory-store.ts";

const changed = (listId: string): Change => ({ kind: "ip_list", listId });
const none = () => {};

function started(entries: Readonly<Record<string, string[]>>) {
	const store = new MemoryStore();
	for (const [id, list] of Object.entries(entries)) store.ipLists.set(id, list);
	const lists = new WorkerAddressLists(store);
	lists.load();
	return { store, lists };
}

describe("address lists of a worker", () => {
	it("change for whoever holds them, once the change is applied", async () => {
		const { store, lists } = started({ a: ["10.0.0.0/8"] });
		const held = lists.find("a");
		expect([held?.set.has("10.1.2.3"), held?.set.has("192.0.2.7")]).toEqual([true, false]);
		store.ipLists.set("a", ["192.0.2.7", "::1"]);
		expect(lists.areAhead).toBe(false);
		await lists.prepare([changed("a"), changed("a")], none);
		expect(held?.set.has("192.0.2.7")).toBe(false);
		expect(lists.areAhead).toBe(true);
		lists.apply();
		expect(lists.areAhead).toBe(false);
		expect(held?.set.has("192.0.2.7")).toBe(true);
		expect([held?.set.has("10.1.2.3"), held?.set.find("::1")]).toEqual([false, "::1"]);
		expect(lists.find("a")).toBe(held);
	});

	it("come and go", async () => {
		const { store, lists } = started({});
		expect(lists.find("a")).toBeUndefined();
		store.ipLists.set("a", []);
		await lists.prepare([changed("a")], none);
		lists.apply();
		expect(lists.find("a")?.set.has("::1")).toBe(false);
		store.ipLists.delete("a");
		await lists.prepare([changed("a")], none);
		lists.apply();
		expect(lists.find("a")).toBeUndefined();
	});

	it("are read at once where a policy names one that was just put", () => {
		const { store, lists } = started({});
		store.ipLists.set("new", ["::1"]);
		expect(lists.find("new")?.set.has("::1")).toBe(true);
	});

	it("other changes are none of theirs", async () => {
		const { lists } = started({ a: ["::1"] });
		await lists.prepare([{ kind: "policy", edgeId: "e", routeId: "r" }], none);
		lists.apply();
		expect(lists.find("a")?.set.has("::1")).toBe(true);
	});

	it("are made ready in slices, so that requests get their turns", async () => {
		const { store, lists } = started({ a: [] });
		const entries = Array.from(
			{ length: 60_000 },
			(_, n) => `2001:db8:${(n >> 8).toString(16)}:${(n & 255).toString(16)}::/64`,
		);
		store.ipLists.set("a", entries);
		let slices = 0;
		await lists.prepare([changed("a")], () => {
			slices++;
		});
		lists.apply();
		expect(slices).toBeGreaterThan(2);
		expect(lists.find("a")?.set.find("2001:db8:1:5::1")).toBe("2001:db8:1:5::/64");
	});
});
