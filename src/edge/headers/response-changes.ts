/**
 * Applies header changes to a response on its way to the client: an upstream's, whose lines are one text, or a reply of
 * the edge. Used by `phases/policy-replies.ts`, `proxying/` and `replay/changes.ts`.
 */
import type { ClientResponse } from "../../http/client-response.ts";
import { NOT_ASCII } from "../../http/fields.ts";
import type { WholeResponse } from "../../upstream/response-head.ts";
import { utf8Bytes } from "../request/header-lines.ts";
import type { LocalReply } from "../response/local-replies.ts";
import type { PassedHeaders } from "../response/write-response.ts";
import type { HeaderChanges } from "./header-changes.ts";

/** @param lines of an upstream's response, divided by CRLF */
export function changedLines(
	lines: PassedHeaders,
	changes: HeaderChanges | undefined,
): PassedHeaders {
	if (changes === undefined) return lines;
	const left = lines.passed === "" ? "" : changes.without(`${lines.passed}\r\n`);
	let text = left;
	for (const [name, value] of changes.added) text += `${name}: ${utf8Bytes(value)}\r\n`;
	const ascii = lines.ascii && !NOT_ASCII.test(text.slice(left.length));
	return { passed: text.slice(0, -2), ascii };
}

/** Hot. @returns lines that may be kept; undefined: as they came, from where they are */
export function wholeHead(
	response: ClientResponse,
	whole: WholeResponse,
	changes: HeaderChanges | undefined,
): PassedHeaders | undefined {
	const staysThere = whole.record >= 0 && response.sendRecord !== undefined;
	if (changes === undefined && staysThere) return undefined;
	return changedLines({ passed: whole.passed, ascii: whole.ascii }, changes);
}

export function changedReply(reply: LocalReply, changes: HeaderChanges | undefined): LocalReply {
	if (changes === undefined) return reply;
	const headers: string[] = [];
	for (let index = 0; index < reply.headers.length; index += 2) {
		const line = `${reply.headers[index]}: ${reply.headers[index + 1]}\r\n`;
		if (changes.without(line) === line) {
			headers.push(reply.headers[index] ?? "", reply.headers[index + 1] ?? "");
		}
	}
	for (const [name, value] of changes.added) headers.push(name, value);
	// bytes hold the lines as they were
	const { statusCode, code, content } = reply;
	return { statusCode, code, headers, content, bytes: undefined };
}
