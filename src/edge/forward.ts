/**
 * The header that goes upstream (contract 6): the client's lines in their order with their duplicates,
 * without what belongs to the client's connection, and with what says who it was. Hot.
 */
import { namedInConnection } from "../fields.ts";
import type { Exchange } from "./exchange.ts";
import { utf8Bytes } from "./header-lines.ts";

/**
 * Whether a field isn't passed on as it came: it belongs to the connection, framing is the upstream client's,
 * `expect` has been answered, and who sent the request is said by the edge. By length first, because most
 * names have one that none of these has; a set would have to hash each name.
 */
function isOwn(name: string): boolean {
	switch (name.length) {
		case 2:
			return name === "te";
		case 6:
			return name === "expect";
		case 7:
			return name === "upgrade" || name === "trailer";
		case 10:
			return name === "connection" || name === "keep-alive";
		case 14:
			return name === "content-length" || name === "http2-settings";
		case 15:
			return name === "x-forwarded-for";
		case 16:
			return name === "proxy-connection" || name === "x-forwarded-host";
		case 17:
			return name === "transfer-encoding" || name === "x-forwarded-proto";
		case 18:
			return name === "proxy-authenticate";
		case 19:
			return name === "proxy-authorization";
		default:
			return false;
	}
}

/**
 * @param hostHeader of the backend; an authority that a url-rewrite put in comes before it
 * @returns lines, each `name: value\r\n`, as a latin1 string of the bytes to send
 */
export function forwardHeaders(exchange: Exchange, hostHeader: string | undefined): string {
	const { headers, ascii, connectionOptions } = exchange.arrival;
	const host = exchange.rewrittenAuthority ?? hostHeader;
	const named = connectionOptions
		? namedInConnection(exchange.requestHeaders.lines("connection"))
		: undefined;
	let forward = "";
	for (let index = 0; index < headers.length; index += 2) {
		const name = headers[index] ?? "";
		if (isOwn(name) || named?.has(name) === true) continue;
		const value = host !== undefined && name === "host" ? host : (headers[index + 1] ?? "");
		forward += `${name}: ${value}\r\n`;
	}
	forward += exchange.peerTrusted ? extended(exchange) : replaced(exchange);
	return ascii && hostHeader === undefined ? forward : utf8Bytes(forward);
}

/** Anybody's claims on who asked whom for what are replaced, */
const replaced = ({ peer, door, arrival }: Exchange): string =>
	senderLines(peer, door.scheme, arrival.host);

/** but a trusted peer has the say on it. */
function extended({ peer, door, arrival, requestHeaders }: Exchange): string {
	const chain = requestHeaders.lines("x-forwarded-for");
	return senderLines(
		chain.length > 0 ? `${chain.join(", ")}, ${peer}` : peer,
		requestHeaders.lines("x-forwarded-proto")[0] ?? door.scheme,
		requestHeaders.lines("x-forwarded-host")[0] ?? arrival.host,
	);
}

const senderLines = (chain: string, scheme: string, host: string): string =>
	`x-forwarded-for: ${chain}\r\nx-forwarded-proto: ${scheme}\r\nx-forwarded-host: ${host}\r\nvia: 1.1 weir\r\n`;
