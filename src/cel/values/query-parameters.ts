/**
 * Query parameters by name, percent and `+` decoded as browsers encode forms (contract 4, "Variables"). Called
 * by `derived.ts`.
 */
import { charge } from "../budget.ts";
import { parsedMap } from "./request-maps.ts";
import type { ValueMap } from "./value.ts";

/** Nanoseconds for a character, where every other one begins a parameter. */
const CHARACTER_NS = 80;

export const queryParameters = (query: string): ValueMap => parsedMap(() => parseQuery(query));

/** Names and values in order; a parameter without `=` has the empty value. */
export function parseQuery(query: string): ReadonlyMap<string, readonly string[]> {
	charge(query.length * CHARACTER_NS);
	const parameters = new Map<string, string[]>();
	for (const [name, value] of /[%+]/.test(query) ? decodedPairs(query) : plainPairs(query)) {
		const values = parameters.get(name);
		if (values === undefined) parameters.set(name, [value]);
		else values.push(value);
	}
	return parameters;
}

/** The platform's: a lone `%` stays as it is. It drops one leading `?`. */
const decodedPairs = (query: string): Iterable<readonly [string, string]> =>
	new URLSearchParams(`?${query}`);

/** The same where there is nothing to decode, at a fifth of the price. */
const plainPairs = (query: string): readonly (readonly [string, string])[] =>
	query
		.split("&")
		.filter((pair) => pair !== "")
		.map((pair) => {
			const equals = pair.indexOf("=");
			return equals < 0 ? [pair, ""] : [pair.slice(0, equals), pair.slice(equals + 1)];
		});
