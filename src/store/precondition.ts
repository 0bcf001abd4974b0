/**
 * `if-match` and `if-none-match` (RFC 9110 13.1): read from the header by management/, decided by the
 * store inside the write transaction, so that nobody else's write comes between.
 */
import type { Precondition } from "./store.ts";

const ETAG = /[\t ]*((?:W\/)?"[\x21\x23-\x7e\x80-\u00ff]*")[\t ]*(?:,|$)/y;

/** `*`, or a list of `"…"` and `W/"…"`; undefined if malformed (RFC 9110 8.8.3). Linear in the text. */
export function parseEtags(text: string): readonly string[] | "*" | undefined {
	if (text.trim() === "*") return "*";
	const etags: string[] = [];
	ETAG.lastIndex = 0;
	do {
		const etag = ETAG.exec(text)?.[1];
		if (etag === undefined) return undefined;
		etags.push(etag);
	} while (ETAG.lastIndex < text.length);
	return etags;
}

/** @param current etag of what is stored, undefined if nothing is */
export function holds(precondition: Precondition, current: string | undefined): boolean {
	const { ifMatch, ifNoneMatch } = precondition;
	if (ifMatch !== undefined) {
		if (current === undefined) return false;
		// strong comparison: a weak etag never matches
		if (ifMatch !== "*" && !ifMatch.includes(current)) return false;
	}
	return ifNoneMatch === undefined || !matchesWeakly(ifNoneMatch, current);
}

/** The comparison of `if-none-match`: weak or strong makes no difference. */
export function matchesWeakly(
	etags: readonly string[] | "*",
	current: string | undefined,
): boolean {
	if (current === undefined) return false;
	return etags === "*" || etags.some((etag) => etag.replace(/^W\//, "") === current);
}
