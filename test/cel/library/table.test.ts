/**
 * The table of functions as a whole: it has what is declared, and its entries keep what they promise about
 * failures, results, costs and sizes for operands of every kind.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { DECLARATIONS } from "../../../src/cel/check/declarations.ts";
import type { Overload } from "../../../src/cel/check/signatures.ts";
import { resolve, type Type } from "../../../src/cel/check/types.ts";
import {
	asksForChance,
	FAMILIES,
	FUNCTIONS,
	IMPLEMENTATIONS,
	signatureAsksForChance,
} from "../../../src/cel/library/table.ts";
import { entryMap } from "../../../src/cel/values/entry-map.ts";
import {
	Duration,
	Optional,
	RecordValue,
	Timestamp,
	TypeValue,
	Uint,
	type Value,
	ValueMap,
} from "../../../src/cel/values/value.ts";
import { charged, outcome } from "./calls.ts";

/** What never comes to be called, because something else takes its place. */
const REPLACED = new Set([
	// look-ups in variables, made by the checker
	...["Req", "Res"].flatMap((of) =>
		["Header", "Cookie"].flatMap((what) => [`get${of}${what}`, `has${of}${what}`]),
	),
	"getQueryParam",
	"hasQueryParam",
	// what macros are made of: lowered code runs their loops itself
	"cel.@mapInsert",
	// the operand itself
	"dyn",
]);

/** Operators are called something that is no name. */
const isFunction = (name: string): boolean => /^(?:[a-zA-Z]|@sort)/.test(name);

const declared = [...DECLARATIONS].flatMap(([name, overloads]) =>
	isFunction(name) && !REPLACED.has(name) ? overloads : [],
);

test("every function has an implementation, but those that something else takes the place of", () => {
	const signatures = declared.map(({ signature }) => signature);
	const others = [...IMPLEMENTATIONS.keys()].filter((signature) => signature !== "dyn(A) -> dyn");
	expect(others.toSorted()).toEqual(signatures.toSorted());
	expect(new Set(signatures).size).toBe(signatures.length);
	expect(signatures.length).toBeGreaterThan(150);
});

test("a function is defined once, and documented if people can call it", () => {
	const definitions = Object.values(FAMILIES).flat();
	expect(new Set(definitions.map(({ name }) => name)).size).toBe(definitions.length);
	for (const { name, doc, examples } of definitions) {
		expect(doc, name).toMatch(/[.?]$/);
		expect([name, examples.length > 0]).toEqual([name, !name.includes("@")]);
	}
});

test("chance has one owner, which knows names and signatures", () => {
	const names = [...FUNCTIONS.keys()].filter(asksForChance);
	expect(names).toEqual(["rand.double", "rand.int"]);
	const signatures = [...IMPLEMENTATIONS.keys()].filter(signatureAsksForChance);
	expect(signatures).toEqual(["rand.double() -> double", "rand.int(int, int) -> int"]);
	expect(asksForChance("nothing")).toBe(false);
});

const text = fc.oneof(
	fc.string({ unit: fc.constantFrom("a", "B", ",", "é", "😀", " ", "%", "="), maxLength: 12 }),
	fc.constantFrom(
		"10.0.0.1",
		"10.0.0.0/8",
		"UTC",
		"-07:00",
		"1.5s",
		"2020-01-01T00:00:00Z",
		"[1, {}]",
	),
	fc.string({ unit: fc.constantFrom("ab", "😀"), minLength: 100, maxLength: 3000 }),
	fc.nat(99).map((count) => "%s".repeat(count)),
);
const seconds = fc.integer({ min: -62_135_596_800, max: 253_402_300_799 });
const nanos = fc.integer({ min: 0, max: 999_999_999 });

const SCALARS: Readonly<Record<string, fc.Arbitrary<Value>>> = {
	bool: fc.boolean(),
	int: fc.oneof(
		fc.bigInt({ min: -3n, max: 30n }),
		fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
	),
	uint: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => new Uint(value)),
	double: fc.double(),
	string: text,
	bytes: fc.oneof(
		fc.uint8Array({ maxLength: 8 }),
		fc.uint8Array({ minLength: 900, maxLength: 1000 }),
	),
	timestamp: fc.tuple(seconds, nanos).map(([s, n]) => new Timestamp(s, n)),
	// 64 bits of nanoseconds hold as many seconds and nearly one more
	duration: fc
		.tuple(fc.integer({ min: -9_223_372_035, max: 9_223_372_035 }), nanos)
		.map(([s, n]) => new Duration(s, s < 0 ? -n : n)),
	type: fc.constant(new TypeValue("int")),
	null_type: fc.constant(null),
};
/** What stands in lists is short: costs are told from the numbers of elements alone. */
const SHORT: Readonly<Record<string, fc.Arbitrary<Value>>> = {
	...SCALARS,
	string: fc.string({ unit: fc.constantFrom("a", "b", "1"), maxLength: 3 }),
	bytes: fc.uint8Array({ maxLength: 3 }),
};

