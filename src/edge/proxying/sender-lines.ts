/**
 * The lines that tell a backend who the client is (contract 6): those of a stranger's request replace what it says of
 * itself, a trusted proxy's are kept or extended. Hot. Called by `upstream-header.ts`.
 */
import { ownCopy } from "../../own-copy.ts";
import type { Exchange } from "../exchange.ts";
import { utf8Bytes } from "../request/header-lines.ts";
import { PSEUDONYM } from "./loops.ts";

const VIA = `via: 1.1 ${PSEUDONYM}\r\n`;
const VIA_HTTP10 = `via: 1.0 ${PSEUDONYM}\r\n`;

/** @returns lines, each `name: value\r\n`, a character a byte */
export function senderLines(exchange: Exchange): string {
	if (exchange.peerTrusted) {
		const lines = extended(exchange);
		return exchange.head.ascii ? lines : utf8Bytes(lines);
	}
	// Of another version a client's next request may be.
	return exchange.client.isHttp10 ? replaced(exchange) : remembered(exchange);
}

/**
 * What a connection's requests to one host say is the same for all of them. The second of them leaves it at the connection, so
 * that those who ask once cost nothing more.
 */
function remembered(exchange: Exchange): string {
	const { client, head } = exchange;
	const { asked } = client;
	if (asked === undefined) return replaced(exchange);
	if (asked.last !== head.authority) {
		asked.last = head.authority;
		asked.lines = "";
		return replaced(exchange);
	}
	if (asked.lines === "") asked.lines = ownCopy(replaced(exchange));
	return asked.lines;
}

/** Lines about the client for a peer that is not trusted: what it says about the client is replaced. ASCII, as hosts are. */
const replaced = ({ peer, listenerContext, head, client }: Exchange): string =>
	linesOf(peer, listenerContext.scheme, head.host, client.isHttp10);

/** Lines about the client for a trusted peer: its lines are kept or extended, `forwarded` (RFC 7239) passes as it is. */
function extended({ peer, listenerContext, head, client }: Exchange): string {
	// what a policy has changed says nothing about the client
	const requestHeaders = head.lines;
	const chain = requestHeaders.lines("x-forwarded-for");
	let forwarded = "";
	for (const line of requestHeaders.lines("forwarded")) forwarded += `forwarded: ${line}\r\n`;
	const own = linesOf(
		chain.length > 0 ? `${chain.join(", ")}, ${peer}` : peer,
		requestHeaders.lines("x-forwarded-proto")[0] ?? listenerContext.scheme,
		requestHeaders.lines("x-forwarded-host")[0] ?? head.host,
		client.isHttp10,
	);
	return forwarded + own;
}

/** `via` names the version in which the request came (RFC 9110 7.6.3), not the one in which it goes on. */
const linesOf = (chain: string, scheme: string, host: string, isHttp10: boolean): string =>
	`x-forwarded-for: ${chain}\r\nx-forwarded-proto: ${scheme}\r\nx-forwarded-host: ${host}\r\n${isHttp10 ? VIA_HTTP10 : VIA}`;
