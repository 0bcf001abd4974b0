/**
 * Puts a reply on the wire. Called by `server.ts` once per request.
 *
 * What the HTTP library makes necessary: `endWithoutBody` with a length leaves the connection unusable for
 * the next request, so the length of a body that isn't sent is written as a header line; closing from it
 * writes a wrong length. And where there is no front, a connection that is to be closed is closed only once the answer
 * is on its way; until then requests that were read together with the refused one would still be answered.
 */
import { STATUS_CODES } from "node:http";
import { CORK_BYTES } from "../../http/uws.ts";
import { isForTerminal } from "./accept.ts";
import type { Incoming } from "./incoming.ts";
import { JSON_TYPE, type Reply, type ReplyHeaders } from "./reply.ts";
import type { ApiRequest } from "./request.ts";

/** Of an answer that says nothing else: no cache keeps it, and no browser takes a document for a page or script. */
const WITHOUT_BODY: ReplyHeaders = { "cache-control": "no-store" };
const WITH_BODY: ReplyHeaders = { ...WITHOUT_BODY, "x-content-type-options": "nosniff" };

/** Statuses whose answers end with their header; of all others a client waits for a length. */
const HAS_NONE: ReadonlySet<number> = new Set([204, 304]);

/** What becomes of the connection. */
export type Ending =
	| "open"
	/** the client is to open another one for its next request */
	| "leaving"
	/** nothing that follows on it is taken for a request */
	| "closed";

export function writeReply(
	{ response, request, client }: Pick<Incoming, "response" | "request" | "client">,
	reply: Reply,
	ending: Ending,
): void {
	const { status, headers, contentType = JSON_TYPE } = reply;
	const body = withLineBreak(reply, request);
	const isHead = request.method === "HEAD";
	const isLibrarys = ending === "closed" && !client.isFront;
	// an answer to HEAD has nothing that could be padded, and bytes must not be, so they can't be had with the closing
	if (isLibrarys && (isHead || body instanceof Uint8Array)) {
		response.close();
		return;
	}
	const isLast = ending !== "open";
	response.cork(() => {
		writeFields(response, request, status, body === undefined ? WITHOUT_BODY : WITH_BODY, headers);
		if (body !== undefined) response.writeHeader("content-type", contentType);
		const field = isLast && !isLibrarys ? "close" : client.connectionField;
		if (field !== "") response.writeHeader("connection", field);
		if (isLibrarys) response.end(padded(typeof body === "string" ? body : ""), true);
		else if (body === undefined && (isHead || HAS_NONE.has(status))) response.endWithoutBody();
		else if (isHead) {
			response.writeHeader("content-length", String(Buffer.byteLength(body ?? "")));
			response.endWithoutBody();
		} else response.end(body ?? "");
	});
	client.answered(isLast);
}

/** The header of an answer that goes on, in chunks (`event-stream.ts`). */
export function writeStreamHead(
	{ response, request }: Pick<Incoming, "response" | "request">,
	{ status, headers }: Reply,
	firstChunk: Uint8Array,
): boolean {
	let isTaken = true;
	response.cork(() => {
		writeFields(response, request, status, WITH_BODY, headers);
		isTaken = response.write(firstChunk);
	});
	return isTaken;
}

/** One after the other, not spread into one object: that takes longer than writing them. @param usual unless `fields` have the name */
function writeFields(
	response: Incoming["response"],
	request: ApiRequest,
	status: number,
	usual: ReplyHeaders,
	fields: ReplyHeaders,
): void {
	response.writeStatus(`${status} ${STATUS_CODES[status] ?? ""}`);
	response.writeHeader("request-id", `req_${request.id}`);
	for (const [name, value] of Object.entries(usual))
		if (!Object.hasOwn(fields, name)) writeLines(response, name, value);
	for (const [name, value] of Object.entries(fields)) writeLines(response, name, value);
}

function writeLines(
	response: Incoming["response"],
	name: string,
	value: string | readonly string[],
): void {
	if (typeof value === "string") response.writeHeader(name, value);
	else for (const line of value) response.writeHeader(name, line);
}

/** Without it a shell's prompt stands behind the last brace. Texts other than JSON have theirs. */
const withLineBreak = ({ body, contentType = JSON_TYPE }: Reply, request: ApiRequest) =>
	typeof body === "string" && contentType === JSON_TYPE && isForTerminal(request.headers("accept"))
		? `${body}\n`
		: body;

/** White space behind JSON changes nothing. */
const padded = (body: string): string => body.padEnd(body.length + CORK_BYTES);
