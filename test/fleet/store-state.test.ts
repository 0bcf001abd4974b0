/**
 * A state that takes records is, byte for byte, what the same writes make of a machine of its own: documents and what
 * follows from them; and it says where it stands, also after a start.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StoreState } from "../../src/fleet/store-state.ts";
import { addKey, revokeKey } from "../../src/store/key-writes.ts";
import type { Database } from "../../src/store/lmdb/database.ts";
import * as writes from "../../src/store/writes.ts";
import { edgeOf, policyOf, routeOf } from "../store/documents.ts";
import { anyOperation, contentOf, empty, keyOf, openDatabase, type Write } from "./databases.ts";
import { begun, FLEET, recordOf, write } from "./records.ts";

/** As a commit queue runs them: each whole or not at all. */
function commitEach(database: Database, operations: readonly Write[]): readonly unknown[] {
	return operations.map((operation) => {
		try {
			return { value: database.commit(operation) };
		} catch (error) {
			return { error };
		}
	});
}

it("what is decided and taken is what the same writes make of a machine of its own", () => {
	const [alone, first, second] = [openDatabase(), openDatabase(), openDatabase()];
	fc.assert(
		fc.property(
			fc.array(fc.array(anyOperation, { minLength: 1, maxLength: 5 }), { maxLength: 8 }),
			(batches) => {
				for (const database of [alone, first, second]) empty(database);
				const [one, other] = [begun(first), begun(second)];
				for (const batch of batches) {
					const decision = one.decide(batch);
					expect(decision.outcomes).toEqual(commitEach(alone, batch));
					const record = recordOf(one, decision);
					expect(record.record?.operations).toEqual(decision.operations);
					for (const state of [one, other]) expect(state.take([record])).toHaveProperty("changes");
				}
				for (const database of [first, second])
					expect(contentOf(database)).toEqual(contentOf(alone));
				expect(one.position?.digest).toBe(one.wholeDigest());
			},
		),
		{ numRuns: 12 },
	);
});

describe("changes", () => {
	it("are of what is another than before, lists and edges first", () => {
		const state = begun();
		const { taken } = write(
			state,
			(each) => writes.putEdge(each, "a", edgeOf("a.example"), {}),
			(each) => writes.putRoute(each, "a", "1", routeOf("/"), {}),
			(each) => writes.putPolicy(each, "a", "1", policyOf("x"), {}),
		);
		expect(taken).toEqual({
			changes: [
				{ kind: "edge", edgeId: "a" },
				{ kind: "route", edgeId: "a", routeId: "1" },
				{ kind: "policy", edgeId: "a", routeId: "1" },
			],
		});
		const same = write(state, (each) => writes.putEdge(each, "a", edgeOf("a.example"), {}));
		expect(same.decision).toMatchObject({ operations: [], after: state.position?.digest });
		expect(same.taken).toEqual({ changes: [] });
		expect(state.position).toMatchObject({ applied: 2, head: 2 });
	});
	it("count as the store's numbers do", () => {
		const database = openDatabase();
		const state = begun(database);
		write(state, (each) => addKey(each, keyOf("key_1")));
		write(state, (each) => writes.putPolicy(each, "a", "1", policyOf("x"), {}));
		expect([database.get("!keys"), database.get("!version")]).toEqual(["1", "1"]);
	});
});

it("an edge and all its routes are deleted by three operations", () => {
	const state = begun();
	write(state, (each) => writes.putEdge(each, "a", edgeOf("a.example"), {}));
	write(
		state,
		...Array.from({ length: 20 }, (_, at) => (each: Parameters<Write>[0]) => {
			writes.putPolicy(each, "a", String(at), policyOf("x"), {});
			return writes.putRoute(each, "a", String(at), routeOf(`/${at}`), {});
		}),
	);
	const { decision, taken } = write(state, (each) => writes.deleteEdge(each, "a", {}));
	expect(decision.operations).toEqual([
		["delete-range", "p/a/"],
		["delete-range", "r/a/"],
		["delete", "e/a"],
	]);
	expect(taken).toEqual({
		changes: [
			{ kind: "edge", edgeId: "a" },
			{ kind: "policies", edgeId: "a" },
		],
	});
	expect(state.position?.digest).toBe("0".repeat(32));
});

