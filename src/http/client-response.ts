/**
 * A response on its way to a client, as those write it who serve requests (`edge/`, `management/`): the front's,
 * where there is one, or the server library's own where there is no front, which has these methods and more.
 *
 * What is written goes out in the order of the calls: `writeStatus` and `writeHeader` first, then either one `end` or
 * `endWithoutBody`, or `write` until `end` (in chunks), or `tryEnd` until it has taken the whole of a known length.
 * After its end, and after `onAborted` was called, a response is not to be touched any more.
 */

import type { BackendPort, PortTunnel, Tunnel, TunnelStart } from "./tunnel.ts";

/** Bytes of a request's body, of no meaning when the handler has returned. */
export type BodyChunk = ArrayBuffer | Uint8Array;

/** Who hears that a client has gone. */
export interface Leaver {
	clientLeft(): void;
}

export interface ClientResponse {
	/** Calls `write` before it returns. What is written within goes out in one piece, where the library writes it. */
	cork(write: () => void): unknown;
	/** @param status `404 Not Found`, maybe with header lines behind it, divided by CRLF; text is ASCII */
	writeStatus(status: string | Uint8Array): unknown;
	writeHeader(name: string, value: string | Uint8Array): unknown;
	/** A chunk of a body whose length nobody knows. @returns false: the socket is full; what it did not take is kept */
	write(chunk: Uint8Array): boolean;
	/**
	 * A piece of a body of `total` bytes. What the socket did not take is not kept (`getWriteOffset`).
	 * @returns whether the socket took all of it, and whether the response has ended with it
	 */
	tryEnd(chunk: Uint8Array, total: number): [boolean, boolean];
	/** @returns bytes of the body that `tryEnd` has taken */
	getWriteOffset(): number;
	/**
	 * @param body with its length, or nothing behind chunks; text is sent as UTF-8
	 * @param closeConnection for the library; the front is told by `ClientConnection.answered`
	 */
	end(body?: string | Uint8Array, closeConnection?: boolean): unknown;
	/**
	 * Only the front's. Hot. A whole answer as latin1: status code and reason, lines of its own but `date`, each with
	 * CRLF behind it, an empty line, and the body. In place of all of these calls.
	 */
	sendText?(text: string): void;
	/**
	 * Only the front's. Hot. A backend's whole answer, in place of all of these calls: its lines, its length and its body
	 * as they are in a record of the native client's, which must be read while it is valid.
	 * @param status `200 OK` @param record `WholeResponse.record`
	 */
	sendRecord?(status: string, record: number): void;
	/**
	 * Only the front's. In place of all of these calls: the answer to a request that asked to upgrade is 101, and its
	 * connection a tunnel. Bytes that came with either head are its first. `onAborted` is not called any more.
	 * @param backend what `ResponseSink.onUpgrade` was given, number of the native client's call
	 * @returns undefined, and nothing was done: the client has gone, or the backend's connection has
	 */
	openTunnel?(start: TunnelStart, backend: number): Tunnel | undefined;
	/** As `openTunnel`, for a backend that JS carries. */
	openPortTunnel?(start: TunnelStart, backend: BackendPort): PortTunnel | undefined;
	/** Of HEAD, 204, 304: says nothing of a length. */
	endWithoutBody(): unknown;
	/** @param handler called when a socket that was full has room again; false: it is full once more */
	onWritable(handler: (offset: number) => boolean): unknown;
	/** @param handler called once, if the connection goes before the response has ended, by `close` as well */
	onAborted(handler: () => void): unknown;
	/** Only the front's. As `onAborted`, without a function for each request. */
	onLeaving?(leaver: Leaver): void;
	/** To be called while the request's handler runs. @param handler called with an empty chunk where there is no body */
	onData(handler: (chunk: BodyChunk, isLast: boolean) => void): unknown;
	/** Ends the connection at once. */
	close(): unknown;
}

const telling = (leaver: Leaver) => (): void => leaver.clientLeft();

/** As `ClientResponse.onAborted`, for a request that is more than a function. */
export function tellLeaving(response: ClientResponse, leaver: Leaver): void {
	if (response.onLeaving !== undefined) response.onLeaving(leaver);
	else response.onAborted(telling(leaver));
}

/** The same memory as bytes: nothing is copied. */
export const bytesOf = (chunk: BodyChunk): Uint8Array =>
	chunk instanceof Uint8Array ? chunk : new Uint8Array(chunk);