function operandOf(type: Type, of = SCALARS): fc.Arbitrary<Value> {
	const known = resolve(type);
	switch (known.kind) {
		case "list":
			return fc.array(operandOf(known.element, SHORT), { maxLength: 30 });
		case "map":
			return fc
				.uniqueArray(SHORT.string ?? fc.constant(""), { maxLength: 10 })
				.map((keys) => entryMap(keys.map((key) => [key, key])));
		case "optional":
			return fc
				.option(operandOf(known.element, of), { nil: undefined })
				.map((held) => new Optional(held));
		case "variable":
		case "dyn":
			return SHORT.int ?? fc.constant(null);
		default: {
			const scalar = of[known.kind];
			if (scalar === undefined) throw new Error(`no operands of type ${known.kind}`);
			return scalar;
		}
	}
}

/** Characters, bytes, elements, entries; of an optional what is in it. */
function sizeOf(value: Value): number {
	if (typeof value === "string" || value instanceof Uint8Array) return value.length;
	if (Array.isArray(value)) return value.length;
	if (value instanceof Optional) return value.value === undefined ? 1 : sizeOf(value.value);
	return value instanceof ValueMap ? value.size : 1;
}

const KINDS: Readonly<Record<string, (value: Value) => boolean>> = {
	bool: (value) => typeof value === "boolean",
	int: (value) => typeof value === "bigint" && BigInt.asIntN(64, value) === value,
	uint: (value) => value instanceof Uint && BigInt.asUintN(64, value.value) === value.value,
	double: (value) => typeof value === "number",
	string: (value) => typeof value === "string",
	bytes: (value) => value instanceof Uint8Array,
	timestamp: (value) => value instanceof Timestamp,
	duration: (value) => value instanceof Duration,
	type: (value) => value instanceof TypeValue,
};

function isOfType(value: Value, type: Type): boolean {
	const known = resolve(type);
	switch (known.kind) {
		case "list":
			return Array.isArray(value) && value.every((each) => isOfType(each, known.element));
		case "map":
		case "record":
			return value instanceof ValueMap || value instanceof RecordValue;
		case "optional":
			return (
				value instanceof Optional &&
				(value.value === undefined || isOfType(value.value, known.element))
			);
		case "variable":
		case "dyn":
			return value !== undefined;
		default:
			return KINDS[known.kind]?.(value) ?? false;
	}
}

const byParameters = (overload: Overload): fc.Arbitrary<Value[]> =>
	fc.tuple(...overload.parameters.map((parameter) => operandOf(parameter)));

test.each(declared)("property: $signature keeps its promises", (overload) => {
	const implementation = IMPLEMENTATIONS.get(overload.signature);
	if (implementation === undefined) throw new Error("not implemented");
	const { smallInts, resultMax, fails, cost, resultSize } = implementation;
	const call = implementation.call as (...operands: readonly Value[]) => Value;
	fc.assert(
		fc.property(byParameters(overload), (operands) => {
			const given = operands.map((operand) =>
				smallInts && typeof operand === "bigint" ? Number(operand) : operand,
			);
			const sizes = operands.map(sizeOf);
			let result: Value = null;
			const nanoseconds = charged(() => {
				result = outcome(() => {
					const value = call(...given);
					return [value];
				});
			});
			expect(nanoseconds).toBeLessThanOrEqual(cost?.(...sizes) ?? 50);
			const larger = sizes.map((size) => size + 1);
			expect(cost?.(...larger) ?? 50).toBeGreaterThanOrEqual(cost?.(...sizes) ?? 50);
			if (typeof result === "string") {
				expect(fails, result).toBe(true);
				return;
			}
			const [value = null] = result ?? [];
			const isSmallInt = smallInts === true && resolve(overload.result).kind === "int";
			if (isSmallInt) {
				expect(value).toBeGreaterThanOrEqual(-1);
				expect(value).toBeLessThanOrEqual(resultMax ?? Number.MAX_SAFE_INTEGER);
				expect(Number.isInteger(value)).toBe(true);
			} else {
				expect(isOfType(value, overload.result)).toBe(true);
			}
			const bound = resultSize?.(...sizes) ?? Math.max(...sizes, 1);
			expect(sizeOf(value)).toBeLessThanOrEqual(bound);
		}),
		{ numRuns: Number(process.env.TABLE_RUNS ?? 40) },
	);
});
