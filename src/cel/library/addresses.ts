/**
 * Address ranges (contract 4, "Functions"), here those that are not known before the request. Ranges that are written
 * in an expression are prepared when it is compiled; lowered code then calls `inPreparedRanges`. Joined by `table.ts`.
 */

import { quoted } from "../../documents/nearest.ts";
import { checkRange, parseRange, type Range, textInRanges } from "../../http/ip-address.ts";
import { charge } from "../budget.ts";
import { EvaluationFailure } from "../expression.ts";
import { typeOf } from "../values/types.ts";
import type { Value } from "../values/value.ts";
import type { FunctionDefinition } from "./definition.ts";

/** Nanoseconds to read an address (measured: IPv4 30, IPv6 500), to read a range, and to look at one. */
const ADDRESS_NS = 1000;
const IPV4_NS = 100;
const READ_RANGE_NS = 1500;
const LOOK_AT_RANGE_NS = 10;
/** longer texts are no ranges, and not looked at */
const RANGE_CHARACTERS = 128;
/** ranges looked at in what a call costs anyway */
const UNCOUNTED_RANGES = 16;

/** Hot. @throws EvaluationFailure if `address` is none */
export function inPreparedRanges(address: string, ranges: readonly Range[]): boolean {
	if (ranges.length > UNCOUNTED_RANGES) charge(ranges.length * LOOK_AT_RANGE_NS);
	const isInside = textInRanges(address, ranges);
	if (isInside === undefined) throw new EvaluationFailure(`${quoted(address)} is no IP address`);
	return isInside;
}

/** The same where every turn of a loop may ask about another address. @throws EvaluationFailure, OutOfBudget */
export function inRangesCharged(address: string, ranges: readonly Range[]): boolean {
	charge(address.includes(":") ? ADDRESS_NS : IPV4_NS);
	return inPreparedRanges(address, ranges);
}

function rangeOf(text: Value): Range {
	if (typeof text !== "string") {
		throw new EvaluationFailure(`an address range is a string, not of type ${typeOf(text).name}`);
	}
	const range = text.length > RANGE_CHARACTERS ? undefined : parseRange(text);
	if (range !== undefined) return range;
	const begin = text.slice(0, RANGE_CHARACTERS + 1);
	throw new EvaluationFailure(checkRange(begin) ?? "no address range");
}

function inRanges(address: string, ranges: readonly Value[]): boolean {
	charge(ADDRESS_NS + READ_RANGE_NS * ranges.length);
	return inPreparedRanges(address, ranges.map(rangeOf));
}

export const ADDRESSES: readonly FunctionDefinition[] = [
	{
		name: "inCidrRange",
		doc: "Is an IP address inside a range, such as `10.0.0.0/8` or `2001:db8::/32`? Fails for texts that are none; literals are judged when written.",
		examples: [["inCidrRange(conn.client_ip, '203.0.113.0/24')", "true"]],
		overloads: {
			"inCidrRange(string, string) -> bool": {
				call: (address: string, range: string) => inRanges(address, [range]),
				fails: true,
				base: ADDRESS_NS,
				cost: () => 2 * (ADDRESS_NS + READ_RANGE_NS),
				resultSize: () => 1,
			},
		},
		literals: ["address", "ranges"],
		prepared: "ranges",
	},
	{
		name: "inCidrRanges",
		doc: "Is an IP address inside one of some ranges? A list of literals is read when the expression is compiled.",
		examples: [["inCidrRanges(conn.client_ip, ['10.0.0.0/8', '192.168.0.0/16'])", "false"]],
		overloads: {
			"inCidrRanges(string, list<string>) -> bool": {
				call: inRanges,
				fails: true,
				base: ADDRESS_NS,
				cost: (_address, ranges = 0) =>
					2 * ADDRESS_NS + (READ_RANGE_NS + LOOK_AT_RANGE_NS) * (1 + ranges),
				resultSize: () => 1,
			},
		},
		literals: ["address", "ranges"],
		prepared: "ranges",
	},
];
