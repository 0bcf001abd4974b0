/** Versions of policies: which writes leave one, which one goes, and what they hold. */
import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { encode, layoutOf, versionsUnder } from "../../src/store/layout.ts";
import { openStore } from "../../src/store/open.ts";
import {
	keepVersion,
	policyAtVersion,
	removeVersions,
	versionPage,
} from "../../src/store/policy-versions.ts";
import { openDatabase } from "../fleet/databases.ts";
import { edgeOf, policyOf, routeOf } from "./documents.ts";
import { temporaryFolder } from "./folder.ts";

async function stored(settings: { kept: number }) {
	const store = openStore(temporaryFolder(), { versionsKept: () => settings.kept });
	onTestFinished(() => store.close());
	await store.putEdge("e", edgeOf("a.example"), {});
	await store.putRoute("e", "r", routeOf("/"), {});
	const put = async (name: string) => {
		const result = await store.putPolicy("e", "r", policyOf(name), {});
		if ("refused" in result) throw new Error(result.refused);
		store.refresh();
		return result;
	};
	const numbers = (limit = 100, before?: number) => {
		store.refresh();
		return store.listPolicyVersions("e", "r", limit, before).items.map(({ number }) => number);
	};
	return { store, put, numbers, settings };
}

it("are one for each change, with who made it, and hold the policy", async () => {
	const { store, put, numbers } = await stored({ kept: 50 });
	const one = await put("one");
	expect(one.version).toBe(1);
	expect((await put("one")).version).toBe(1);
	const origin = {
		at: "2026-01-01T00:00:00.001Z",
		key: "key_1",
		keyName: "ci",
		requestId: "req_1",
	};
	const two = await store.by(origin).putPolicy("e", "r", policyOf("two"), {}, 1);
	expect(two).toMatchObject({ version: 2 });
	expect(numbers()).toEqual([2, 1]);
	const [newest, first] = store.listPolicyVersions("e", "r", 100, undefined).items;
	const size = JSON.stringify(policyOf("two")).length;
	const { etag } = store.policy("e", "r") ?? {};
	expect(newest).toEqual({ number: 2, etag, size, ...origin, rolledBackTo: 1 });
	expect(first?.etag).toBe(one.stored.etag);
	expect(store.policyAtVersion("e", "r", 1)).toEqual(one.stored);
	expect(store.policyAtVersion("e", "r", 3)).toBeUndefined();
	expect(store.policyVersionsKept("e", "r")).toEqual({ oldest: 1, newest: 2 });
	expect(store.policyVersionsKept("e", "s")).toBeUndefined();
});

it("are so many at most, and their numbers go on", async () => {
	const { store, put, numbers, settings } = await stored({ kept: 3 });
	for (const name of ["a", "b", "c", "d", "e"]) await put(name);
	expect(numbers()).toEqual([5, 4, 3]);
	expect(numbers(2)).toEqual([5, 4]);
	expect(store.listPolicyVersions("e", "r", 2, undefined).next).toBe("4");
	expect(numbers(2, 4)).toEqual([3]);
	settings.kept = 1;
	await put("f");
	expect(numbers()).toEqual([6]);
	settings.kept = 0;
	expect((await put("g")).version).toBe(6);
	expect(numbers()).toEqual([6]);
});

it("survive their policy, and go with the route and the edge", async () => {
	const { store, put, numbers } = await stored({ kept: 3 });
	await put("a");
	await store.deletePolicy("e", "r", {});
	expect(numbers()).toEqual([1]);
	await put("a");
	expect(numbers()).toEqual([2, 1]);
	await store.deleteRoute("e", "r", {});
	expect(numbers()).toEqual([]);
	await put("a");
	await store.deletePolicy("e", "r", {});
	expect(numbers(), "without a route nothing else would remove them").toEqual([]);
	await put("a");
	await store.deleteEdge("e", {});
	expect(numbers()).toEqual([]);
});

