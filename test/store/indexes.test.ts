/**
 * What follows from documents is the same in whatever order the documents of one change are put: a fleet's records have them
 * in the order of keys.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import {
	indexEntries,
	indexedDocument,
	putDocument,
	removeDocument,
	removeDocuments,
} from "../../src/store/indexes.ts";
import { EVERYTHING, encode, under } from "../../src/store/layout.ts";
import type { Database, Writes } from "../../src/store/lmdb/database.ts";
import { contentOf, empty, naming, openDatabase } from "../fleet/databases.ts";
import { edgeOf, policyOf, routeOf } from "./documents.ts";

type State = ReadonlyMap<string, string>;

/** At most one owner of each hostport, one holder of each match, as all that is ever stored. */
const anyState: fc.Arbitrary<State> = fc
	.record({
		owners: fc.array(fc.constantFrom("", "a", "b"), { minLength: 3, maxLength: 3 }),
		holders: fc.array(fc.constantFrom("", "1", "2"), { minLength: 3, maxLength: 3 }),
		lists: fc.subarray(["l", "m"]),
	})
	.map(({ owners, holders, lists }) => {
		const state = new Map<string, string>();
		for (const edge of ["a", "b"]) {
			const hosts = ["x.example", "y.example", "z.example"].filter((_, at) => owners[at] === edge);
			if (hosts.length > 0) state.set(`e/${edge}`, encode(edgeOf(...hosts)).value);
		}
		for (const [at, route] of holders.entries())
			if (route !== "") state.set(`r/a/${route}`, encode(routeOf(`/${at}`)).value);
		const policy = lists.length > 0 ? naming(...lists) : policyOf("none");
		if (holders[0] !== "") state.set("p/a/1", encode(policy).value);
		return state;
	});

function put(writes: Writes, key: string, value: string | undefined): void {
	const before = indexedDocument(key, writes.get(key));
	if (value === undefined) removeDocument(writes, key, before);
	else putDocument(writes, key, value, before, indexedDocument(key, value));
}

function become(database: Database, state: State, keys: readonly string[]): void {
	database.commit((writes) => {
		for (const key of keys) put(writes, key, state.get(key));
	});
}

it("the order makes no difference", () => {
	const database = openDatabase();
	fc.assert(
		fc.property(anyState, anyState, fc.nat(), (before, after, seed) => {
			empty(database);
			become(database, before, [...before.keys()]);
			const keys = [...new Set([...before.keys(), ...after.keys()])];
			keys.sort((one, other) => rank(one, seed) - rank(other, seed));
			become(database, after, keys);
			const moved = contentOf(database);
			empty(database);
			become(database, after, [...after.keys()]);
			expect(moved).toEqual(contentOf(database));
		}),
		{ numRuns: 30 },
	);
});

const rank = (key: string, seed: number): number =>
	[...key].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0) * (seed + 7)) % 1009, seed);

it("a policy is read only if it may name lists", () => {
	expect(indexedDocument("p/a/1", encode(policyOf("x")).value)).toBeUndefined();
	expect(indexedDocument("p/a/1", encode(naming("l")).value)).toEqual(naming("l"));
	expect([...indexEntries("p/a/1", naming("l", "!m")).keys()]).toEqual(["n/l/a/1", "n/m/a/1"]);
	expect(indexedDocument("k/a", "not read")).toBeUndefined();
});

it("what an edge has is deleted unread, and what a list or a key has goes with it", () => {
	const database = openDatabase();
	database.commit((writes) => {
		put(writes, "l/l", encode({}).value);
		for (const edge of ["a", "b"]) {
			put(writes, `r/${edge}/1`, encode(routeOf("/")).value);
			put(writes, `p/${edge}/1`, encode(naming("l")).value);
		}
		writes.put("u/key_1", "now");
		expect(removeDocuments(writes, "r/a/")).toBe(1);
		expect(removeDocuments(writes, "p/a/")).toBe(1);
	});
	expect(Array.from(database.keys(under("n/")))).toEqual(["n/l/b/1"]);
	expect(Array.from(database.keys(under("m/")))).toHaveLength(1);
	database.commit((writes) => {
		put(writes, "l/l", undefined);
		put(writes, "k/key_1", undefined);
	});
	const left = Array.from(database.keys(EVERYTHING)).filter((key) => /^[nu]\//.test(key));
	expect(left).toEqual([]);
});
