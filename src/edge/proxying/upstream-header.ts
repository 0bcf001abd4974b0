/**
 * The header that goes upstream (contract 6): the client's lines in their order and with their duplicates, without
 * the lines of the client's connection, and with lines that say who the client is. Hot. Called by
 * `upstream-request.ts`.
 */
import { asciiLowerCase } from "../../ascii.ts";
import { isOwn } from "../../http/fields.ts";
import type { Exchange } from "../exchange.ts";
import type { HeaderChanges } from "../headers/header-changes.ts";
import { utf8Bytes } from "../request/header-lines.ts";
import { PSEUDONYM } from "./loops.ts";

const VIA = `via: 1.1 ${PSEUDONYM}\r\n`;
const VIA_HTTP10 = `via: 1.0 ${PSEUDONYM}\r\n`;

/**
 * @param hostHeader of the backend; an authority that a url-rewrite put in comes before it
 * @returns lines, each `name: value\r\n`, as a latin1 string of the bytes to send
 */
export function upstreamHeader(exchange: Exchange, hostHeader: string | undefined): string {
	const { lines: received, ascii } = exchange.head;
	const { requestChanges, newHost } = exchange;
	const host = newHost?.line ?? exchange.rewrittenAuthority ?? hostHeader;
	const forward = received.forwarded(host === undefined ? undefined : utf8Bytes(host));
	const sender = exchange.peerTrusted ? extended(exchange) : replaced(exchange);
	const kept = requestChanges === undefined ? forward : changed(forward, requestChanges);
	const lines = kept + (ascii ? sender : utf8Bytes(sender));
	return exchange.carrier?.onward(exchange, lines) ?? lines;
}

/** Added lines come before those about the client, which nobody else writes. @param lines bytes, as is what is returned */
function changed(lines: string, changes: HeaderChanges): string {
	let added = "";
	for (const [name, value] of changes.added) {
		if (!isOwn(asciiLowerCase(name))) added += `${name}: ${value}\r\n`;
	}
	return changes.without(lines) + utf8Bytes(added);
}

/** Lines about the client for a peer that is not trusted: what it says about the client is replaced. */
const replaced = ({ peer, listenerContext, head, client }: Exchange): string =>
	senderLines(peer, listenerContext.scheme, head.host, client.isHttp10);

/** Lines about the client for a trusted peer: its lines are kept or extended, `forwarded` (RFC 7239) passes as it is. */
function extended({ peer, listenerContext, head, client }: Exchange): string {
	// what a policy has changed says nothing about the client
	const requestHeaders = head.lines;
	const chain = requestHeaders.lines("x-forwarded-for");
	let forwarded = "";
	for (const line of requestHeaders.lines("forwarded")) forwarded += `forwarded: ${line}\r\n`;
	const own = senderLines(
		chain.length > 0 ? `${chain.join(", ")}, ${peer}` : peer,
		requestHeaders.lines("x-forwarded-proto")[0] ?? listenerContext.scheme,
		requestHeaders.lines("x-forwarded-host")[0] ?? head.host,
		client.isHttp10,
	);
	return forwarded + own;
}

/** `via` names the version in which the request came (RFC 9110 7.6.3), not the one in which it goes on. */
const senderLines = (chain: string, scheme: string, host: string, isHttp10: boolean): string =>
	`x-forwarded-for: ${chain}\r\nx-forwarded-proto: ${scheme}\r\nx-forwarded-host: ${host}\r\n${isHttp10 ? VIA_HTTP10 : VIA}`;
