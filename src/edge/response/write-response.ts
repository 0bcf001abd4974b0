/**
 * Writes responses as HTTP/1.1 requires (RFC 9112 6): no body for HEAD, 204 and 304, `content-length` for a known
 * length, else chunked. Used by `end-request.ts`, `corked-response.ts`, `proxying/`, `server.ts` and `exchange.ts`.
 *
 * The server library forces some detours. It writes `date` itself. `endWithoutBody` with a length leaves the
 * connection unusable, closing from it writes a wrong `content-length`, and closing after chunks breaks the last
 * chunk. So the length of a body that is not sent is written as a header line, and such responses say
 * `connection: close` and leave the closing to the client.
 */
import { asciiLowerCase } from "../../ascii.ts";
import type { ClientConnection, ConnectionField } from "../../http/client-connection.ts";
import type { ClientResponse } from "../../http/client-response.ts";
import { CORK_BYTES } from "../../http/uws.ts";
import type { ResponseHead, WholeResponse } from "../../upstream/response-head.ts";
import type { LocalReply } from "./local-replies.ts";
import { beginning, statusLine } from "./status-line.ts";

export const hasNoBody = (method: string, statusCode: number): boolean =>
	statusCode === 204 || statusCode === 304 || method === "HEAD";

/**
 * Bytes of a backend's body, as expressions read them.
 * @param length what its `content-length` said, or -1 @returns -1: only the body's end will tell
 */
export const announcedLength = (method: string, statusCode: number, length: number): number =>
	length < 0 && hasNoBody(method, statusCode) ? 0 : length;

/** bytes */
export const contentLength = ({ bytes, content }: LocalReply): number =>
	bytes === undefined ? Buffer.byteLength(content) : bytes.content.byteLength;

const NOTHING = (): void => {};

/** Who ends connections: the front, or the library. */
type Closing = Pick<ClientConnection, "isFront" | "connectionField" | "answered">;

/**
 * Hot. Writes a whole local reply. Its headers are validated and hold no framing fields.
 * @param close the connection is closed after it
 */
export function writeReply(
	response: ClientResponse,
	method: string,
	reply: LocalReply,
	close: boolean,
	client: Closing,
): void {
	const { statusCode, bytes } = reply;
	const isLibrarys = close && !client.isFront;
	const field = close && client.isFront ? "close" : client.connectionField;
	if (response.sendText !== undefined && bytes !== undefined && !close && field === "") {
		if (!hasNoBody(method, statusCode)) {
			response.sendText(bytes.text);
			client.answered(false);
			return;
		}
	}
	response.writeStatus(bytes?.head ?? statusLine(statusCode));
	if (bytes === undefined) writeLines(response, reply.headers);
	if (field !== "") response.writeHeader("connection", field);
	if (!hasNoBody(method, statusCode)) {
		const content = bytes?.content ?? reply.content;
		// If the client does not read, the library may lose the content, close the connection, and then end the whole
		// process unless there is a handler for the connection's end. The handler has nothing to do.
		if (content.length > 0) response.onAborted(NOTHING);
		response.end(content, isLibrarys);
		client.answered(close);
		return;
	}
	if (isLibrarys) response.writeHeader("connection", "close");
	if (statusCode !== 204 && statusCode !== 304) {
		response.writeHeader("content-length", String(contentLength(reply)));
	}
	response.endWithoutBody();
	client.answered(close);
}

function writeLines(response: ClientResponse, headers: readonly string[]): void {
	for (let index = 0; index < headers.length; index += 2) {
		const name = headers[index] ?? "";
		// Names that come from a policy may have any case.
		if (asciiLowerCase(name) !== "date") response.writeHeader(name, headers[index + 1] ?? "");
	}
}

/**
 * Where there is no front: replies to a request whose end is not known, and closes, so that no further byte of this connection is taken for
 * a request. The library would go on with bytes that it has read already until the reply is sent. Spaces behind the
 * reply make the library send it at once.
 */
export function writeRefusal(
	response: ClientResponse,
	method: string,
	reply: LocalReply,
	client: Closing,
): void {
	if (method === "HEAD") {
		response.close();
		return;
	}
	const content = reply.content.padEnd(CORK_BYTES + reply.content.length);
	writeReply(response, method, { ...reply, content, bytes: undefined }, true, client);
}

/**
 * Header lines that the edge adds to a passed response, divided by CRLF.
 * @param length what its `content-length` said, or -1
 * @param connection what the field of this name says; empty: there is none
 */
export function ownLines(
	method: string,
	statusCode: number,
	length: number,
	connection: ConnectionField,
): string {
	// If the body is sent, the library writes its length.
	const unsent = statusCode !== 204 && hasNoBody(method, statusCode);
	const told = unsent && length >= 0 ? `content-length: ${length}` : "";
	if (connection === "") return told;
	return told === "" ? `connection: ${connection}` : `connection: ${connection}\r\n${told}`;
}

/** Header lines in one piece, as latin1, divided by CRLF. */
export type PassedHeaders = Pick<ResponseHead, "passed" | "ascii">;

/**
 * The upstream's header lines as they go to the client.
 * @param added lines of the edge's own, as they are written, divided by CRLF; ASCII
 * @returns lines that may be kept, which `head` may not
 */
export function passedHeaders({ passed, ascii }: ResponseHead, added: string): PassedHeaders {
	if (added === "") return { passed, ascii };
	return { passed: passed === "" ? added : `${passed}\r\n${added}`, ascii };
}

/** Upper bound of the bytes that `writeHead` writes, with the lines that the library adds. */
export const headBytes = (passedBytes: number): number => passedBytes + 512;

/** Status and header of a passed response. To be called inside a cork, before the body. */
export function writeHead(
	response: ClientResponse,
	statusCode: number,
	{ passed, ascii }: PassedHeaders,
): void {
	const text = beginning(statusCode, passed);
	// Strings are sent as UTF-8; bytes beyond ASCII must not be encoded a second time.
	response.writeStatus(ascii ? text : Buffer.from(text, "latin1"));
}

/**
 * Whether `writeWhole` may write a response: the body has the announced length (-1: none was announced), and head
 * and body fit the library's buffer, because the library may lose what exceeds it.
 */
export const fitsOnePiece = (passedBytes: number, length: number, bodyBytes: number): boolean =>
	(length < 0 || length === bodyBytes) && headBytes(passedBytes) + bodyBytes <= CORK_BYTES;

/**
 * Hot. Writes and ends a backend's response that `fitsOnePiece`. To be called outside of handlers.
 * @param head its lines; undefined: as they came, from where they are
 */
export function writeWhole(
	response: ClientResponse,
	statusCode: number,
	head: PassedHeaders | undefined,
	whole: WholeResponse,
): void {
	if (head === undefined) {
		response.sendRecord?.(statusLine(statusCode), whole.record);
		return;
	}
	response.cork(() => {
		writeHead(response, statusCode, head);
		response.end(whole.body());
	});
}
