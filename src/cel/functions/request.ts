/**
 * What checked expressions call in place of functions: the checker replaces `getReqCookie`, patterns,
 * address ranges and `+` of lists by these, and adds `@step` to loops. Called by `environment.ts`.
 */
import {
	type CelFunc,
	type CelList,
	type CelMap,
	CelScalar,
	celFunc,
	listType,
	mapType,
} from "@bufbuild/cel";
import { inRanges, parseAddress, parseRange, type Range } from "../address.ts";
import { Constant } from "../constant.ts";
import { NO_COOKIE, NO_SET_COOKIE } from "../cookies.ts";
import { isListMap } from "../header-map.ts";
import { concatenated } from "../list.ts";
import { matchesBaked, matchesDynamic, type Program } from "../pattern.ts";
import { takeSteps } from "../steps.ts";

const { STRING, BOOL, DOUBLE, DYN, INT, UINT } = CelScalar;
const LIST = listType(DYN);
const MAP = mapType(DYN, DYN);
/** what a `Constant` looks like to the library */
const CONSTANT = MAP;

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

function rangesOf(list: CelList): readonly Range[] {
	takeSteps(list.size);
	return [...list].map(rangeOf);
}

/** The checker puts constants where they belong; anything else is a bug of ours. */
function constantOf<T>(value: unknown): Constant<T> {
	if (!(value instanceof Constant)) throw new Error("a constant is missing");
	return value as Constant<T>;
}

/** The library takes a key whose value is null for missing; maps of ours have something for every key. */
const hasKey = (key: Parameters<CelMap["get"]>[0], map: CelMap): boolean =>
	isListMap(map) ? map.has(key) : map.get(key) !== undefined;

/** Matching takes some 50 ns a character, a step of a loop some 400. */
const matchingSteps = (text: string): number => text.length >> 3;

export const REQUEST_FUNCTIONS: readonly CelFunc[] = [
	celFunc("@matches", [STRING, STRING], BOOL, (text, pattern) => {
		takeSteps(matchingSteps(text));
		return matchesDynamic(text, pattern);
	}),
	celFunc("@matches", [STRING, CONSTANT], BOOL, (text, pattern) => {
		const program = constantOf<Program>(pattern);
		takeSteps(matchingSteps(text) * (1 + (program.value.programSize() >> 10)));
		return matchesBaked(text, program);
	}),
	celFunc("@inRanges", [STRING, CONSTANT], BOOL, (address, ranges) => {
		const { value } = constantOf<readonly Range[]>(ranges);
		takeSteps(value.length >> 3);
		return inRanges(addressOf(address), value);
	}),
	celFunc("inCidrRange", [STRING, STRING], BOOL, (address, range) =>
		inRanges(addressOf(address), [rangeOf(range)]),
	),
	celFunc("inCidrRanges", [STRING, LIST], BOOL, (address, ranges) =>
		inRanges(addressOf(address), rangesOf(ranges)),
	),
	celFunc("@firstCookie", [LIST], DYN, (cookies) => cookies.get(0) ?? NO_COOKIE),
	celFunc("@firstSetCookie", [LIST], DYN, (cookies) => cookies.get(0) ?? NO_SET_COOKIE),
	...[STRING, DOUBLE, INT, BOOL, UINT].map((key) => celFunc("@in", [key, MAP], BOOL, hasKey)),
	celFunc("_+_", [LIST, LIST], LIST, concatenated),
	celFunc("@step", [DYN], DYN, (condition) => {
		takeSteps(1);
		return condition;
	}),
];
