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

/** How many connections there may be; 0: any number. */
export interface ClientBounds {
	readonly total: number;
	readonly perAddress: number;
	/** a whole response for those beyond, and how many are told so at a time; others are closed */
	readonly refusal: string;
	readonly refusals: number;
}

/** Of a listener, since it listens. */
export interface RefusedClients {
	readonly total: number;
	readonly address: number;
	/** the last address that had too many, in network order; empty: none */
	readonly last: Uint8Array;
}

/** What JS lends the addon for good. */
export interface FrontMemory {
	/** a byte for each connection (`frontLayout.pending`, `.badBody`); there are never more connections */
	readonly turns: Uint8Array;
	/** of the last request, and of its connection if it is fresh */
	readonly numbers: Float64Array;
	readonly address: Uint8Array;
	/** of the piece of a body that `received` tells of */
	readonly body: Uint8Array;
}

/** What the addon tells; a slot is the place of a connection in `turns`. */
export interface FrontHears {
	/** @param text native/src/front/request_text.h */
	requested(text: string): void;
	received(slot: number, bytes: number, isLast: boolean): void;
	/** The socket was full, and has taken everything since. */
	writable(slot: number): void;
	/** The connection has closed before the pending request was answered. */
	gone(slot: number): void;
}

/**
 * Connections are numbers, which are never used again. A number of a connection that is closed is no mistake.
 * A head is status code, reason and lines, divided by CRLF; a string is sent as latin1 but for `sendWhole`'s body.
 */
export interface FrontAddon {
	/** Once in a process. @returns false if this library, or this Node, has no way to its sockets */
	openFront(file: string, memory: FrontMemory, hears: FrontHears): boolean;
	/**
	 * To be called before the listener's first connection.
	 * @param token what `listen` handed over @param proxied each connection begins with a PROXY protocol header
	 * @returns the listener's number; -1 if the library's handlers can't be learnt
	 */
	hookFront(token: object, tls: boolean, proxied: boolean, bounds: FrontBounds): number;
	/**
	 * To be called before the first listener is hooked.
	 * @param file that all workers count in, made if it is not there @param networks `TrustedProxies.bytes`
	 * @returns 0, or the system's number of the error for which this process counts its own connections alone
	 */
	boundClients(file: string, bounds: ClientBounds, networks: Uint8Array): number;
	/** @param listener its number, in the order in which they were hooked */
	refusedClients(listener: number): RefusedClients;
	/** A whole answer: head, lines of its own but `date`, an empty line, body. */
	sendText(connection: number, text: string): void;
	/** @param body text is sent as UTF-8 */
	sendWhole(connection: number, head: string | Uint8Array, body: string | Uint8Array): void;
	/**
	 * A backend's whole answer as the upstream client tells of it, without JS having looked at its lines and its body.
	 * @param status code and reason @param record of the batch that is being read, of the kind whole
	 * @throws TypeError: there is no such record
	 */
	sendRecord(connection: number, status: string, record: number): void;
	/** @param framing the body's length, `frontLayout.unframed`, or -1: in chunks */
	sendHead(connection: number, head: string | Uint8Array, framing: number): void;
	/** @param head empty: it was sent @returns bytes that were taken; the others are not kept */
	sendPiece(
		connection: number,
		head: string | Uint8Array,
		length: number,
		bytes: Uint8Array,
	): number;
	/** @param head empty: it was sent @returns false if the socket did not take all, which is kept */
	sendChunk(connection: number, head: string | Uint8Array, bytes: Uint8Array): boolean;
	sendLastChunk(connection: number): void;
	/** @returns true if `runFront` is to be called, soon and not from within a handler or a cork */
	answeredRequest(connection: number, last: boolean): boolean;
	runFront(): void;
	tickFront(): void;
	pauseClient(connection: number, paused: boolean): void;
	closeClient(connection: number): void;
	/** Until the front ends the connection, a reset tells the client that it is closed, whoever closes it. */
	resetOnClose(connection: number): void;
	/** @returns true: the connection goes on behind the answer. Undefined: it is gone. */
	writeContinue(connection: number): boolean | undefined;
	/** As it is. @returns bytes that were taken; the others are not kept */
	writeClient(connection: number, bytes: Uint8Array): number;
	portOfClient(connection: number): number;
	/** @returns bytes since it began that came, or went, within TLS; -1: it is closed */
	bytesOfClient(connection: number, out: boolean): number;
	/** Once. @returns what a client of TLS said in its ClientHello (native/src/front/tls_client.h); empty: nothing */
	takeTlsClient(connection: number): string;
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
	| "listener"
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
		| "secure"
		| "pending"
		| "badBody"
		| "unframed",
		number
	>
>;
