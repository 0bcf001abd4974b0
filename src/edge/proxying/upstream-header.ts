/**
 * The header that goes upstream (contract 6): the client's lines in their order and with their duplicates, without
 * the lines of the client's connection, and with lines that say who the client is. Hot. Called by
 * `upstream-request.ts`, and by `explain/` and `replay/` for what it would be.
 */
import { asciiLowerCase } from "../../ascii.ts";
import { isOwn } from "../../http/fields.ts";
import type { Exchange } from "../exchange.ts";
import type { HeaderChanges } from "../headers/header-changes.ts";
import { utf8Bytes } from "../request/header-lines.ts";
import { senderLines } from "./sender-lines.ts";

/**
 * @param hostHeader of the backend; an authority that a url-rewrite put in comes before it
 * @returns lines, each `name: value\r\n`, as a latin1 string of the bytes to send
 */
export const upstreamHeader = (exchange: Exchange, hostHeader: string | undefined): string =>
	clientLines(exchange, hostHeader) + moreLines(exchange);

/** The first part of it: what came from the client, and what rules have added; all of it, where more is named than the client. */
export function clientLines(exchange: Exchange, hostHeader: string | undefined): string {
	const { requestChanges, newHost, carrier } = exchange;
	const host = newHost?.line ?? exchange.rewrittenAuthority ?? hostHeader;
	const forward = exchange.head.lines.forwarded(host === undefined ? undefined : utf8Bytes(host));
	const lines = requestChanges === undefined ? forward : changed(forward, requestChanges);
	return carrier === undefined ? lines : carrier.onward(exchange, lines + senderLines(exchange));
}

/** The second part of it, which `clientLines` has already where a carrier acts. */
export const moreLines = (exchange: Exchange): string =>
	exchange.carrier === undefined ? senderLines(exchange) : "";

/** Added lines come before those about the client, which nobody else writes. @param lines bytes, as is what is returned */
function changed(lines: string, changes: HeaderChanges): string {
	let added = "";
	for (const [name, value] of changes.added) {
		if (!isOwn(asciiLowerCase(name))) added += `${name}: ${value}\r\n`;
	}
	return changes.without(lines) + utf8Bytes(added);
}
