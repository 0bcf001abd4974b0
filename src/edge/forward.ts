/**
 * The header that goes upstream (contract 6): the client's lines in their order with their duplicates,
 * without what belongs to the client's connection, and with what says who it was. Hot.
 */
import { HOP_BY_HOP } from "../fields.ts";
import type { Exchange } from "./exchange.ts";
import { utf8Bytes } from "./header-lines.ts";

/** Beyond the connection's own fields: framing is the upstream client's, `expect` has been answered. */
const DROPPED: ReadonlySet<string> = new Set([
	...HOP_BY_HOP,
	"content-length",
	"expect",
	"http2-settings",
]);
const FORWARDED: ReadonlySet<string> = new Set([
	"x-forwarded-for",
	"x-forwarded-proto",
	"x-forwarded-host",
]);

/** Names in `connection` fields, lower case; undefined in the usual case that there are none of interest. */
export function namedInConnection(lines: readonly string[]): ReadonlySet<string> | undefined {
	let named: Set<string> | undefined;
	for (const line of lines) {
		if (line === "keep-alive" || line === "close") continue;
		named ??= new Set();
		for (const token of line.split(",")) named.add(token.trim().toLowerCase());
	}
	// The message would be nobody's without it; a client can't have it taken off.
	named?.delete("host");
	return named;
}

/**
 * @param hostHeader of the backend; an authority that a url-rewrite put in comes before it
 * @returns name, value, name, value, …; values as latin1 strings of the bytes to send
 */
export function forwardHeaders(exchange: Exchange, hostHeader: string | undefined): string[] {
	const { headers } = exchange.arrival;
	const lines = exchange.requestHeaders;
	const host = exchange.rewrittenAuthority ?? hostHeader;
	const trusted = exchange.peerTrusted;
	const named = namedInConnection(lines.lines("connection"));
	const forward: string[] = [];
	for (let index = 0; index < headers.length; index += 2) {
		const name = headers[index] ?? "";
		if (DROPPED.has(name) || FORWARDED.has(name) || named?.has(name) === true) continue;
		const value = name === "host" && host !== undefined ? host : (headers[index + 1] ?? "");
		forward.push(name, utf8Bytes(value));
	}
	// A trusted peer has the say on what it was asked; anybody else's claims are replaced.
	const claimed = (name: string): string | undefined =>
		trusted ? lines.lines(name)[0] : undefined;
	const chain = trusted ? lines.lines("x-forwarded-for") : [];
	forward.push(
		"x-forwarded-for",
		chain.length > 0 ? utf8Bytes([...chain, exchange.peer].join(", ")) : exchange.peer,
		"x-forwarded-proto",
		utf8Bytes(claimed("x-forwarded-proto") ?? exchange.door.scheme),
		"x-forwarded-host",
		utf8Bytes(claimed("x-forwarded-host") ?? lines.lines("host")[0] ?? ""),
		"via",
		"1.1 weir",
	);
	return forward;
}
