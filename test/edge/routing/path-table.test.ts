/** A table of paths agrees with a `Map` after any sets and deletes, also where hashes collide. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { hashOf, PathTable } from "../../../src/edge/routing/path-table.ts";

/** Paths that a table of up to 16 places looks for in the same ones, the last of them, behind which it begins anew. */
const CROWDED = Array.from({ length: 20_000 }, (_, n) => `/p/${n}`)
	.filter((path) => (hashOf(path) & 15) >= 14)
	.slice(0, 40);
/** FNV-1a of 32 bits, folded to 30, has some among so many. */
const equalHashes = (): [string, string] => {
	const seen = new Map<number, string>();
	for (let n = 0; n < 400_000; n++) {
		const path = `/${n.toString(36)}`;
		const before = seen.get(hashOf(path));
		if (before !== undefined) return [before, path];
		seen.set(hashOf(path), path);
	}
	throw new Error("no two paths have the same hash");
};
const ALIKE = equalHashes();

const path = fc.constantFrom(...CROWDED, ...ALIKE, "/", "/é", "/\u{1f600}", "/a".repeat(600));
const command = fc.record({ kind: fc.constantFrom("set", "set", "delete"), path });

it("agrees with a Map after any sets and deletes", () => {
	fc.assert(
		fc.property(fc.array(command, { maxLength: 80 }), (commands) => {
			const table = new PathTable<{ match: string; step: number }>();
			const model = new Map<string, { match: string; step: number }>();
			for (const [step, { kind, path }] of commands.entries()) {
				const route = { match: path, step };
				if (kind === "set") {
					table.set(route);
					model.set(path, route);
				} else {
					table.delete(path);
					model.delete(path);
				}
				for (const known of [path, ...ALIKE, ...model.keys()])
					expect(table.get(known)).toBe(model.get(known));
				expect(table.size).toBe(model.size);
			}
			expect([...table.paths()].sort()).toEqual([...model.keys()].sort());
			for (const path of CROWDED) expect(table.get(path)).toBe(model.get(path));
		}),
		{ numRuns: 300 },
	);
});

it("finds each of very many, and no other", () => {
	const table = new PathTable<{ match: string }>();
	const routes = Array.from({ length: 20_000 }, (_, n) => ({ match: `/shop/${n}/cart` }));
	for (const route of routes) table.set(route);
	for (const route of routes) expect(table.get(`/shop/${route.match.slice(6)}`)).toBe(route);
	expect(table.get("/shop/20000/cart")).toBeUndefined();
	for (const { match } of routes.slice(1)) table.delete(match);
	expect([...table.paths()]).toEqual(["/shop/0/cart"]);
	expect(table.get("/shop/1/cart")).toBeUndefined();
});
