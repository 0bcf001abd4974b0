/** Sets of values, held against comparing with every element. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { ElementSet } from "../../../src/cel/library/element-set.ts";
import { entryMap } from "../../../src/cel/values/entry-map.ts";
import { equals } from "../../../src/cel/values/equality.ts";
import {
	Duration,
	Optional,
	RecordValue,
	Timestamp,
	TypeValue,
	Uint,
	type Value,
} from "../../../src/cel/values/value.ts";
import { charged } from "./calls.ts";

const simple = fc.constantFrom<Value>(
	null,
	true,
	false,
	"",
	"1",
	"null",
	"none",
	'"1:1',
	"a,b",
	0,
	-0,
	1,
	1.5,
	1n,
	new Uint(1n),
	2n ** 53n,
	2n ** 53n + 1n,
	2 ** 53,
	2 ** 63,
	new Uint(2n ** 63n),
	Number.NaN,
	Number.POSITIVE_INFINITY,
	new Uint8Array([1]),
	new Uint8Array([49]),
	new Timestamp(1, 0),
	new Duration(1, 0),
	new TypeValue("int"),
	Optional.NONE,
	new RecordValue({ a: 1n }),
);
const value: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 2 },
		simple,
		fc.array(tie("value"), { maxLength: 3 }),
		tie("value").map((each) => new Optional(each)),
		fc
			.uniqueArray(fc.tuple(fc.constantFrom<Value>("a", "b", 1n, true), tie("value")), {
				maxLength: 3,
				selector: ([key]) => String(key),
			})
			.map((pairs) => entryMap(pairs)),
	),
})).value;

test("property: an element is in the set if it equals one that is", () => {
	fc.assert(
		fc.property(
			fc.array(value, { maxLength: 12 }),
			fc.array(value, { maxLength: 6 }),
			(added, asked) => {
				const set = new ElementSet();
				const before: Value[] = [];
				for (const each of added) {
					expect(set.add(each)).toBe(!before.some((other) => equals(other, each)));
					before.push(each);
				}
				for (const each of [...asked, ...added]) {
					expect(set.has(each)).toBe(added.some((other) => equals(other, each)));
				}
			},
		),
		{ numRuns: 1000 },
	);
});

test("the work grows with the elements, not with their pairs", () => {
	const work = (count: number, element: (at: number) => Value): number =>
		charged(() => {
			const set = new ElementSet();
			for (let at = 0; at < count; at++) set.add(element(at));
		});
	for (const element of [
		(at: number) => BigInt(at),
		(at: number) => [`element ${at}`, 1n],
		(at: number) => entryMap([["at", BigInt(at)]]),
	]) {
		expect(work(1000, element)).toBeGreaterThan(100_000);
		expect(work(2000, element)).toBeLessThan(2.1 * work(1000, element));
	}
});
