/**
 * What HTTP and RFC 6455 say of a change of protocol: the lists in `connection` and `upgrade`, the key of a WebSocket
 * and its answer. Used by `edge/tunnels/`.
 */
import { createHash } from "node:crypto";
import { asciiLowerCase } from "../ascii.ts";

export const WEBSOCKET = "websocket";

/** RFC 6455 1.3 */
const ACCEPT_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/** 16 bytes in base64: the last character carries two bits, which RFC 4648 has be zero beyond them */
const KEY = /^[A-Za-z0-9+/]{21}[AQgw]==$/;
/** RFC 9110 7.8: `websocket`, `HTTP/2.0` */
const PROTOCOL = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+(?:\/[!#$%&'*+\-.^_`|~0-9A-Za-z]+)?$/;
/**
 * Protocols that carry requests. Whoever speaks one within a tunnel asks the backend past all rules of the route, so
 * weir asks for none of them, whatever the client does. `h2c-14`: drafts of HTTP/2, which some servers still speak.
 */
const CARRIES_REQUESTS = /^(?:h2c?(?:-\d+)?|http|https|tls|ssl)(?:\/|$)/;

/** Elements of a list over several lines (RFC 9110 5.6.1), in lower case. */
export function elementsOf(lines: readonly string[]): string[] {
	const elements: string[] = [];
	for (const line of lines) {
		for (const part of line.split(",")) {
			const element = asciiLowerCase(part.trim());
			if (element !== "") elements.push(element);
		}
	}
	return elements;
}

/** Protocols that a client asks for and that may be asked for at a backend, in lower case. */
export const protocolsIn = (lines: readonly string[]): string[] =>
	elementsOf(lines).filter((each) => PROTOCOL.test(each) && !CARRIES_REQUESTS.test(each));

export const isWebSocketKey = (text: string): boolean => KEY.test(text);

/** What the server of a WebSocket answers to a key, in `sec-websocket-accept`. */
export const acceptFor = (key: string): string =>
	createHash("sha1")
		.update(key + ACCEPT_SUFFIX)
		.digest("base64");
