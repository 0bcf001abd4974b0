/**
 * How long an upstream's response is (RFC 9112 6.3), from its raw header lines. Framing that undici's parser lets
 * pass although two readers could disagree about it is refused here: a transfer coding other than exactly
 * `chunked`, a repeated or malformed length, both at once. Called by `attempt.ts` for each response.
 */

import { asciiLowerCase } from "../../ascii.ts";
import { FRAMING, HOP_BY_HOP } from "../../http/fields.ts";
import { latin1 } from "../response-head.ts";

/** `Framing.kind` where the answer has a header but no body whatever its fields say: HEAD, 204, 304. */
export type FramingKind = "none" | "length" | "chunked" | "close" | "refused";

const CONTENT_LENGTH = Buffer.from("content-length");
const TRANSFER_ENCODING = Buffer.from("transfer-encoding");
const CHUNKED = Buffer.from("chunked");
const CASE_BIT = 0x20;

const SPACE = 0x20;
const TAB = 0x09;

/** Hot. Without the white space behind it, which the parser leaves there (RFC 9112 5.1). */
const trimmed = (value: Uint8Array): Uint8Array => {
	let end = value.length;
	while (end > 0 && (value[end - 1] === SPACE || value[end - 1] === TAB)) end -= 1;
	return end < value.length ? value.subarray(0, end) : value;
};

/** Hot. Takes the white space off the ends of values; to be called once the framing was read. */
export const trimValues = (headers: Uint8Array[]): void => {
	for (let index = 1; index < headers.length; index += 2) {
		const value = headers[index];
		if (value !== undefined) headers[index] = trimmed(value);
	}
};

/**
 * Whether trailers hold a field of the connection or of framing. They mean nothing there, but the parser heeds
 * some, `connection: close` for one, and then fails the connection's next response.
 */
export const holdsConnectionField = (trailers: readonly (Uint8Array | string)[]): boolean => {
	for (let index = 0; index < trailers.length; index += 2) {
		const name = trailers[index];
		const lower = asciiLowerCase(typeof name === "string" ? name : latin1(name));
		if (HOP_BY_HOP.has(lower) || FRAMING.has(lower)) return true;
	}
	return false;
};

/** Hot. Compares ASCII letters without case; `lower` holds lower-case letters and `-`. */
const equalsIgnoringCase = (bytes: Uint8Array, lower: Uint8Array): boolean => {
	if (bytes.length !== lower.length) return false;
	for (let index = 0; index < lower.length; index += 1) {
		if (((bytes[index] ?? 0) | CASE_BIT) !== lower[index]) return false;
	}
	return true;
};

/** Hot. @returns bytes, or -1 if the value is not a plain decimal number below 2^53 */
const parseLength = (value: Uint8Array): number => {
	if (value.length === 0 || value.length > 16) return -1;
	let length = 0;
	for (const byte of value) {
		if (byte < 0x30 || byte > 0x39) return -1;
		length = length * 10 + byte - 0x30;
	}
	return Number.isSafeInteger(length) ? length : -1;
};

/** The result of the last `readFraming`; one object, reused, since it is read at once. */
export const framing: { kind: FramingKind; length: number; declaresBody: boolean } = {
	kind: "none",
	/** bytes by `content-length`, or -1 */
	length: -1,
	/** a length above zero or a transfer coding was given, even where there can be no body */
	declaresBody: false,
};

/** Hot. Fills `framing`. */
export const readFraming = (
	headRequest: boolean,
	statusCode: number,
	headers: readonly Uint8Array[],
): void => {
	let length = -1;
	let chunked = false;
	let refused = false;
	for (let index = 0; index < headers.length; index += 2) {
		const name = headers[index];
		const value = headers[index + 1];
		if (name === undefined || value === undefined) continue;
		if (name.length === CONTENT_LENGTH.length && equalsIgnoringCase(name, CONTENT_LENGTH)) {
			if (length !== -1) refused = true;
			length = parseLength(trimmed(value));
			if (length === -1) refused = true;
		} else if (
			name.length === TRANSFER_ENCODING.length &&
			equalsIgnoringCase(name, TRANSFER_ENCODING)
		) {
			// As it came: to the parser `chunked` with a space behind it is no `chunked`.
			if (chunked || !equalsIgnoringCase(value, CHUNKED)) refused = true;
			chunked = true;
		}
	}
	framing.length = length;
	framing.declaresBody = length > 0 || chunked;
	if (refused || (chunked && length !== -1)) framing.kind = "refused";
	else if (headRequest || statusCode === 204 || statusCode === 304) framing.kind = "none";
	else if (chunked) framing.kind = "chunked";
	else framing.kind = length === -1 ? "close" : "length";
};
