/**
 * Warnings in the answer to a PUT (contract 3, "Lint"): `policy-warnings` or `route-warnings` counts them, and
 * lines of `policy-warning` or `route-warning` say them, so that the count stays a number. All of them are
 * listed by `weir check`.
 */
import type { Problem } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { ReplyHeaders } from "../http/reply.ts";

/** Nothing if there are none. */
export function warningHeaders(
	what: "policy" | "route",
	warnings: readonly Problem[],
): ReplyHeaders {
	if (warnings.length === 0) return {};
	return {
		[`${what}-warnings`]: String(warnings.length),
		[`${what}-warning`]: warnings.slice(0, LIMITS.warningLines).map(lineOf),
	};
}

const NOT_PRINTABLE = /[^\x20-\x7e]/gu;

/** Warnings repeat what a client wrote, which may be anything. */
function lineOf({ pointer, message }: Problem): string {
	const line = `${pointer === "" ? "/" : pointer}: ${message}`.replace(NOT_PRINTABLE, "?");
	const most = LIMITS.problemMessageCharacters;
	return line.length > most ? `${line.slice(0, most - 3)}...` : line;
}
