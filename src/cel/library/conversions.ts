/**
 * `int() uint() double() string() bytes() bool() timestamp() duration() dyn() type()` (CEL specification,
 * "Standard Definitions"). The conversions of texts and those that fail stand in `converters.ts`. Joined by
 * `table.ts`.
 */
import { sameElements } from "../cost/estimates.ts";
import { DURATION_CHARACTERS } from "../values/duration.ts";
import { scalarText } from "../values/scalar-text.ts";
import { parseTimestamp, timestampOf } from "../values/timestamp.ts";
import { typeOf } from "../values/types.ts";
import type { Timestamp, Uint, Value } from "../values/value.ts";
import {
	CODED_NS,
	DURATION_CHARACTER_NS,
	doubleToInt,
	doubleToUint,
	intToUint,
	textToBool,
	textToBytes,
	textToDouble,
	textToDuration,
	textToInt,
	textToUint,
	uintToInt,
} from "./converters.ts";
import type { FunctionDefinition, Implementation } from "./definition.ts";

const identity = (value: Value): Value => value;
const same: Implementation = { call: identity, fails: false, cost: () => 5 };

/** A conversion of a bounded number, whose text has at most so many characters. */
const toText = (characters: number, cost: number): Implementation => ({
	call: scalarText,
	fails: false,
	cost: () => cost,
	resultSize: () => characters,
});

const failing = (call: Implementation["call"], cost: number): Implementation => ({
	call,
	fails: true,
	cost: () => cost,
	resultSize: () => 1,
});

/** Seconds; `duration` rounds towards zero. */
const seconds: Implementation = {
	call: ({ seconds }: { readonly seconds: number }) => BigInt(seconds),
	fails: false,
	cost: () => 150,
};

export const CONVERSIONS: readonly FunctionDefinition[] = [
	{
		name: "bool",
		doc: "A bool of one of the texts `true`, `True`, `TRUE`, `t`, `1`, `false`, `False`, `FALSE`, `f`, `0`. Any other fails.",
		examples: [["bool('true')", "true"]],
		overloads: { "bool(bool) -> bool": same, "bool(string) -> bool": failing(textToBool, 50) },
	},
	{
		name: "bytes",
		doc: "The bytes of a text in UTF-8.",
		examples: [["bytes('é')", "b'\\303\\251'"]],
		overloads: {
			"bytes(bytes) -> bytes": same,
			"bytes(string) -> bytes": {
				call: textToBytes,
				fails: false,
				cost: (characters = 0) => 1000 + characters * CODED_NS,
				resultSize: (characters = 0) => characters * 3,
			},
		},
	},
	{
		name: "double",
		doc: "A double of a number, or of its text. Fails for other texts.",
		examples: [
			["double('1.5')", "1.5"],
			["double(3)", "3.0"],
		],
		overloads: {
			"double(double) -> double": same,
			"double(int) -> double": { call: identity, smallInts: true, fails: false, cost: () => 10 },
			"double(uint) -> double": {
				call: ({ value }: Uint) => Number(value),
				fails: false,
				cost: () => 100,
			},
			"double(string) -> double": failing(textToDouble, 2000),
		},
	},
	{
		name: "duration",
		doc: "A duration of a text such as `90s`, `1h30m` or `250ms`. Fails for other texts.",
		examples: [["duration('1h30m').getMinutes()", "90"]],
		overloads: {
			"duration(duration) -> duration": same,
			"duration(string) -> duration": {
				call: textToDuration,
				fails: true,
				cost: (characters = 0) =>
					1000 + Math.min(characters, DURATION_CHARACTERS) * DURATION_CHARACTER_NS,
				resultSize: () => 1,
			},
		},
		neverNull: true,
	},
	{
		name: "dyn",
		doc: "The value itself, its type unknown to the checker: what it is used for is checked when evaluated.",
		examples: [["dyn('a') == 1", "false"]],
		overloads: { "dyn(A) -> dyn": same },
		estimate: sameElements,
	},
	{
		name: "int",
		doc: "An int: of a number, rounded towards zero; of a text such as `-42`; of a timestamp or duration, in seconds. Fails for other texts and beyond 64 bits.",
		examples: [
			["int('42')", "42"],
			["int(-1.9)", "-1"],
			["int(timestamp('1970-01-01T00:01:00Z'))", "60"],
		],
		overloads: {
			"int(int) -> int": same,
			"int(uint) -> int": failing(uintToInt, 100),
			"int(double) -> int": failing(doubleToInt, 150),
			"int(string) -> int": failing(textToInt, 500),
			"int(timestamp) -> int": seconds,
			"int(duration) -> int": seconds,
		},
	},
	{
		name: "string",
		doc: "The text of a scalar value; bytes are read as UTF-8, and fail where they are none.",
		examples: [
			["string(res.status_code)", "'201'"],
			["string(duration('90s'))", "'90s'"],
		],
		overloads: {
			"string(string) -> string": same,
			"string(bool) -> string": toText(5, 50),
			"string(int) -> string": toText(20, 300),
			"string(uint) -> string": toText(20, 300),
			"string(double) -> string": toText(25, 500),
			"string(bytes) -> string": {
				call: scalarText,
				fails: true,
				cost: (bytes = 0) => 500 + bytes * CODED_NS,
			},
			"string(timestamp) -> string": toText(30, 1500),
			"string(duration) -> string": toText(22, 500),
		},
	},
	{
		name: "timestamp",
		doc: "A timestamp of a text (RFC 3339), or of seconds since 1970. Fails for other texts and outside of the years 1 to 9999.",
		examples: [["timestamp('2026-05-04T10:20:30Z') < time.now", "true"]],
		overloads: {
			"timestamp(timestamp) -> timestamp": same,
			"timestamp(string) -> timestamp": failing(parseTimestamp, 1500),
			"timestamp(int) -> timestamp": {
				call: (value: number): Timestamp => timestampOf(value, 0),
				smallInts: true,
				fails: true,
				cost: () => 200,
			},
		},
		neverNull: true,
	},
	{
		name: "type",
		doc: "The type of a value, to compare it with the name of one.",
		examples: [["type(1) == int", "true"]],
		overloads: { "type(A) -> type": { call: typeOf, fails: false, resultSize: () => 1 } },
	},
	{
		name: "uint",
		doc: "A uint, as `int()` makes ints. Fails for numbers below zero.",
		examples: [["uint(42)", "42u"]],
		overloads: {
			"uint(uint) -> uint": same,
			"uint(int) -> uint": failing(intToUint, 150),
			"uint(double) -> uint": failing(doubleToUint, 150),
			"uint(string) -> uint": failing(textToUint, 500),
		},
	},
];
