/**
 * Puts answers on the wire, byte for byte as HTTP wants them (RFC 9112 6): HEAD, 204 and 304 without a
 * body, a known length as `content-length`, the rest chunked. Used by `pipeline.ts` and `proxying.ts`.
 *
 * What the server library makes necessary: it writes `date` itself. `endWithoutBody` with a length leaves
 * the connection unusable, closing from it writes a wrong `content-length`, and closing after chunks
 * breaks the last one; so lengths of bodies that aren't sent are written as header lines, and such
 * answers say `connection: close` and leave the closing to the client.
 */
import { STATUS_CODES } from "node:http";
import type { ResponseHead } from "../upstream/response-head.ts";
import type { HttpResponse } from "../uws.ts";
import type { Answer } from "./own-answers.ts";

const statusLines: string[] = [];
/** `404 Not Found`; codes without a name keep the space that RFC 9112 4 asks for. */
export const statusLine = (statusCode: number): string => {
	statusLines[statusCode] ??= `${statusCode} ${STATUS_CODES[statusCode] ?? ""}`;
	return statusLines[statusCode] ?? "";
};

export const hasNoBody = (method: string, statusCode: number): boolean =>
	method === "HEAD" || statusCode === 204 || statusCode === 304;

const NOTHING = (): void => {};

/**
 * Hot. A whole answer of the edge's own.
 * @param headers name, value, name, value, …; validated, no framing fields
 * @param close the connection is closed after it
 */
export function writeAnswer(
	response: HttpResponse,
	method: string,
	statusCode: number,
	headers: readonly string[],
	content: string,
	close: boolean,
): void {
	response.writeStatus(statusLine(statusCode));
	for (let index = 0; index < headers.length; index += 2) {
		const name = headers[index] ?? "";
		// A policy's names come in any spelling.
		if (name.toLowerCase() !== "date") response.writeHeader(name, headers[index + 1] ?? "");
	}
	if (!hasNoBody(method, statusCode)) {
		// The library may lose the content if the client doesn't read, and then ends the whole process if
		// nobody asked to hear of the connection's end. It closes the connection; nothing is to be done.
		if (content !== "") response.onAborted(NOTHING);
		response.end(content, close);
		return;
	}
	if (close) response.writeHeader("connection", "close");
	if (statusCode !== 204 && statusCode !== 304) {
		response.writeHeader("content-length", String(Buffer.byteLength(content)));
	}
	response.endWithoutBody();
}

/** Bytes that the library gathers before it sends; more in one piece is sent at once. */
export const CORK_BYTES = 16_384;

/**
 * Answers a request after which nobody knows where the next one begins, and closes so that no further
 * byte of this connection is taken for a request. The library would go on with what it has read already
 * until the answer is sent, hence spaces behind it that make it be sent at once.
 */
export function writeRefusal(response: HttpResponse, method: string, answer: Answer): void {
	if (method === "HEAD") {
		response.close();
		return;
	}
	const content = answer.content.padEnd(CORK_BYTES + answer.content.length);
	writeAnswer(response, method, answer.statusCode, answer.headers, content, true);
}

/** Header lines in one piece, as latin1: the first name, and all after it. No name: no lines. */
export interface PassedHeaders {
	readonly name: string;
	readonly rest: string;
	readonly ascii: boolean;
}

/**
 * The upstream's header lines as they go to the client, in one piece: each hand-over to the library
 * costs, and it writes what stands between the first name and the last value as it is.
 * @param added lines of the edge's own, as they are written, divided by CRLF; ASCII
 */
export function passedHeaders(
	{ firstName, rest, ascii }: ResponseHead,
	added: string,
): PassedHeaders {
	if (added === "") return { name: firstName, rest, ascii };
	if (firstName !== "") return { name: firstName, rest: `${rest}\r\n${added}`, ascii };
	const colon = added.indexOf(": ");
	return { name: added.slice(0, colon), rest: added.slice(colon + 2), ascii };
}

/** At most so many bytes is what `writeHead` writes, with the lines that the library adds. */
export const headBytes = ({ name, rest }: PassedHeaders): number => name.length + rest.length + 512;

/** Status and header of a passed response. To be called inside a cork, before the body. */
export function writeHead(
	response: HttpResponse,
	statusCode: number,
	{ name, rest, ascii }: PassedHeaders,
): void {
	response.writeStatus(statusLine(statusCode));
	if (name === "") return;
	// Strings are sent as UTF-8; bytes beyond ASCII must not be encoded a second time.
	response.writeHeader(name, ascii ? rest : Buffer.from(rest, "latin1"));
}
