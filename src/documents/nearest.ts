/**
 * "Did you mean …?" for everything that takes names: fields of documents (`problems.ts`), command-line
 * flags and config fields (`process/`).
 */

import { distance } from "fastest-levenshtein";
import { asciiLowerCase } from "../ascii.ts";

/** Names that people write from memory or from older documents, and what they are called here. */
const TODAYS_NAMES: Readonly<Record<string, string>> = {
	body: "content",
	on_http_request: "inbound",
	on_http_response: "outbound",
	status: "status_code",
	statuscode: "status_code",
	code: "status_code",
	limit: "capacity",
	window: "rate",
	interval: "rate",
	key: "bucket_key",
	keys: "bucket_key",
	expression: "expressions",
	conditions: "expressions",
	match: "from",
	replace: "to",
	replacement: "to",
	message: "metadata",
	ngrok: "cel",
};

/** Longest name that is compared; beyond it there is nothing to suggest and much to compute. */
const COMPARABLE_CHARACTERS = 64;

/** The candidate that `name` was probably meant to be, or undefined; ignores case and `-` against `_`. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
	if (name.length > COMPARABLE_CHARACTERS) return undefined;
	const wanted = normal(name);
	let best: string | undefined;
	// two slips in four letters are likely, one in one is none
	let bestDistance = Math.min(Math.ceil(wanted.length * 0.4), wanted.length - 1) + 1;
	for (const candidate of candidates) {
		const steps = distance(wanted, normal(candidate));
		if (steps < bestDistance) {
			best = candidate;
			bestDistance = steps;
		}
	}
	return best;
}

const normal = (name: string): string => asciiLowerCase(name).replace(/[-_ ]/g, "");

/** `; did you mean "expressions"?`, or nothing. Names of older documents are answered with today's. */
export function suggestion(name: string, candidates: readonly string[]): string {
	const known = Object.hasOwn(TODAYS_NAMES, asciiLowerCase(name))
		? TODAYS_NAMES[asciiLowerCase(name)]
		: undefined;
	const found =
		known !== undefined && candidates.includes(known) ? known : nearest(name, candidates);
	return found === undefined ? "" : `; did you mean "${found}"?`;
}

/** A document may hold names of any length; a message repeats no more than it takes to find them. */
export const quoted = (text: string): string =>
	JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
