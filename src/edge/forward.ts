/**
 * The header that goes upstream (contract 6): the client's lines in their order with their duplicates,
 * without what belongs to the client's connection, and with what says who it was. Hot.
 */
import { HOP_BY_HOP, namedInConnection } from "../fields.ts";
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

/**
 * @param hostHeader of the backend; an authority that a url-rewrite put in comes before it
 * @returns lines, each `name: value\r\n`, as a latin1 string of the bytes to send
 */
export function forwardHeaders(exchange: Exchange, hostHeader: string | undefined): string {
	const { headers } = exchange.arrival;
	const lines = exchange.requestHeaders;
	const host = exchange.rewrittenAuthority ?? hostHeader;
	const trusted = exchange.peerTrusted;
	const named = namedInConnection(lines.lines("connection"));
	let forward = "";
	for (let index = 0; index < headers.length; index += 2) {
		const name = headers[index] ?? "";
		if (DROPPED.has(name) || FORWARDED.has(name) || named?.has(name) === true) continue;
		const value = name === "host" && host !== undefined ? host : (headers[index + 1] ?? "");
		forward += `${name}: ${value}\r\n`;
	}
	// A trusted peer has the say on what it was asked; anybody else's claims are replaced.
	const claimed = (name: string): string | undefined =>
		trusted ? lines.lines(name)[0] : undefined;
	const chain = trusted ? lines.lines("x-forwarded-for") : [];
	const peer = chain.length > 0 ? [...chain, exchange.peer].join(", ") : exchange.peer;
	const scheme = claimed("x-forwarded-proto") ?? exchange.door.scheme;
	const asked = claimed("x-forwarded-host") ?? lines.lines("host")[0] ?? "";
	forward += `x-forwarded-for: ${peer}\r\nx-forwarded-proto: ${scheme}\r\n`;
	forward += `x-forwarded-host: ${asked}\r\nvia: 1.1 weir\r\n`;
	return utf8Bytes(forward);
}
