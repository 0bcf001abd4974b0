/** The longest prefix, as a scan over all of them finds it. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { PrefixTree } from "../../../src/edge/routing/prefix-tree.ts";

const prefix = fc.string({ unit: fc.constantFrom(..."ab/"), maxLength: 6 });
const command = fc.record({ kind: fc.constantFrom("set", "set", "delete"), prefix });

it("agrees with a scan over all prefixes after any sets and deletes", () => {
	fc.assert(
		fc.property(fc.array(command, { maxLength: 40 }), fc.array(prefix), (commands, paths) => {
			const tree = new PrefixTree<string>();
			const model = new Map<string, string>();
			commands.forEach(({ kind, prefix }, step) => {
				if (kind === "set") {
					tree.set(prefix, `${prefix} ${step}`);
					model.set(prefix, `${prefix} ${step}`);
				} else {
					tree.delete(prefix);
					model.delete(prefix);
				}
				for (const path of [prefix, ...paths]) {
					const matching = [...model.keys()].filter((candidate) => path.startsWith(candidate));
					const longest = matching.sort((a, b) => b.length - a.length)[0];
					expect(tree.longest(path)).toBe(longest === undefined ? undefined : model.get(longest));
					expect(tree.get(path)).toBe(model.get(path));
					const beginning = [...model.keys()].filter((candidate) => candidate.startsWith(path));
					expect(tree.isLast(path)).toBe(model.has(path) && beginning.length === 1);
				}
			});
		}),
		{ numRuns: 300 },
	);
});
