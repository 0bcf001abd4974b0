/** Whatever is put, removed and cleared in an overlay, it reads as the database reads where the same was done. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { Overlay } from "../../src/fleet/overlay.ts";
import type { KeyRange, Reads, Writes } from "../../src/store/lmdb/database.ts";
import { empty, openDatabase } from "./databases.ts";

const KEYS = ["p/a/1", "p/a/2", "p/b/1", "q/1", "q/2", "r/a/1", "r/a/2", "r/b/1"];
const bound = fc.constantFrom("p/", "p/a/", "p/a/1", "p/a/10", "p/a0", "q/1", "r/a/", "r/a/2", "s");
const range: fc.Arbitrary<KeyRange> = fc
	.tuple(bound, bound, fc.boolean(), fc.option(fc.integer({ min: 1, max: 4 })))
	.map(([one, other, reverse, limit]) => ({
		...(one < other ? { start: one, end: other } : { start: other, end: `${one}~` }),
		...(reverse ? { reverse } : {}),
		...(limit === null ? {} : { limit }),
	}));

type Step = (writes: Writes) => unknown;
const key = fc.constantFrom(...KEYS);
const step: fc.Arbitrary<Step> = fc.oneof(
	fc.tuple(key, fc.string({ maxLength: 3 })).map(
		([each, value]): Step =>
			(writes) =>
				writes.put(each, value),
	),
	key.map(
		(each): Step =>
			(writes) =>
				writes.remove(each),
	),
	fc.constantFrom("p/a/", "p/", "r/a/", "q/").map(
		(start): Step =>
			(writes) =>
				writes.clear({ start, end: `${start.slice(0, -1)}0` }),
	),
);
const steps = fc.array(step, { maxLength: 8 });

const seen = (reads: Reads, ranges: readonly KeyRange[]) => [
	KEYS.map((each) => reads.get(each)),
	...ranges.map((each) => [
		Array.from(reads.range(each), ({ key: at, value }) => [at, value]),
		Array.from(reads.keys(each)),
		// nobody counts backwards, nor up to a limit but to see whether there is any
		reads.count({ start: each.start, end: each.end }),
	]),
];

it("reads as the database does", () => {
	const [base, same] = [openDatabase(), openDatabase()];
	fc.assert(
		fc.property(
			...[steps, steps, fc.array(step, { maxLength: 3 }), fc.array(range, { maxLength: 6 })],
			(before, first, second, ranges) => {
				for (const database of [base, same]) {
					empty(database);
					database.commit((writes) => void before.map((each) => each(writes)));
				}
				const untouched = seen(base, ranges);
				const outer = new Overlay(base);
				for (const each of first) each(outer);
				const inner = new Overlay(outer);
				const outcomes = second.map((each) => each(inner));
				same.commit((writes) => void first.map((each) => each(writes)));
				expect(seen(outer, ranges)).toEqual(seen(same, ranges));
				const expected = same.commit((writes) => second.map((each) => each(writes)));
				expect(outcomes).toEqual(expected);
				expect(seen(inner, ranges)).toEqual(seen(same, ranges));
				inner.into(outer);
				expect(seen(outer, ranges)).toEqual(seen(same, ranges));
				expect(seen(base, ranges)).toEqual(untouched);
			},
		),
		{ numRuns: 60 },
	);
});
