/**
 * How a response begins: what the server library is given for the status it writes as it is, so that header
 * lines behind it cost no further call. Used by `reply.ts` and `own-answers.ts`.
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
