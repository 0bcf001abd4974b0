/** Members of values of unknown types: found, missing or failing as CEL has it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { BUDGET } from "../../../src/cel/budget.ts";
import {
	contains,
	hasField,
	index,
	listAt,
	listContains,
	optionalIndex,
	optionalSelect,
	select,
} from "../../../src/cel/values/access.ts";
import { entryMap } from "../../../src/cel/values/entry-map.ts";
import { equals } from "../../../src/cel/values/equality.ts";
import { headerMap } from "../../../src/cel/values/request-maps.ts";
import { isList } from "../../../src/cel/values/types.ts";
import {
	Optional,
	RecordValue,
	Uint,
	type Value,
	ValueMap,
} from "../../../src/cel/values/value.ts";
import { headerLines } from "../attributes.ts";
import { byLibrary, described, outcome, SCALARS, VALUES } from "./samples.ts";

const LIST: Value = [7n, 8n, 9n];
const MAP = entryMap([
	["a", 1n],
	[2n, "two"],
	["null", null],
]);
const HEADERS = headerMap(headerLines([["a", "1"]]));
const COOKIE = new RecordValue({ name: "n", value: "v" });

const message = (call: () => unknown): string => {
	try {
		return String(call());
	} catch (failure) {
		return failure instanceof Object && "message" in failure ? String(failure.message) : "";
	}
};

test.each<[Value, Value, string]>([
	[LIST, 0n, "int 7"],
	[LIST, new Uint(2n), "int 9"],
	[LIST, 1, "int 8"],
	[MAP, "a", "int 1"],
	[MAP, 2, 'string "two"'],
	[MAP, "null", "null"],
	[HEADERS, "A", '[string "1"]'],
	[HEADERS, "missing", "[]"],
	[COOKIE, "name", 'string "n"'],
	[new Optional(LIST), 1n, "optional int 8"],
	[new Optional(LIST), 3n, "optional none"],
	[Optional.NONE, 0n, "optional none"],
])("%s[%s] is %s", (container, key, found) => {
	expect(described(index(container, key))).toBe(found);
});

test.each<[Value, Value, string]>([
	[LIST, 3n, "index 3 is outside of the list's 3 elements"],
	[[1n], -1n, "index -1 is outside of the list's 1 element"],
	[LIST, 0.5, "index 0.5 is outside of the list's 3 elements"],
	[LIST, 2n ** 60n, "index 1152921504606847000 is outside of the list's 3 elements"],
	[LIST, Number.NaN, "index NaN is outside of the list's 3 elements"],
	[LIST, "length", "a list has elements by number, not by string"],
	[LIST, true, "a list has elements by number, not by bool"],
	[MAP, "b", 'no such key: "b"'],
	[MAP, new Uint8Array(), "no such key: a bytes"],
	[MAP, 1.5, "no such key: 1.5"],
	[HEADERS, 1n, "no such key: 1"],
	[COOKIE, "constructor", 'no such key: "constructor"'],
	["text", 0n, "a value of type string has no elements"],
	[null, "a", "a value of type null_type has no elements"],
])("%s[%s] fails", (container, key, text) => {
	expect(message(() => index(container, key))).toBe(text);
});

test("property: index and in are the library's", () => {
	const lists = fc.tuple(fc.array(SCALARS, { maxLength: 3 }), fc.oneof(SCALARS, fc.nat(3)));
	fc.assert(
		fc.property(fc.oneof(fc.tuple(VALUES, SCALARS), lists), ([container, key]) => {
			// the library makes indices of bools and texts
			const isNumber = key instanceof Uint || typeof key === "bigint" || typeof key === "number";
			if (container instanceof ValueMap || (isList(container) && isNumber)) {
				expect(outcome(() => index(container, key))).toBe(byLibrary("a[b]", container, key));
			}
			// the library takes a key whose value is null for missing
			if (container instanceof ValueMap) {
				const isKey = container.keys().some((each) => equals(each, key));
				expect(contains(key, container)).toBe(isKey);
				return;
			}
			expect(outcome(() => contains(key, container))).toBe(byLibrary("b in a", container, key));
		}),
		{ numRuns: 1000 },
	);
});

test("property: an element is in a list if one equals it", () => {
	fc.assert(
		fc.property(SCALARS, fc.array(SCALARS, { maxLength: 5 }), fc.boolean(), (each, list, isIn) => {
			const all = isIn ? [...list, each] : list;
			expect(listContains(each, all)).toBe(all.some((other) => equals(each, other)));
		}),
		{ numRuns: 1000 },
	);
});

test("property: an optional index is of what an index finds", () => {
	fc.assert(
		fc.property(
			fc.array(SCALARS, { maxLength: 3 }),
			fc.integer({ min: -1, max: 3 }),
			(list, at) => {
				const found = optionalIndex(list, BigInt(at));
				expect(found.value === undefined).toBe(outcome(() => listAt(list, at)) === "failure");
				if (found.value !== undefined) expect(found.value).toBe(listAt(list, at));
			},
		),
	);
});

test("fields of maps, records, optionals", () => {
	expect(select(MAP, "a")).toBe(1n);
	expect(select(COOKIE, "value")).toBe("v");
	expect(select(HEADERS, "missing")).toEqual([]);
	expect(described(select(new Optional(entryMap([["a", MAP]])), "a"))).toContain("optional {");
	expect(described(select(Optional.NONE, "a"))).toBe("optional none");
	expect(message(() => select(MAP, "b"))).toBe('no such key: "b"');
	expect(message(() => select(1n, "b"))).toBe("a value of type int has no field b");
	expect(message(() => select(new Optional(null), "b"))).toBe(
		"a value of type null_type has no field b",
	);
});

test("optional fields are there, or not; what has no fields fails still", () => {
	expect(described(optionalSelect(MAP, "null"))).toBe("optional null");
	expect(optionalSelect(MAP, "b")).toBe(Optional.NONE);
	expect(optionalSelect(HEADERS, "b")).toBe(Optional.NONE);
	expect(optionalSelect(Optional.NONE, "b")).toBe(Optional.NONE);
	expect(described(optionalSelect(new Optional(new Optional(MAP)), "a"))).toBe("optional int 1");
	expect(described(optionalIndex(HEADERS, "A"))).toBe('optional [string "1"]');
	expect(optionalIndex(HEADERS, "b")).toBe(Optional.NONE);
	expect(optionalIndex(MAP, new Uint8Array())).toBe(Optional.NONE);
	for (const call of [
		() => optionalSelect(null, "b"),
		() => optionalIndex(1n, 0n),
		() => optionalIndex(LIST, "a"),
		() => hasField("text", "a"),
		() => hasField(new Optional(1n), "a"),
	]) {
		expect(message(call)).toMatch(/has no|by number/);
	}
});

test("has() asks for entries, not for answers", () => {
	expect([hasField(MAP, "a"), hasField(MAP, "b"), hasField(MAP, "null")]).toEqual([
		true,
		false,
		true,
	]);
	expect([hasField(HEADERS, "A"), hasField(HEADERS, "b"), contains("b", HEADERS)]).toEqual([
		true,
		false,
		false,
	]);
	expect([hasField(Optional.NONE, "a"), hasField(new Optional(MAP), "a")]).toEqual([false, true]);
});

test("in takes lists and maps only, and pays for the list", () => {
	expect(message(() => contains("a", "abc"))).toBe("no matching overload for string in string");
	const list = Array.from({ length: 1000 }, (_, at) => `${at}`);
	for (const element of ["a", 1n]) {
		BUDGET.left = 1000;
		try {
			expect(() => contains(element, list)).toThrow("takes too long");
		} finally {
			BUDGET.left = Number.POSITIVE_INFINITY;
		}
	}
});
