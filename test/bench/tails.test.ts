/** What `bench/tails.mjs` blames for slow requests: the cause that covers most of the time that one waited, or none. */
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";

interface Span {
	readonly from: number;
	readonly to: number;
	readonly what: string;
}
type Blame = (
	requests: readonly Span[],
	causes: readonly Span[],
	least?: number,
) => readonly { readonly what: string; readonly requests: number; readonly waited: number }[];

const path = join(import.meta.dirname, "..", "..", "bench", "tails", "trace.mjs");
const { blame } = (await import(/* @vite-ignore */ path)) as { blame: Blame };

const span = (what: string, from: number, to: number): Span => ({ from, to, what });

it("blames what covers most of a request, all parts of it together", () => {
	const causes = [span("b", 0, 40), span("a", 40, 70), span("b", 75, 90), span("c", 200, 900)];
	expect(blame([span("request", 20, 80)], causes)).toEqual([
		{ what: "a", requests: 1, waited: 60 },
	]);
	expect(blame([span("request", 0, 90)], causes)).toEqual([{ what: "b", requests: 1, waited: 90 }]);
	// c covers less than a quarter of it.
	expect(blame([span("request", 95, 220)], causes)).toEqual([
		{ what: "nothing of these", requests: 1, waited: 125 },
	]);
});

it("tells of each request once, in whatever order the causes come", () => {
	const spans = (names: string[]) =>
		fc.array(
			fc
				.tuple(fc.constantFrom(...names), fc.nat(1000), fc.integer({ min: 1, max: 200 }))
				.map(([what, from, took]) => span(what, from, from + took)),
			{ maxLength: 20 },
		);
	fc.assert(
		fc.property(spans(["request"]), spans(["a", "b", "c"]), (requests, causes) => {
			const found = blame(requests, causes);
			expect(found.reduce((sum, each) => sum + each.requests, 0)).toBe(requests.length);
			const counts = (rows: typeof found): Record<string, number> =>
				Object.fromEntries(rows.map((each) => [each.what, each.requests]));
			// Of two causes that cover the same either may be named.
			const isTied = requests.some((request) => {
				const parts = new Map<string, number>();
				for (const { what, from, to } of causes) {
					const part = Math.min(to, request.to) - Math.max(from, request.from);
					if (part > 0) parts.set(what, (parts.get(what) ?? 0) + part);
				}
				const sorted = [...parts.values()].sort((one, other) => other - one);
				return sorted.length > 1 && sorted[0] === sorted[1];
			});
			if (!isTied) expect(counts(blame(requests, causes.toReversed()))).toEqual(counts(found));
		}),
	);
});
