/**
 * What both ways to a backend must know of a request beyond its text: what its method means, as flags of the
 * native client, and whether its strings can become bytes. Used by `native/client.ts` for each request, and by
 * `undici/call.ts`. Hot.
 */
import { addon } from "../native-addon.ts";

/** `saysEmpty`: the backend is told that there is no body (RFC 9110 8.6) */
const {
	head: HEAD,
	idempotent: IDEMPOTENT,
	saysEmpty: SAYS_EMPTY,
} = addon.upstreamLayout.requestFlag;

/** @returns flags of the addon's `send`; a method that is not known has none */
export function requestFlags(method: string): number {
	switch (method) {
		case "GET":
		case "DELETE":
		case "OPTIONS":
		case "TRACE":
			return IDEMPOTENT;
		case "HEAD":
			return IDEMPOTENT | HEAD;
		case "PUT":
			return IDEMPOTENT | SAYS_EMPTY;
		case "POST":
		case "PATCH":
			return SAYS_EMPTY;
		default:
			return 0;
	}
}

/** The request may be sent twice without harm (RFC 9110 9.2.2). Methods are case-sensitive. */
export const isIdempotent = (method: string): boolean => (requestFlags(method) & IDEMPOTENT) !== 0;

const ABOVE_LATIN1 = /[\u0100-\uffff]/;

/** False if a character is above 255: the addon would cut it to a byte, maybe that of a line's end. */
export const isLatin1 = (text: string): boolean => !ABOVE_LATIN1.test(text);
