/**
 * Writes responses as HTTP/1.1 requires (RFC 9112 6): no body for HEAD, 204 and 304, `content-length` for a known
 * length, else chunked. Used by `end-request.ts`, `corked-response.ts`, `proxying/` and `server.ts`.
 *
 * The server library forces some detours. It writes `date` itself. `endWithoutBody` with a length leaves the
 * connection unusable, closing from it writes a wrong `content-length`, and closing after chunks breaks the last
 * chunk. So the length of a body that is not sent is written as a header line, and such responses say
 * `connection: close` and leave the closing to the client.
 */
import { asciiLowerCase } from "../../ascii.ts";
import type { HttpResponse } from "../../http/uws.ts";
import type { ResponseHead } from "../../upstream/response-head.ts";
import type { LocalReply } from "./local-replies.ts";
import { beginning, statusLine } from "./status-line.ts";

export const hasNoBody = (method: string, statusCode: number): boolean =>
	statusCode === 204 || statusCode === 304 || method === "HEAD";

/** bytes */
export const contentLength = ({ bytes, content }: LocalReply): number =>
	bytes === undefined ? Buffer.byteLength(content) : bytes.content.byteLength;

const NOTHING = (): void => {};

/**
 * Hot. A whole answer of the edge's own; its headers are validated and hold no framing fields.
 * @param close the connection is closed after it
 */
export function writeReply(
	response: HttpResponse,
	method: string,
	answer: LocalReply,
	close: boolean,
): void {
	const { statusCode, bytes } = answer;
	response.writeStatus(bytes?.head ?? statusLine(statusCode));
	if (bytes === undefined) writeLines(response, answer.headers);
	if (!hasNoBody(method, statusCode)) {
		const content = bytes?.content ?? answer.content;
		// The library may lose the content if the client doesn't read, and then ends the whole process if
		// nobody asked to hear of the connection's end. It closes the connection; nothing is to be done.
		if (content.length > 0) response.onAborted(NOTHING);
		response.end(content, close);
		return;
	}
	if (close) response.writeHeader("connection", "close");
	if (statusCode !== 204 && statusCode !== 304) {
		response.writeHeader("content-length", String(contentLength(answer)));
	}
	response.endWithoutBody();
}

function writeLines(response: HttpResponse, headers: readonly string[]): void {
	for (let index = 0; index < headers.length; index += 2) {
		const name = headers[index] ?? "";
		// A policy's names come in any spelling.
		if (asciiLowerCase(name) !== "date") response.writeHeader(name, headers[index + 1] ?? "");
	}
}

/** Bytes that the library gathers before it sends; more in one piece is sent at once. */
export const CORK_BYTES = 16_384;

/**
 * Answers a request after which nobody knows where the next one begins, and closes so that no further
 * byte of this connection is taken for a request. The library would go on with what it has read already
 * until the answer is sent, hence spaces behind it that make it be sent at once.
 */
export function writeRefusal(response: HttpResponse, method: string, answer: LocalReply): void {
	if (method === "HEAD") {
		response.close();
		return;
	}
	const content = answer.content.padEnd(CORK_BYTES + answer.content.length);
	writeReply(response, method, { ...answer, content, bytes: undefined }, true);
}

/**
 * Header lines that the edge adds to a passed response, divided by CRLF.
 * @param length what its `content-length` said, or -1
 */
export function ownLines(
	method: string,
	statusCode: number,
	length: number,
	close: boolean,
): string {
	// The library writes that of a body that is sent.
	const unsent = statusCode !== 204 && hasNoBody(method, statusCode);
	const told = unsent && length >= 0 ? `content-length: ${length}` : "";
	if (!close) return told;
	return told === "" ? "connection: close" : `connection: close\r\n${told}`;
}

/** Header lines in one piece, as latin1, divided by CRLF. */
export type PassedHeaders = Pick<ResponseHead, "passed" | "ascii">;

/**
 * The upstream's header lines as they go to the client.
 * @param added lines of the edge's own, as they are written, divided by CRLF; ASCII
 * @returns what may be kept, other than `head`
 */
export function passedHeaders({ passed, ascii }: ResponseHead, added: string): PassedHeaders {
	if (added === "") return { passed, ascii };
	return { passed: passed === "" ? added : `${passed}\r\n${added}`, ascii };
}

/** At most so many bytes is what `writeHead` writes, with the lines that the library adds. */
export const headBytes = ({ passed }: PassedHeaders): number => passed.length + 512;

/** Status and header of a passed response. To be called inside a cork, before the body. */
export function writeHead(
	response: HttpResponse,
	statusCode: number,
	{ passed, ascii }: PassedHeaders,
): void {
	const text = beginning(statusCode, passed);
	// Strings are sent as UTF-8; bytes beyond ASCII must not be encoded a second time.
	response.writeStatus(ascii ? text : Buffer.from(text, "latin1"));
}

/**
 * Whether `writeWhole` may write it: the body is as long as it was said to be (-1: unsaid), and head and body
 * leave the library in one piece, which might lose what its buffer doesn't hold.
 */
export const fitsOnePiece = (head: PassedHeaders, length: number, body: Uint8Array): boolean =>
	(length < 0 || length === body.byteLength) && headBytes(head) + body.byteLength <= CORK_BYTES;

// What is corked is written before `cork` returns, so one function does for all requests.
let whole: { response: HttpResponse; statusCode: number; head: PassedHeaders; body: Uint8Array };
const writeCorked = (): void => {
	const { response, statusCode, head, body } = whole;
	writeHead(response, statusCode, head);
	response.end(body);
};

/** Hot. A passed response that `fitsOnePiece`, from outside of handlers. It has ended then. */
export function writeWhole(
	response: HttpResponse,
	statusCode: number,
	head: PassedHeaders,
	body: Uint8Array,
): void {
	whole = { response, statusCode, head, body };
	response.cork(writeCorked);
}
