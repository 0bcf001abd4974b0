/**
 * Paths of request targets (contract 6): the normal form that routes and policies see, and what goes upstream.
 * Pure. The data path calls it for every request; the store calls `normalizePath` to refuse a route's `match`
 * that no request could ever meet.
 *
 * The normal form: percent-encoded unreserved characters are decoded, other encodings are kept with upper-case
 * digits, characters that a URI can't hold are encoded, and dot segments are removed (RFC 3986 6.2.2). Nothing is
 * ever decoded into a separator. Empty segments are kept: `//a` and `/a` are different paths.
 *
 * Backends read paths in their own ways: they decode everything first, merge slashes, take `\` for `/`, cut off
 * `;…`. What that does to a path without dot segments a policy can foresee (contract 6, "Paths"); what `..` leads to
 * then, it can't. So a path with dot segments goes upstream without them, in its normal form, and one is refused
 * if readers could disagree about what a dot segment in it removes, or whether it is one:
 * - behind an empty segment, which merging slashes removes, and behind one with an encoded separator, which
 *   decoding divides; wherever these stand before it, because nobody who means well sends such a path
 * - beside an encoded separator (`a%2F..`), or with something behind the dots that is cut off or ends the path
 *   once it is decoded (`..;`, `..%3B`, `..%3F`, `..%23`)
 * Refused as well: an encoded separator at the beginning, where `/%2Fadmin` is `/admin` to all who decode; `%00`,
 * broken encodings, `\` and `#`.
 */
import { asciiUpperCase } from "../ascii.ts";

/** Finds anything that keeps a path from being normal already; `%` and `;` need a closer look. */
const NOT_PLAIN = /[^A-Za-z0-9\-_~!$&'()*+,=:@/.]|\/\./;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const BAD_TARGET = /[\u0000-\u0020\u007f#\ufffd\ud800-\udfff]/u;
const BAD_ENCODING = /%(?![0-9A-Fa-f]{2})|%00|[?\\]/;
const ENCODED = /%([0-9A-Fa-f]{2})/g;
const UNRESERVED = /[A-Za-z0-9\-._~]/;
/** printable characters that RFC 3986 has no place for in a path, and everything beyond ASCII */
const UNENCODED = /["<>^`{|}[\]]|[^\u0021-\u007e]+/g;
const NOT_ASCII = /[^\u0021-\u007e]+/g;
const ENCODED_SEPARATOR = /%2F|%5C/;
const BEGINS_WITH_ENCODED = /^\/+(?:%2F|%5C)/;
/** of a part between separators of any kind */
const LOOKS_LIKE_DOTS = /^\.{1,2}(?:;|%3B|%3F|%23|$)/;
/** in any spelling, in a path as it came */
const DOT_SEGMENT = /\/(?:\.|%2[Ee]){1,2}(?:\/|$)/;

/** No space, control character or `#`, and nothing that arrived changed. */
export const isTargetText = (text: string): boolean => !BAD_TARGET.test(text);

const percentEncode = (text: string): string => {
	let encoded = "";
	for (const byte of Buffer.from(text, "utf8")) {
		encoded += `%${byte < 16 ? "0" : ""}${byte.toString(16)}`;
	}
	return asciiUpperCase(encoded);
};

/** Everything that is not printable ASCII, as the encoded bytes of its UTF-8. */
export const encodeNotAscii = (text: string): string => text.replace(NOT_ASCII, percentEncode);

const decodeUnreserved = (triplet: string, digits: string): string => {
	const character = String.fromCharCode(Number.parseInt(digits, 16));
	return UNRESERVED.test(character) ? character : asciiUpperCase(triplet);
};

/** True where a lenient server might see a dot segment that RFC 3986 doesn't. */
const isAmbiguous = (segment: string): boolean =>
	segment.includes(".") &&
	segment.split(ENCODED_SEPARATOR).some((part) => LOOKS_LIKE_DOTS.test(part));

/**
 * @param rawPath path of a request target as it came, without query
 * @returns the normal form, which starts with `/`; undefined if the path is to be refused with 400
 */
export function normalizePath(rawPath: string): string | undefined {
	if (rawPath.charCodeAt(0) !== 0x2f) return undefined;
	if (!NOT_PLAIN.test(rawPath)) return rawPath;
	if (BAD_TARGET.test(rawPath) || BAD_ENCODING.test(rawPath)) return undefined;
	const decoded = rawPath.replace(ENCODED, decodeUnreserved).replace(UNENCODED, percentEncode);
	const kept: string[] = [];
	const segments = decoded.split("/");
	const last = segments.length - 1;
	/** a segment so far is none or several to some readers */
	let isUnsure = false;
	for (let index = 1; index <= last; index++) {
		const segment = segments[index] ?? "";
		if (segment === "." || segment === "..") {
			if (isUnsure) return undefined;
			if (segment === "..") kept.pop();
			if (index === last) kept.push("");
		} else if (isAmbiguous(segment)) {
			return undefined;
		} else {
			kept.push(segment);
			isUnsure ||= segment === "" || ENCODED_SEPARATOR.test(segment);
		}
	}
	const normal = `/${kept.join("/")}`;
	return BEGINS_WITH_ENCODED.test(normal) ? undefined : normal;
}

/**
 * Hot. The path that goes upstream: as it came, unless it held dot segments.
 * @param normalPath of `rawPath`
 */
export const forwardedPath = (rawPath: string, normalPath: string): string =>
	rawPath !== normalPath && DOT_SEGMENT.test(rawPath) ? normalPath : rawPath;
