/** Addresses, patterns and cookies (contract 4, "Functions"). */
import { type CelFunc, type CelList, CelScalar, celFunc, celMethod, listType } from "@bufbuild/cel";
import { RE2JS } from "re2js";
import { inRanges, parseAddress, parseRange, type Range } from "../address.ts";
import { NO_COOKIE, NO_SET_COOKIE } from "../cookies.ts";

const { STRING, BOOL, DYN } = CelScalar;
const LIST = listType(DYN);

function addressOf(text: string): NonNullable<ReturnType<typeof parseAddress>> {
	const address = parseAddress(text);
	if (address === undefined) throw new Error("not the text of an IP address");
	return address;
}

function rangeOf(text: unknown): Range {
	const range = typeof text === "string" ? parseRange(text) : undefined;
	if (range === undefined) throw new Error("not the text of an address range");
	return range;
}

const rangesOf = (list: CelList): readonly Range[] => [...list].map(rangeOf);

const matches = (text: string, pattern: string): boolean => RE2JS.compile(pattern).test(text);

export const REQUEST: readonly CelFunc[] = [
	celFunc("matches", [STRING, STRING], BOOL, matches),
	celMethod("matches", STRING, [STRING], BOOL, function (pattern) {
		return matches(this, pattern);
	}),
	celFunc("inCidrRange", [STRING, STRING], BOOL, (address, range) =>
		inRanges(addressOf(address), [rangeOf(range)]),
	),
	celFunc("inCidrRanges", [STRING, LIST], BOOL, (address, ranges) =>
		inRanges(addressOf(address), rangesOf(ranges)),
	),
	celFunc("@firstCookie", [LIST], DYN, (cookies) => cookies.get(0) ?? NO_COOKIE),
	celFunc("@firstSetCookie", [LIST], DYN, (cookies) => cookies.get(0) ?? NO_SET_COOKIE),
];
