/**
 * The part of the addon that stands between clients' sockets and the server library (native/README.md, "The front").
 * Its typed face is `http/front.ts`. A part of `NativeAddon` (`native-addon.ts`).
 */

/** What the front reads of a client, and how long it waits. */
export interface FrontBounds {
	readonly headBytes: number;
	readonly targetBytes: number;
	readonly lines: number;
	readonly headerMs: number;
	readonly idleMs: number;
	readonly lingerMs: number;
	readonly waitingBytes: number;
	readonly lingerBytes: number;
}

/** Since the front began. */
export interface FrontCounts {
	/** closed because nothing came in time */
	readonly silent: number;
	/** closed because the client did not read an answer that was complete */
	readonly unread: number;
}

/** Connections are numbers, which are never used again. A number of a connection that is closed is no mistake. */
export interface FrontAddon {
	/**
	 * Once in a process.
	 * @param turns a byte for each connection (`frontLayout.pending`, `.badBody`); there are never more connections
	 * @param numbers @param address of the request that was taken last
	 * @returns false if this library, or this Node, has no way to its sockets
	 */
	openFront(file: string, turns: Uint8Array, numbers: Float64Array, address: Uint8Array): boolean;
	/**
	 * To be called before the listener's first connection.
	 * @param token what `listen` handed over @returns false if the library's handlers can't be learnt
	 */
	hookFront(token: object, tls: boolean, bounds: FrontBounds): boolean;
	/** To be called in a request's handler. @returns its text (native/src/front/request_text.h) */
	takeRequest(): string | undefined;
	/** @returns true if `runFront` is to be called, soon and not from within a handler or a cork */
	answeredRequest(connection: number, last: boolean): boolean;
	runFront(): void;
	tickFront(): void;
	pauseClient(connection: number, paused: boolean): void;
	/** To be called after a write that the socket did not take: with that the library reads it again, paused or not. */
	keepPaused(connection: number): void;
	writeContinue(connection: number): void;
	/** @returns how many of the bytes the socket took */
	writeClient(connection: number, bytes: Uint8Array): number;
	portOfClient(connection: number): number;
	/** The kernel keeps twice as much. */
	boundReads(connection: number, bytes: number): void;
	/** @returns bytes that the client has acknowledged since it connected; -1: not known */
	acknowledgedBytes(connection: number): number;
	/** @returns bytes left to be read of a client that will send no more; -1: it may, or nobody knows */
	bytesBeforeEnd(connection: number): number;
	frontCounts(): FrontCounts;
	/** connections that have sent nothing yet, or a part of a request header */
	beginningClients(): number;
}

type FrontNumber =
	| "kind"
	| "handle"
	| "slot"
	| "flags"
	| "method"
	| "lines"
	| "forwarded"
	| "hostAt"
	| "hostBytes"
	| "targetBytes"
	| "queryAt"
	| "bodyLength"
	| "addressBytes"
	| "port"
	| "openedMs";

/** Which number of the last request is what, what its kind and flags say, and what a connection's byte says. */
export type FrontLayout = Readonly<
	Record<
		| FrontNumber
		| "numbers"
		| "addressBytesMax"
		| "kindPlain"
		| "kindLines"
		| "kindRefusal"
		| "fresh"
		| "expectsContinue"
		| "http10"
		| "proxied"
		| "last"
		| "pending"
		| "badBody",
		number
	>
>;