it("a record that leads elsewhere is not stored, nor are those beside it", () => {
	const database = openDatabase();
	const state = begun(database);
	const { position } = state;
	const good = recordOf(
		state,
		state.decide([(each) => writes.putPolicy(each, "a", "1", policyOf("x"), {})]),
	);
	const bad = {
		...good,
		revision: 2,
		record: good.record && { ...good.record, after: "f".repeat(32) },
	};
	expect(state.take([good, bad])).toEqual({ misfit: 2 });
	expect(state.position).toEqual(position);
	expect([contentOf(database), state.ring().size]).toEqual([[], 0]);
	expect(state.take([good])).toHaveProperty("changes");
});

it("a record on a document that can't be read any more is one that leads elsewhere", () => {
	const database = openDatabase();
	const state = begun(database);
	write(state, (each) => writes.putEdge(each, "a", edgeOf("a.example"), {}));
	const next = recordOf(
		state,
		state.decide([(each) => writes.putEdge(each, "a", edgeOf("b.example"), {})]),
	);
	database.commit((each) => each.put("e/a", "garbage"));
	expect(state.take([next])).toEqual({ misfit: 2 });
});

it("void records and unsound ones are counted, and change nothing", () => {
	const state = begun();
	const good = recordOf(
		state,
		state.decide([(each) => writes.putPolicy(each, "a", "1", policyOf("x"), {})]),
	);
	state.take([
		{ ...good, isVoid: true },
		{ revision: 2, record: undefined, isVoid: true },
	]);
	expect(state.position).toMatchObject({ applied: 2, head: 0, digest: "0".repeat(32) });
	expect([...state.ring()]).toMatchObject([
		[1, { id: good.record?.id, isVoid: true }],
		[2, { id: "", isVoid: true }],
	]);
	expect(() => state.take([{ ...good, revision: 2 }])).toThrow(/revision 2 after 2/);
});

it("a start finds member, position and ring as they were; leaving forgets them", async () => {
	const database = openDatabase();
	const state = begun(database);
	write(state, (each) => writes.putPolicy(each, "a", "1", policyOf("x"), {}));
	const again = new StoreState(database);
	expect(again.member).toMatch(/^m_[A-Za-z0-9_-]{16}$/);
	expect([again.member, again.position, [...again.ring()]]).toEqual([
		state.member,
		state.position,
		[...state.ring()],
	]);
	expect(again.ringRecord(1)?.operations).toMatchObject([["put", "p/a/1", expect.anything()]]);
	expect(database.get("!layout")).toBe("3");
	const content = contentOf(database);
	again.leave();
	expect(again.position).toBeUndefined();
	expect(state.position).toBeUndefined();
	expect([again.ring().size, state.ring().size, again.ringRecord(1)]).toEqual([0, 0, undefined]);
	expect(Array.from(database.keys({ start: "!", end: "~" }))).toEqual([
		"!layout",
		"!member",
		"!version",
		"p/a/1",
	]);
	expect([database.get("!layout"), contentOf(database)]).toEqual(["1", content]);
	again.begin({ ...FLEET, revision: 7, level: 1 });
	expect([again.member, again.position?.applied]).toEqual([state.member, 7]);
});

it("a key that is revoked takes along when it was used", () => {
	const database = openDatabase();
	const state = begun(database);
	write(state, (each) => addKey(each, keyOf("key_1")));
	database.commit((each) => each.put("u/key_1", "2026-01-01T00:00:00.000Z"));
	write(state, (each) => revokeKey(each, "key_1"));
	expect(database.get("u/key_1")).toBeUndefined();
});
