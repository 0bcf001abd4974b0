/**
 * The store against a plain model: any sequence of writes with preconditions, several waiting at once
 * and so sharing commits, ends in the same answers, the same content and the same pages; also after the
 * store was closed and opened again.
 */
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { openReader, openStore } from "../../src/store/open.ts";
import type { Precondition, Store, StoreReader, WriteResult } from "../../src/store/store.ts";
import { edgeOf, policyOf, routeOf } from "./documents.ts";
import { everyPolicy } from "./every-policy.ts";
import { temporaryFolder } from "./folder.ts";

type Kind = "edge" | "route" | "policy";
interface Operation {
	readonly kind: Kind;
	readonly remove: boolean;
	readonly edgeId: string;
	readonly routeId: string;
	readonly content: number;
	readonly condition: "none" | "any" | "absent" | "current" | "stale" | "weak";
}

/** Everything that is stored, as the contract describes it; etags are the documents' own JSON. */
class Model {
	readonly documents = new Map<string, string>();

	key({ kind, edgeId, routeId }: Operation): string {
		return kind === "edge" ? `edge ${edgeId}` : `${kind} ${edgeId} ${routeId}`;
	}

	apply(operation: Operation, document: object): string {
		const key = this.key(operation);
		const current = this.documents.get(key);
		const needsEdge = operation.kind === "route";
		if (needsEdge && !this.documents.has(`edge ${operation.edgeId}`)) return "edge_not_found";
		if (operation.remove && current === undefined) return "not_found";
		if (!this.#holds(operation, current)) return "precondition";
		if (operation.remove) return this.#remove(operation, key);
		const conflict = this.#conflict(operation, document);
		if (conflict !== undefined) return conflict;
		this.documents.set(key, JSON.stringify(document));
		return current === undefined ? "created" : "replaced";
	}

	#holds({ condition }: Operation, current: string | undefined): boolean {
		if (condition === "any" || condition === "current") return current !== undefined;
		if (condition === "absent") return current === undefined;
		return condition === "none";
	}

	#remove(operation: Operation, key: string): string {
		this.documents.delete(key);
		if (operation.kind === "edge") {
			for (const each of [...this.documents.keys()]) {
				const [, edgeId, routeId] = each.split(" ");
				if (edgeId === operation.edgeId && routeId !== undefined) this.documents.delete(each);
			}
		}
		if (operation.kind === "route") {
			this.documents.delete(`policy ${operation.edgeId} ${operation.routeId}`);
		}
		return "removed";
	}

	#conflict(operation: Operation, document: object): string | undefined {
		for (const [key, json] of this.documents) {
			if (key === this.key(operation)) continue;
			const [kind, edgeId] = key.split(" ");
			if (kind !== operation.kind) continue;
			const other = JSON.parse(json);
			const mine = JSON.parse(JSON.stringify(document));
			if (
				kind === "edge" &&
				other.hostports.some((name: string) => mine.hostports.includes(name))
			) {
				return "hostport_conflict";
			}
			if (kind === "route" && edgeId === operation.edgeId && other.match === mine.match) {
				return "match_conflict";
			}
		}
		return undefined;
	}
}

const ids = ["a", "a-b", "a.b", "B", "_", "a".repeat(128)];
const operation: fc.Arbitrary<Operation> = fc.record({
	kind: fc.constantFrom<Kind>("edge", "edge", "route", "route", "policy"),
	remove: fc.boolean(),
	edgeId: fc.constantFrom(...ids),
	routeId: fc.constantFrom(...ids),
	content: fc.nat(4),
	condition: fc.constantFrom(
		...(["none", "none", "none", "any", "absent", "current", "stale", "weak"] as const),
	),
});

const documentOf = ({ kind, content }: Operation) => {
	if (kind === "edge") return edgeOf(`h${content}.example`, `h${content + 1}.example`);
	return kind === "route" ? routeOf(`/${content}`) : policyOf(`p${content}`);
};

