/**
 * Status lines, and the header lines behind them. The server library writes the text that it is given as status
 * without looking at it, so header lines in that text cost no call of their own. Used by `write-response.ts` and
 * `local-replies.ts`.
 */
import { STATUS_CODES } from "node:http";

const lineOf = (statusCode: number): string => `${statusCode} ${STATUS_CODES[statusCode] ?? ""}`;

// All at once: filled one by one, the array would become a dictionary, which is slow to read.
const STATUS_LINES = Array.from({ length: 600 }, (_, statusCode) => lineOf(statusCode));

/** `404 Not Found`; codes without a name keep the space that RFC 9112 4 asks for. */
export const statusLine = (statusCode: number): string =>
	STATUS_LINES[statusCode] ?? lineOf(statusCode);

/** @param lines each `name: value`, divided by CRLF; maybe none */
export const beginning = (statusCode: number, lines: string): string =>
	lines === "" ? statusLine(statusCode) : `${statusLine(statusCode)}\r\n${lines}`;