it("are kept in transactions, and taken back with them", async () => {
	const { store, put, numbers } = await stored({ kept: 3 });
	await put("a");
	const operation = (name: string) => ({
		...{ kind: "putPolicy" as const, edgeId: "e", routeId: "r", precondition: {} },
		document: policyOf(name),
	});
	await store.transact([operation("b"), operation("c")]);
	expect(numbers()).toEqual([3, 2, 1]);
	const stale = { ...operation("d"), precondition: { ifMatch: ['"no"'] } };
	expect(await store.transact([operation("e"), stale])).toHaveProperty("refusals");
	expect(numbers()).toEqual([3, 2, 1]);
});

it("begin with what was stored before there were any", async () => {
	const { store, put, numbers, settings } = await stored({ kept: 0 });
	const before = await put("old");
	settings.kept = 50;
	await put("new");
	expect(numbers()).toEqual([2, 1]);
	expect(store.policyAtVersion("e", "r", 1)).toEqual(before.stored);
	expect(store.listPolicyVersions("e", "r", 1, 2).items[0]).not.toHaveProperty("at");
});

it("raise the layout with the first", () => {
	const database = openDatabase();
	const place = { edgeId: "e", routeId: "r" };
	const policy = { document: policyOf("x"), etag: '"mark"' };
	const text = { etag: policy.etag, json: JSON.stringify(policy.document) };
	expect(layoutOf(database)).toBe(1);
	database.commit((writes) =>
		keepVersion(writes, place, undefined, text, { origin: { at: "now" }, kept: 1 }),
	);
	expect(layoutOf(database)).toBe(4);
	expect(policyAtVersion(database, "e", "r", 1)).toEqual(policy);
	expect([...database.keys({ start: versionsUnder("e"), end: "w" })]).toEqual([
		"v/e/r/000000000001",
	]);
	database.commit((writes) => removeVersions(writes, "e"));
	expect(policyAtVersion(database, "e", "r", 1)).toBeUndefined();
});

it("count on rightly where versions were taken back, or are gone with their route", async () => {
	const { store, put, numbers } = await stored({ kept: 3 });
	const operation = (name: string) =>
		({
			kind: "putPolicy",
			edgeId: "e",
			routeId: "r",
			document: policyOf(name),
			precondition: {},
		}) as const;
	const stale = { ...operation("never"), precondition: { ifMatch: ['"no"'] } };
	await put("a");
	await put("b");
	expect(await store.transact([operation("c"), operation("d"), stale])).toHaveProperty("refusals");
	expect((await put("e")).version).toBe(3);
	expect((await put("f")).version).toBe(4);
	expect(numbers()).toEqual([4, 3, 2]);
	await store.deleteRoute("e", "r", {});
	expect(numbers()).toEqual([]);
	await store.putRoute("e", "r", routeOf("/"), {});
	expect((await put("g")).version).toBe(1);
	expect((await put("g")).version).toBe(1);
	expect((await put("h")).version).toBe(2);
	expect(numbers()).toEqual([2, 1]);
});

it("hold policies of any length and any characters", () => {
	const database = openDatabase();
	const place = { edgeId: "e", routeId: "r" };
	const names = fc.oneof(
		fc.string({ unit: "binary", maxLength: 1500 }),
		fc.integer({ min: 900, max: 1100 }).map((length) => "x".repeat(length)),
	);
	fc.assert(
		fc.property(names, (name) => {
			const document = policyOf(name);
			const text = { etag: '"mark"', json: JSON.stringify(document) };
			const version = database.commit((writes) =>
				keepVersion(writes, place, undefined, text, { origin: { at: "now" }, kept: 3 }),
			);
			expect(policyAtVersion(database, "e", "r", version ?? 0)?.document).toEqual(document);
			const [newest] = versionPage(database, "e", "r", 1, undefined).items;
			expect(newest?.size).toBe(Buffer.byteLength(text.json));
		}),
	);
});

it("can be read as they were written by builds that compressed all of them", () => {
	const database = openDatabase();
	const document = policyOf("old");
	const text = deflateRawSync(JSON.stringify(document), { level: 1 }).toString("base64");
	const { value } = encode({ mark: "mark", size: JSON.stringify(document).length, text });
	database.commit((writes) => writes.put(`${versionsUnder("e", "r")}000000000001`, value));
	expect(policyAtVersion(database, "e", "r", 1)).toEqual({ document, etag: '"mark"' });
});