/** What is stored now, so that `current` can be told before the batch is sent. */
function etagOf(store: Store, { kind, edgeId, routeId }: Operation): string | undefined {
	if (kind === "edge") return store.edge(edgeId)?.etag;
	return (kind === "route" ? store.route(edgeId, routeId) : store.policy(edgeId, routeId))?.etag;
}

function preconditionOf(store: Store, each: Operation): Precondition {
	const etag = etagOf(store, each) ?? '"none"';
	switch (each.condition) {
		case "any":
			return { ifMatch: "*" };
		case "absent":
			return { ifNoneMatch: "*" };
		case "current":
			return { ifMatch: ['"other"', etag] };
		case "stale":
			return { ifMatch: ['"stale"'] };
		case "weak":
			return { ifMatch: [`W/${etag}`] };
		default:
			return {};
	}
}

function send(
	store: Store,
	each: Operation,
	condition: Precondition,
): Promise<WriteResult<unknown>> {
	const { kind, remove, edgeId, routeId, content } = each;
	if (kind === "edge") {
		return remove
			? store.deleteEdge(edgeId, condition)
			: store.putEdge(edgeId, edgeOf(`h${content}.example`, `h${content + 1}.example`), condition);
	}
	if (kind === "route") {
		return remove
			? store.deleteRoute(edgeId, routeId, condition)
			: store.putRoute(edgeId, routeId, routeOf(`/${content}`), condition);
	}
	return remove
		? store.deletePolicy(edgeId, routeId, condition)
		: store.putPolicy(edgeId, routeId, policyOf(`p${content}`), condition);
}

const outcome = (each: Operation, result: WriteResult<unknown>): string => {
	if ("refused" in result) return result.refused;
	return each.remove ? "removed" : result.created ? "created" : "replaced";
};

function contentOf(store: StoreReader): Map<string, string> {
	const found = new Map<string, string>();
	for (const { edgeId, document } of store.edges()) {
		found.set(`edge ${edgeId}`, JSON.stringify(document));
	}
	for (const { edgeId, routeId, document } of store.routes()) {
		found.set(`route ${edgeId} ${routeId}`, JSON.stringify(document));
	}
	for (const { edgeId, routeId, document } of everyPolicy(store)) {
		found.set(`policy ${edgeId} ${routeId}`, JSON.stringify(document));
	}
	return found;
}

const sorted = (map: ReadonlyMap<string, string>) => [...map].sort();

function pagesOf(
	list: (before: string | undefined) => { items: readonly { id: string }[]; next: string | null },
) {
	const found: string[] = [];
	let before: string | undefined;
	do {
		const { items, next } = list(before);
		expect(items.length).toBeLessThanOrEqual(2);
		found.push(...items.map(({ id }) => id));
		before = next ?? undefined;
	} while (before !== undefined);
	return found;
}

