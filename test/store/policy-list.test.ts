/** The walk over two rows of keys, on keys alone; the store's own pages are in writes.test.ts. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { policyKey, routeKey } from "../../src/store/layout.ts";
import type { KeyRange } from "../../src/store/lmdb/database.ts";
import { policyPage } from "../../src/store/policy-list.ts";

/** As LMDB walks: backwards from the end, which is included, down to the start. */
const readsOf = (keys: readonly string[]) => ({
	keys: ({ start, end }: KeyRange) =>
		keys
			.filter((key) => key > start && key <= end)
			.sort()
			.reverse(),
});

const id = fc.constantFrom("a", "a-b", "a.b", "B", "_", "0", "z");
const pair = fc.tuple(id, id);

it("finds every policy once, and whether it has a route", () => {
	fc.assert(
		fc.property(
			fc.array(pair),
			fc.array(pair),
			fc.integer({ min: 1, max: 5 }),
			(policies, routes, limit) => {
				const attached = new Set(routes.map((names) => names.join("/")));
				const reads = readsOf([
					...new Set(policies.map(([edgeId, routeId]) => policyKey(edgeId, routeId))),
					...new Set(routes.map(([edgeId, routeId]) => routeKey(edgeId, routeId))),
				]);
				const expected = [...new Set(policies.map((names) => names.join("/")))].sort().reverse();
				for (const which of ["all", "unattached"] as const) {
					const found: string[] = [];
					let before: string | undefined;
					do {
						const { items, next } = policyPage(reads, limit, before, which);
						expect(items.length).toBe(next === null ? items.length : limit);
						for (const { edgeId, routeId, hasRoute } of items) {
							found.push(`${edgeId}/${routeId}`);
							expect(hasRoute).toBe(attached.has(`${edgeId}/${routeId}`));
						}
						before = next ?? undefined;
					} while (before !== undefined);
					const wanted = expected.filter((name) => which === "all" || !attached.has(name));
					expect(found).toEqual(wanted);
				}
			},
		),
	);
});
