/** Stores' databases without a store around them, and writes as clients might send them, for tests of this room. */
import fc from "fast-check";
import { onTestFinished } from "vitest";
import type { PolicyDocument } from "../../src/policy/document/schema.ts";
import { changeIpList, deleteIpList, putIpList } from "../../src/store/ip-list-writes.ts";
import { addKey, revokeKey } from "../../src/store/key-writes.ts";
import { claimLayout, EVERYTHING } from "../../src/store/layout.ts";
import { Database, type Reads, type Writes } from "../../src/store/lmdb/database.ts";
import * as writes from "../../src/store/writes.ts";
import { edgeOf, policyOf, routeOf } from "../store/documents.ts";
import { temporaryFolder } from "../store/folder.ts";

export function openDatabase(folder = temporaryFolder()): Database {
	const database = Database.open(folder, { readOnly: false });
	database.commit((transaction) => claimLayout(transaction, folder));
	onTestFinished(() => database.close());
	return database;
}

/** Documents and what follows from them, byte for byte. */
export const contentOf = (reads: Reads): readonly string[] =>
	Array.from(reads.range(EVERYTHING))
		.filter(({ key }) => /^[ehklmnprvx]\//.test(key))
		.map(({ key, value }) => `${key} ${value}`);

export function empty(database: Database): void {
	database.commit((transaction) => {
		transaction.clear({ start: "a", end: "z" });
	});
}

export type Write = (transaction: Writes) => unknown;

export const naming = (...lists: string[]): PolicyDocument => ({
	enabled: true,
	inbound: [{ name: "", expressions: [], actions: [{ type: "restrict-ips", config: { lists } }] }],
	outbound: [],
});

export const keyOf = (id: string) => ({
	id,
	name: "",
	role: "admin" as const,
	hash: id.padEnd(64, "0"),
	createdAt: "2026-01-01T00:00:00.000Z",
});

const edgeId = fc.constantFrom("a", "b");
const routeId = fc.constantFrom("1", "2", "3");
const list = fc.constantFrom("l", "m");
const host = fc.subarray(["w.example", "x.example", "*.example", "y.example:81"], { minLength: 1 });
const addresses = fc.subarray(["10.0.0.0/8", "192.0.2.1", "2001:db8::/32"]);

/** Any write; many are refused, and some throw after they have written. */
export const anyWrite: fc.Arbitrary<Write> = fc.oneof(
	fc.tuple(edgeId, host).map(
		([edge, hosts]): Write =>
			(transaction) =>
				writes.putEdge(transaction, edge, edgeOf(...hosts), {}),
	),
	fc.tuple(edgeId, routeId, fc.constantFrom("/m/", "/n/", "/o/")).map(
		([edge, route, match]): Write =>
			(transaction) =>
				writes.putRoute(transaction, edge, route, routeOf(match), {}),
	),
	fc
		.tuple(
			edgeId,
			routeId,
			fc.oneof(fc.constantFrom(policyOf("one"), policyOf("two")), fc.subarray(["l", "m"])),
		)
		.map(
			([edge, route, policy]): Write =>
				(transaction) =>
					writes.putPolicy(
						transaction,
						edge,
						route,
						Array.isArray(policy) ? naming(...policy) : policy,
						{},
						{ origin: { at: "2026-01-01T00:00:00.000Z", key: "key_1" }, kept: 3 },
					),
		),
	edgeId.map(
		(edge): Write =>
			(transaction) =>
				writes.deleteEdge(transaction, edge, {}),
	),
	fc.tuple(edgeId, routeId, fc.boolean()).map(
		([edge, route, isRoute]): Write =>
			(transaction) =>
				isRoute
					? writes.deleteRoute(transaction, edge, route, {})
					: writes.deletePolicy(transaction, edge, route, {}),
	),
	fc.tuple(list, addresses).map(
		([id, entries]): Write =>
			(transaction) =>
				putIpList(transaction, id, { entries, description: "" }, {}),
	),
	fc.tuple(list, addresses).map(
		([id, add]): Write =>
			(transaction) =>
				changeIpList(transaction, id, { add, remove: [] }, {}),
	),
	list.map(
		(id): Write =>
			(transaction) =>
				deleteIpList(transaction, id, {}),
	),
	fc.tuple(fc.constantFrom("key_1", "key_2"), fc.boolean()).map(
		([id, isNew]): Write =>
			(transaction) =>
				isNew ? addKey(transaction, keyOf(id)) : revokeKey(transaction, id),
	),
);

/** Several in one operation, of which the last may throw: as a transaction of many writes does. */
export const anyOperation: fc.Arbitrary<Write> = fc.oneof(
	{ weight: 4, arbitrary: anyWrite },
	fc.tuple(fc.array(anyWrite, { minLength: 2, maxLength: 6 }), fc.boolean()).map(
		([all, throws]): Write =>
			(transaction) => {
				const values = all.map((each) => each(transaction));
				if (throws) throw new Error("undone");
				return values;
			},
	),
);
