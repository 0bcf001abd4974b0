/**
 * Whether a client whose socket is paused has left. The library doesn't look at a paused socket, so that
 * an end goes unseen; the kernel knows it, and how many bytes are still to be read before it. Used by `client-body.ts`.
 * An end behind the whole body is in order: the client waits for its answer.
 */
import type { Exchange } from "../exchange.ts";

/**
 * @param length of the body, bytes; -1: chunked
 * @returns true if it can't become complete any more
 */
export const isTruncated = (exchange: Exchange, length: number): boolean => {
	const { requestView, response, bodyBytesIn, listenerContext } = exchange;
	// What the kernel holds of TLS are not the body's bytes.
	if (requestView === undefined || listenerContext.scheme !== "http") return false;
	const left = requestView.bytesBeforeEnd(response);
	if (left < 0) return false;
	return length < 0 ? left === 0 : bodyBytesIn + left < length;
};
