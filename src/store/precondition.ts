/**
 * `if-match` and `if-none-match` (RFC 9110 13.1): read from the header by management/, decided by the
 * store inside the write transaction, so that nobody else's write comes between.
 */
import type { Precondition } from "./store.ts";

/** One element of a list, which may be empty (RFC 9110 5.6.1.2), and its comma. */
const ELEMENT = /[\t ]*(?:((?:W\/)?"[\x21\x23-\x7e\x80-\u00ff]*")[\t ]*)?(?:,|$)/y;

/** `*`, or a list of `"…"` and `W/"…"`; undefined if malformed (RFC 9110 8.8.3). Linear in the text. */
export function parseEtags(text: string): readonly string[] | "*" | undefined {
	if (text.trim() === "*") return "*";
	const etags: string[] = [];
	ELEMENT.lastIndex = 0;
	do {
		const element = ELEMENT.exec(text);
		if (element === null) return undefined;
		if (element[1] !== undefined) etags.push(element[1]);
	} while (ELEMENT.lastIndex < text.length);
	return etags.length === 0 ? undefined : etags;
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
