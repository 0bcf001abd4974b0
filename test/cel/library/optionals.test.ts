/** Optional values, by the laws they keep and the official cases' edges. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { entryMap } from "../../../src/cel/values/entry-map.ts";
import {
	Duration,
	Optional,
	RecordValue,
	Timestamp,
	TypeValue,
	Uint,
	type Value,
} from "../../../src/cel/values/value.ts";
import { call } from "./calls.ts";

const NONE = call("optional.none() -> optional<A>");
const of = (value: Value): Value => call("optional.of(A) -> optional<A>", value);
const OR = "optional<A>.or(optional<A>) -> optional<A>";
const OR_VALUE = "optional<A>.orValue(A) -> A";
const VALUE = "optional<A>.value() -> A";
const HAS_VALUE = "optional<A>.hasValue() -> bool";

const value = fc.constantFrom<Value>(null, false, 0n, "", "a", [], NONE);
const optional = fc.oneof(fc.constant(NONE), value.map(of));

test("property: or takes the first that has a value", () => {
	fc.assert(
		fc.property(optional, optional, value, (a, b, other) => {
			const either = call(OR, a, b);
			expect(either).toBe(call(HAS_VALUE, a) ? a : b);
			const expected = call(HAS_VALUE, a) ? call(VALUE, a) : other;
			expect(call(OR_VALUE, a, other)).toEqual(expected);
			expect(call(OR_VALUE, of(other), "unused")).toEqual(other);
		}),
	);
	expect(call(HAS_VALUE, of(null))).toBe(true);
	expect(call(HAS_VALUE, NONE)).toBe(false);
	expect(call(VALUE, NONE)).toBe("failure: the optional has no value");
});

test("a null that passed for an optional is a failure", () => {
	for (const signature of [HAS_VALUE, VALUE, OR, OR_VALUE]) {
		expect(call(signature, null, NONE)).toContain("failure: no matching overload for");
	}
	expect(call(OR, NONE, null)).toBe("failure: no matching overload for or(null_type)");
});

const ZEROS: readonly Value[] = [
	null,
	false,
	0n,
	0,
	-0,
	new Uint(0n),
	"",
	new Uint8Array(),
	[],
	entryMap([]),
	new Timestamp(0, 0),
	new Duration(0, 0),
	new RecordValue({ name: "", value: "", max_age: 0n }),
];
const OTHERS: readonly Value[] = [
	true,
	1n,
	Number.NaN,
	new Uint(1n),
	"0",
	new Uint8Array(1),
	[null],
	entryMap([["", 0n]]),
	new Timestamp(0, 1),
	new Duration(0, -1),
	new RecordValue({ name: "a", value: "" }),
	new TypeValue("int"),
	Optional.NONE,
];

test("ofNonZeroValue holds what is not the zero of its type", () => {
	const made = (each: Value): Value => call("optional.ofNonZeroValue(A) -> optional<A>", each);
	for (const each of ZEROS) expect(made(each)).toBe(Optional.NONE);
	for (const each of OTHERS) expect(made(each)).toEqual(of(each));
});

test("unwrap leaves out what has no value", () => {
	for (const signature of [
		"optional.unwrap(list<optional<A>>) -> list<A>",
		"list<optional<A>>.unwrapOpt() -> list<A>",
	]) {
		expect(call(signature, [of(1n), NONE, of([2n]), of(null)])).toEqual([1n, [2n], null]);
		expect(call(signature, [1n])).toBe("failure: no matching overload for unwrap(int)");
	}
});
