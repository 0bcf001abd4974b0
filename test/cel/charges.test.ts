/**
 * Whatever takes longer for larger operands, or takes time at all, is charged for in loops: a floor a turn and
 * a floor a unit. A function that charges for its operands less than the least that any work takes has to be
 * named here, with the reason why it may.
 */
import { describe, expect, test } from "vitest";
import type { Attributes } from "../../src/cel/attributes.ts";
import { DECLARATIONS } from "../../src/cel/check/declarations.ts";
import type { Overload } from "../../src/cel/check/signatures.ts";
import { resolve, type Type } from "../../src/cel/check/types.ts";
import {
	ELEMENT,
	ENTRY,
	FAILURE,
	KEY_CHARACTER,
	LOOK_UP,
	LOOP_TURN,
} from "../../src/cel/cost/table.ts";
import { baseCost } from "../../src/cel/library/definition.ts";
import { IMPLEMENTATIONS } from "../../src/cel/library/table.ts";
import { mapFromStrings } from "../../src/cel/values/entry-map.ts";
import {
	Duration,
	Optional,
	Timestamp,
	TypeValue,
	Uint,
	type Value,
} from "../../src/cel/values/value.ts";
import { ATTRIBUTES, headerLines } from "./attributes.ts";
import { chargedBy } from "./compiled.ts";
import { call, charged } from "./library/calls.ts";

/** Nanoseconds that any work on a unit takes, e.g. a copy of a character (measured: 0.04), and any call. */
const UNIT_FLOOR = 0.04;
const CALL_FLOOR = 5;
/** an element of a list that is read or copied (measured: 8 to 42) */
const ELEMENT_FLOOR = 8;
const [SMALL, LARGE] = [100, 10_000];

/** A value of so many units. */
function operandOf(type: Type, units: number): Value {
	const known = resolve(type);
	switch (known.kind) {
		case "bool":
			return true;
		case "int":
			return 1n;
		case "uint":
			return new Uint(1n);
		case "double":
			return 1.5;
		case "bytes":
			return new Uint8Array(units).fill(97);
		case "timestamp":
			return new Timestamp(1, 0);
		case "duration":
			return new Duration(1, 0);
		case "type":
			return new TypeValue("int");
		case "null_type":
			return null;
		case "optional":
			return new Optional(operandOf(known.element, units));
		case "list":
			return Array.from({ length: units }, () => operandOf(known.element, 1));
		case "map":
			return mapFromStrings(new Map(Array.from({ length: units }, (_, at) => [`${at}`, at])));
		default:
			return "a".repeat(units);
	}
}

