/** All of a transaction or none, whatever is refused and whoever writes beside it; every refusal is told at once. */
import { expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/store/open.ts";
import type { Operation } from "../../src/store/transactions.ts";
import { edgeOf, policyOf, routeOf } from "./documents.ts";
import { temporaryFolder } from "./folder.ts";

const opened = () => {
	const store = openStore(temporaryFolder());
	onTestFinished(() => store.close());
	return store;
};
const free = { precondition: {} };
const one = { edgeId: "e", routeId: "r", ...free };
const list = { listId: "l", ...free };
const entries = { entries: ["192.0.2.1"], description: "" };
const asking = {
	...policyOf("p"),
	inbound: [
		{
			...{ name: "", expressions: [] },
			actions: [{ type: "restrict-ips" as const, config: { lists: ["l"] } }],
		},
	],
};

const ALL: readonly Operation[] = [
	{ kind: "putIpList", ...list, document: entries },
	{ kind: "putPolicy", ...one, document: asking },
	{ kind: "putEdge", ...one, document: edgeOf("a.example") },
	{ kind: "putRoute", ...one, document: routeOf("/") },
];

it("writes all, each seeing those before it, as one commit", async () => {
	const store = opened();
	const result = await store.transact(ALL);
	store.refresh();
	expect("steps" in result && result.steps.map(({ created }) => created)).toEqual([
		true,
		true,
		true,
		true,
	]);
	expect(store.policy("e", "r")?.document).toEqual(asking);
	expect(store.counts()).toEqual({ edges: 1, routes: 1, policies: 1 });
	const again = await store.transact(ALL);
	expect(
		"steps" in again && again.steps.every((step) => step.before?.etag === step.stored.etag),
	).toBe(true);
	const gone = await store.transact([
		{ kind: "deletePolicy", ...one },
		{ kind: "deleteRoute", ...one },
		{ kind: "deleteEdge", ...one },
		{ kind: "deleteIpList", ...list },
	]);
	store.refresh();
	expect("steps" in gone && gone.steps.every(({ deleted }) => deleted !== undefined)).toBe(true);
	expect(store.counts()).toEqual({ edges: 0, routes: 0, policies: 0 });
});

it("writes nothing where one is refused, and names all that are", async () => {
	const store = opened();
	await store.putEdge("other", edgeOf("b.example"), {});
	const before = store.version();
	const result = await store.transact([
		...ALL,
		{ kind: "putEdge", ...free, edgeId: "f", document: edgeOf("b.example") },
		{ kind: "putRoute", ...free, edgeId: "none", routeId: "r", document: routeOf("/") },
		{ kind: "putPolicy", ...one, document: policyOf("q"), precondition: { ifNoneMatch: "*" } },
		{ kind: "deleteIpList", ...list },
	]);
	expect(
		"refusals" in result && result.refusals.map((each) => [each.index, each.refusal.refused]),
	).toEqual([
		[4, "hostport_conflict"],
		[5, "edge_not_found"],
		[6, "precondition"],
		[7, "list_in_use"],
	]);
	store.refresh();
	expect(store.counts()).toEqual({ edges: 1, routes: 0, policies: 0 });
	expect(store.version()).toBe(before);
	expect([...store.ipListIds()]).toEqual([]);
	// nothing stands in the way of what was taken back
	expect(await store.putEdge("f", edgeOf("a.example"), {})).toMatchObject({ created: true });
});

it("leaves alone what others write in the same commit", async () => {
	const store = opened();
	const [before, refused, after] = await Promise.all([
		store.putEdge("e", edgeOf("a.example"), {}),
		store.transact([
			{ kind: "putEdge", ...one, document: edgeOf("c.example") },
			{ kind: "deleteRoute", ...one },
		]),
		store.putRoute("e", "r", routeOf("/"), {}),
	]);
	expect(before).toMatchObject({ created: true });
	expect("refusals" in refused && refused.refusals).toMatchObject([{ index: 1 }]);
	expect(after).toMatchObject({ created: true });
	store.refresh();
	expect(store.edge("e")?.document).toEqual(edgeOf("a.example"));
});
