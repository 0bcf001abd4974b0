/**
 * Names of requests, by which the lines of several programs about one request are found (contract 6, "Request ids"): one
 * that a proxy in front has made, or 32 hexadecimal digits, as nginx has them. Used by `edge/access/carrier.ts`.
 */
import { LIMITS } from "../limits/limits.ts";
import { randomHex } from "./random-hex.ts";

/** What makers of ids use, and nothing that ends a field, a line or a text in a log. */
const GOOD = /^[A-Za-z0-9._~+/=:@-]+$/;

export const isRequestId = (text: string): boolean =>
	text.length <= LIMITS.requestIdCharacters && GOOD.test(text);

export const newRequestId = (): string => randomHex(32);