/** Parameters, counted from 0, that take no more time if they are large. */
const INDIFFERENT: readonly (readonly [
	why: string,
	signature: RegExp,
	...at: readonly number[],
])[] = [
	["handed on as it is", /^(bytes\(bytes|string\(string|dyn|type|optional\.of)/, 0],
	["handed on as it is", /^optional<A>\./, 0, 1],
	["one element is taken", /\.(first|last)\(/, 0],
	["knows its size", /^(size\((bytes|list|map)|bytes\.size|list<A>\.size|map<A, B>\.size)/, 0],
	["not looked at if longer than any", /^(bool|double|int|timestamp|uint)\(string/, 0],
	["not looked at if longer than any", /^duration\(string/, 0],
	["not looked at if longer than any", /^timestamp\.get.*\(string/, 1],
	["not looked at if longer than any", /^inCidrRange\(/, 0, 1],
	["not looked at if longer than any", /^inCidrRanges\(/, 0],
	["not looked at if longer than any", /matches\(/, 1],
	["only its end is looked at", /\.(startsWith|endsWith)\(/, 0],
];

const isIndifferent = (signature: string, place: number): boolean =>
	INDIFFERENT.some(([, pattern, ...at]) => pattern.test(signature) && at.includes(place));

const SPACES = (units: number): Value => " ".repeat(units);
const NUMBERS = (units: number): Value => Array.from({ length: units }, () => 2n);
/** Operands that a function has something to do with. */
const OPERANDS: Readonly<Record<string, (units: number) => readonly Value[]>> = {
	"list<A>.slice(int, int) -> list<A>": (units) => [NUMBERS(units), 0n, BigInt(units)],
	"sets.intersects(list<A>, list<A>) -> bool": (units) => [["x"], NUMBERS(units)],
	"string.format(list<A>) -> string": (units) => ["%s".repeat(units), NUMBERS(units)],
	"string.split(string, int) -> list<string>": (units) => ["a".repeat(units), "a", -1n],
	"string.trim() -> string": (units) => [SPACES(units)],
};

function operandsOf({ signature, parameters }: Overload, large: number, units: number): Value[] {
	const own = OPERANDS[signature];
	if (own !== undefined) return [...own(units)];
	// keys are as many as elements
	const isAll = signature.includes("@sortByAssociatedKeys");
	return parameters.map((each, at) => operandOf(each, isAll || at === large ? units : SMALL));
}

const OVERLOADS = [...DECLARATIONS.values()]
	.flat()
	.filter(({ signature }) => IMPLEMENTATIONS.has(signature));

const SIZED: ReadonlySet<string> = new Set([
	"bytes",
	"dyn",
	"list",
	"map",
	"optional",
	"string",
	"variable",
]);

test.each(OVERLOADS)("$signature charges for its operands", (overload) => {
	const { signature, parameters } = overload;
	const implementation = IMPLEMENTATIONS.get(signature);
	if (implementation === undefined) throw new Error("filtered above");
	expect(baseCost(implementation, parameters.length)).toBeGreaterThanOrEqual(CALL_FLOOR);
	for (const [at, parameter] of parameters.entries()) {
		if (!SIZED.has(resolve(parameter).kind) || isIndifferent(signature, at)) continue;
		const charge = (units: number): number =>
			charged(() => call(signature, ...operandsOf(overload, at, units)));
		const perUnit = (charge(LARGE) - charge(SMALL)) / (LARGE - SMALL);
		const floor = resolve(parameter).kind === "list" ? ELEMENT_FLOOR : UNIT_FLOOR;
		expect(perUnit, `operand ${at}`).toBeGreaterThanOrEqual(floor);
	}
});

test("what is said to be indifferent is there", () => {
	for (const [, pattern, ...at] of INDIFFERENT) {
		const found = OVERLOADS.filter(({ signature }) => pattern.test(signature));
		expect(found.length, String(pattern)).toBeGreaterThan(0);
		expect(found.some(({ parameters }) => parameters.length > Math.max(...at))).toBe(true);
	}
});

/** Nanoseconds that one turn with `part` in it is charged with, the turn itself aside. */
function perTurn(part: string, attributes: Attributes): number {
	const turns = (count: number): number => {
		const source = `cel.bind(list, req.headers.map(h, h), lists.range(${count}).exists(i, [${part}].size() == 2))`;
		return chargedBy(source, "inbound", attributes) ?? Number.NaN;
	};
	const MAKING = 40;
	return (turns(21) - turns(1)) / 20 - MAKING - LOOP_TURN;
}

/** With a header `x` and a query of so many characters, and as many other headers as a hundredth of that. */
function exchange(units: number): Attributes {
	const many = Array.from({ length: units / 100 }, (_, at) => [`h${at}`, "v"] as const);
	const requestHeaders = headerLines([["x", "k".repeat(units)], ["ip", "fe80::1"], ...many]);
	const query = "q".repeat(units);
	return { ...ATTRIBUTES, requestHeaders, url: { ...ATTRIBUTES.url, query } };
}

describe("in a loop", () => {
	test.each([
		["req.url.query in req.cookies", KEY_CHARACTER],
		["req.url.query_params[req.url.query]", KEY_CHARACTER],
		["{'a': 1}[?req.url.query]", KEY_CHARACTER],
		["req.url.query in {'a': 1}", KEY_CHARACTER],
		["dyn({'a': 1})[?req.url.query]", KEY_CHARACTER],
		["req.url.query in dyn(req.cookies)", KEY_CHARACTER],
		["req.url.query in ['a', 'b', 'c', 'd', 'e', 'f']", KEY_CHARACTER],
		["{req.url.query: i}", KEY_CHARACTER],
		["req.url.query == req.headers['x'][0]", UNIT_FLOOR],
		["dyn(req.url.query) == req.headers['x'][0]", UNIT_FLOOR],
		["req.url.query < req.headers['x'][0]", UNIT_FLOOR],
		["req.url.query + 'a'", UNIT_FLOOR],
		["dyn(req.url.query) + 'a'", UNIT_FLOOR],
		["req.url.query.matches('(a+)+b')", UNIT_FLOOR],
		["req.url.query.matches(req.method)", UNIT_FLOOR],
		["dyn(req.url.query).size()", UNIT_FLOOR],
		["list + list", ELEMENT / 100 / 2],
		["list == list", ELEMENT / 100],
		["'a' in list", UNIT_FLOOR],
		["list.exists(h, false)", LOOP_TURN / 100],
		["req.headers.exists(h, false)", LOOP_TURN / 100],
		["req.headers.exists(h, v, false)", LOOK_UP / 100],
		["list.transformMap(n, h, h)", ENTRY / 100],
		["[1].transformMapEntry(n, h, list.transformMap(n, h, h))", (2 * ENTRY) / 100],
	])("%s charges for each unit", (part, floor) => {
		const perUnit =
			(perTurn(part, exchange(LARGE)) - perTurn(part, exchange(SMALL))) / (LARGE - SMALL);
		expect(perUnit).toBeGreaterThanOrEqual(0.9 * floor);
	});

	test.each([
		["req.headers[string(i)]", LOOK_UP],
		["req.cookies[string(i)]", LOOK_UP],
		["string(i) in req.headers", LOOK_UP],
		["{'POST': 1}[req.method]", LOOK_UP],
		["{i: req.method, -1: 'a'}", 2 * ENTRY],
		["[1].transformMap(n, x, req.method)", ENTRY],
		["req.headers['none'][i] == 'x' || req.headers['other'][i] == 'x'", FAILURE],
		["duration('1s' + req.method.substring(0, 0))", 1000],
		["inCidrRanges(req.headers['ip'][0], ['fe80::/10'])", 1000],
		["string(time.now)", 1000],
		["dyn(i).size()", 100],
	])("%s charges for each turn", (part, floor) => {
		expect(perTurn(part, exchange(SMALL))).toBeGreaterThanOrEqual(floor);
	});
});