describe("store", () => {
	it("agrees with the model, batch by batch and after reopening", async () => {
		const batches = fc.array(fc.array(operation, { minLength: 1, maxLength: 8 }), {
			maxLength: 12,
		});
		await fc.assert(
			fc.asyncProperty(batches, async (plan) => {
				const folder = temporaryFolder();
				let store = openStore(folder);
				const model = new Model();
				for (const batch of plan) {
					// "current" is only current if nothing in the same batch may change it first
					const prepared = batch.map((each, index) => {
						const isFirst =
							batch.findIndex((other) => model.key(other) === model.key(each)) === index;
						const mayGoAlong = batch.some((other) => other.kind !== "policy" && other.remove);
						const usable = each.condition !== "current" || (isFirst && !mayGoAlong);
						const safe: Operation = usable ? each : { ...each, condition: "none" };
						return { each: safe, condition: preconditionOf(store, safe) };
					});
					const results = await Promise.all(
						prepared.map(({ each, condition }) => send(store, each, condition)),
					);
					const expected = prepared.map(({ each }) => model.apply(each, documentOf(each)));
					const outcomes = prepared.map(({ each }, index) => {
						const result = results[index];
						return result === undefined ? "no answer" : outcome(each, result);
					});
					expect(outcomes).toEqual(expected);
				}
				expect(sorted(contentOf(store))).toEqual(sorted(model.documents));
				const descending = (kind: string) =>
					[...model.documents.keys()]
						.filter((key) => key.startsWith(kind))
						.map((key) => key.split(" ").at(-1))
						.sort()
						.reverse();
				expect(pagesOf((before) => store.listEdges(2, before))).toEqual(descending("edge "));
				expect(pagesOf((before) => store.listRoutes("a", 2, before))).toEqual(
					descending("route a "),
				);
				const names = (kind: string) =>
					[...model.documents.keys()]
						.filter((key) => key.startsWith(kind))
						.map((key) => key.split(" ").slice(1).join("/"));
				const attached = new Set(names("route "));
				const policies = names("policy ").sort().reverse();
				const listed = (which: "all" | "unattached") =>
					pagesOf((before) => {
						const { items, next } = store.listPolicies(2, before, which);
						const named = items.map(({ edgeId, routeId, hasRoute }) => {
							const id = `${edgeId}/${routeId}`;
							expect(hasRoute).toBe(attached.has(id));
							return { id };
						});
						return { items: named, next };
					});
				expect(listed("all")).toEqual(policies);
				expect(listed("unattached")).toEqual(policies.filter((id) => !attached.has(id)));
				await store.close();
				const reader = openReader(folder);
				expect(sorted(contentOf(reader))).toEqual(sorted(model.documents));
				await reader.close();
				store = openStore(folder);
				expect(sorted(contentOf(store))).toEqual(sorted(model.documents));
				await store.close();
			}),
			{ numRuns: 60 },
		);
	}, 120_000);

	it("keeps ids of similar spelling apart", async () => {
		const store = openStore(temporaryFolder());
		onTestFinished(() => store.close());
		for (const edgeId of ids) {
			await store.putEdge(edgeId, edgeOf(`${edgeId.slice(0, 20)}.example`), {});
			await store.putRoute(edgeId, "r", routeOf("/"), {});
		}
		for (const edgeId of ids) {
			expect([...store.routes(edgeId)].map((route) => route.edgeId)).toEqual([edgeId]);
		}
		await store.deleteEdge("a", {});
		expect([...store.routes()].map((route) => route.edgeId).sort()).toEqual(
			ids.filter((id) => id !== "a").sort(),
		);
	});

	it("tells what was stored before, and how much a deletion takes along", async () => {
		const store = openStore(temporaryFolder());
		onTestFinished(() => store.close());
		const first = edgeOf("a.example");
		expect(await store.putEdge("a", first, {})).toMatchObject({ before: undefined });
		const result = await store.putEdge("a", edgeOf("b.example"), {});
		expect(result).toMatchObject({ before: { document: first }, created: false });
		for (const id of ["r", "s"]) {
			await store.putRoute("a", id, routeOf(`/${id}`), {});
			await store.putPolicy("a", id, policyOf("1"), {});
		}
		await store.putPolicy("a", "no-route", policyOf("1"), {});
		const etag = store.policy("a", "r")?.etag;
		expect(await store.putPolicy("a", "r", policyOf("2"), { ifMatch: ['"x"'] })).toEqual({
			refused: "precondition",
			before: etag,
		});
		expect(await store.deletePolicy("a", "s", {})).toMatchObject({
			before: { etag },
			deleted: { routes: 0, policies: 0 },
		});
		expect(await store.deleteRoute("a", "r", {})).toMatchObject({
			deleted: { routes: 0, policies: 1 },
		});
		await store.putPolicy("a", "s", policyOf("1"), {});
		expect(await store.deleteEdge("a", {})).toMatchObject({ deleted: { routes: 1, policies: 2 } });
	});
});
