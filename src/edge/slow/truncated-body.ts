/**
 * Whether a client whose socket is paused has left before its body was complete. The server library does not look at
 * a paused socket and misses its end. The kernel knows the end and how many bytes are left before it. A client that
 * closed its side after the whole body waits for its answer, and is not truncated. Used by `request/client-body.ts`.
 */
import type { Exchange } from "../exchange.ts";

/**
 * @param length of the body, bytes; -1: chunked
 * @returns true if it can't become complete any more
 */
export const isTruncated = (exchange: Exchange, length: number): boolean => {
	const { client, bodyBytesIn, listenerContext } = exchange;
	// With TLS the kernel's bytes are not the body's bytes.
	if (listenerContext.scheme !== "http") return false;
	const left = client.bytesBeforeEnd();
	if (left < 0) return false;
	return length < 0 ? left === 0 : bodyBytesIn + left < length;
};
