/** Loops yield what the same words over plain JavaScript yield, one variable or two, lists or maps, nested or not. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { ATTRIBUTES } from "../attributes.ts";
import { resultOf } from "../sources.ts";
import { described } from "../values.ts";

const ints = fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 6 });
const big = (numbers: readonly number[]): bigint[] => numbers.map(BigInt);

test("property: over lists", () => {
	fc.assert(
		fc.property(ints, fc.integer({ min: -5, max: 5 }), (list, limit) => {
			const source = `[${list.join(", ")}]`;
			const expected: Readonly<Record<string, unknown>> = {
				[`${source}.all(x, x > ${limit})`]: list.every((x) => x > limit),
				[`${source}.exists(x, x > ${limit})`]: list.some((x) => x > limit),
				[`${source}.exists_one(x, x > ${limit})`]: list.filter((x) => x > limit).length === 1,
				[`${source}.filter(x, x > ${limit})`]: big(list.filter((x) => x > limit)),
				[`${source}.map(x, x * 2)`]: big(list.map((x) => x * 2)),
				[`${source}.map(x, x > ${limit}, x * 2)`]: big(
					list.filter((x) => x > limit).map((x) => x * 2),
				),
				[`${source}.all(i, x, i > ${limit} || x > ${limit})`]: list.every(
					(x, i) => i > limit || x > limit,
				),
				[`${source}.transformList(i, x, i + x)`]: big(list.map((x, i) => i + x)),
				[`${source}.transformList(i, x, i != ${limit}, x)`]: big(
					list.filter((_, i) => i !== limit),
				),
				[`${source}.map(x, ${source}.exists(y, y == -x))`]: list.map((x) => list.includes(-x)),
				[`${source}.map(x, ${source}.map(x, x + 1))`]: list.map(() => big(list.map((x) => x + 1))),
				[`cel.bind(x, ${source}, x.map(y, size(x) + y))`]: big(list.map((y) => list.length + y)),
			};
			for (const [text, value] of Object.entries(expected)) {
				expect(resultOf(text), text).toBe(described(value));
			}
		}),
		{ numRuns: 60 },
	);
});

test("property: over maps", () => {
	const maps = fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.integer({ min: 0, max: 3 }));
	fc.assert(
		fc.property(maps, fc.constantFrom("a", "b", "x"), (map, key) => {
			const entries = Object.entries(map);
			const literal = `{${entries.map(([k, v]) => `'${k}': ${v}`).join(", ")}}`;
			expect(resultOf(`${literal}.all(k, k != '${key}')`)).toBe(`bool ${!(key in map)}`);
			expect(resultOf(`${literal}.exists(k, v, k == '${key}' && v > 0)`)).toBe(
				`bool ${(map[key] ?? 0) > 0}`,
			);
			const sum = entries.map(([k, v]) => `string "${k}": int ${v + 1}`).toSorted();
			expect(resultOf(`${literal}.transformMap(k, v, v + 1)`)).toBe(`{${sum.join(", ")}}`);
			const turned = `${literal}.transformMapEntry(k, v, {k + k: v})`;
			const doubled = entries.map(([k, v]) => `string "${k}${k}": int ${v}`).toSorted();
			expect(resultOf(turned)).toBe(`{${doubled.join(", ")}}`);
		}),
		{ numRuns: 60 },
	);
});

test("entries that meet in one key fail, as do ranges that are none", () => {
	expect(resultOf("[1, 2].transformMapEntry(i, v, {'k': v})")).toMatch(/^failure: .*key/);
	expect(resultOf("dyn(1).all(x, true)")).toMatch(/^failure: .*list or a map/);
	expect(resultOf("req.headers.missing.map(x, 1 / 0)")).toBe("[]");
	expect(resultOf("req.headers.accept.map(x, 1 / 0)")).toMatch(/^failure/);
});

test("a loop leaves what it runs over as it was", () => {
	const { requestHeaders } = ATTRIBUTES;
	const before = [...requestHeaders.lines("accept")];
	expect(resultOf("req.headers.accept.filter(x, true) + ['more']")).toMatch(/more/);
	expect(requestHeaders.lines("accept")).toEqual(before);
});

test.each([
	["[1, 2].all(x, x > 0)", "bool true"],
	["[].all(x, false)", "bool true"],
	["[].exists(x, true)", "bool false"],
	["{'a': 1, 'b': 2}.exists(k, k == 'b')", "bool true"],
	["[1, 2, 2].exists_one(x, x == 2)", "bool false"],
	["[1, 2].existsOne(x, x == 2)", "bool true"],
	["[1, 2, 3].map(x, x > 1, x * 2)", "[int 4, int 6]"],
	["[1, 2, 3].filter(x, x != 2)", "[int 1, int 3]"],
	["[1].map(x, [2].map(y, x + y))", "[[int 3]]"],
	["[1].map(x, [x].map(x, x + 1))", "[[int 2]]"],
	["has({'a': 1}.a) && !has({'a': 1}.b)", "bool true"],
	["[3, 4].transformList(i, v, i > 0, i + v)", "[int 5]"],
	["cel.bind(x, 2, cel.bind(x, x + 1, x * x))", "int 9"],
	["[3, 1, 2].sortBy(x, -x)", "[int 3, int 2, int 1]"],
	["optional.of(1).optMap(x, x + 1).value()", "int 2"],
	["optional.none().optMap(x, x + 1).hasValue()", "bool false"],
	["optional.of(1).optFlatMap(x, optional.of(x + 1)).value()", "int 2"],
	["optional.of(optional.of(1)).optMap(x, x.optMap(y, y + 1).value()).value()", "int 2"],
	["math.greatest(1, 3, 2)", "int 3"],
	["math.least([1.5, 0.5])", "double 0.5"],
])("%s", (source, value) => {
	expect(resultOf(source)).toBe(value);
});
