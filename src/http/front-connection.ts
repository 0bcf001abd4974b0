/**
 * A client's connection on a listener with a front. Made by `front.ts` with a connection's first request, and the same
 * for all of its requests, of which one is pending at a time.
 */
import { LIMITS } from "../limits/limits.ts";
import { addon } from "../native-addon.ts";
import type { Asked, ClientConnection, ConnectionField } from "./client-connection.ts";
import { TlsClient, UNKNOWN_TLS_CLIENT } from "./tls/tls-client.ts";

// Numbers rather than properties of an object with many, which are slow to read.
const {
	expectsContinue: AT_EXPECTS_CONTINUE,
	http10: AT_HTTP10,
	last: AT_LAST,
	badBody: AT_BAD_BODY,
	pending: AT_PENDING,
} = addon.frontLayout;

/** What the addon told of it. */
export interface ConnectionFacts {
	readonly handle: number;
	readonly slot: number;
	readonly address: string;
	/** 0: to be asked for */
	readonly port: number;
	readonly startMs: number;
	/** of its ClientHello, for `TlsClient`; empty: there is none */
	readonly tls: string;
}

/** The response to the pending request, as the addon's news reach it. */
export interface PendingResponse {
	received(chunk: Uint8Array, isLast: boolean): void;
	writable(): void;
	gone(): void;
}

export class FrontConnection implements ClientConnection {
	readonly isFront = true;
	readonly address: string;
	readonly startMs: number;
	readonly handle: number;
	/** of the pending request, as the addon says it */
	flags = 0;
	/** to the pending request, until it has ended */
	response: PendingResponse | undefined;
	readonly asked: Asked = { last: undefined, lines: "" };
	readonly #slot: number;
	readonly #turns: Uint8Array;
	readonly #goOnSoon: () => void;
	readonly #tlsText: string;
	#tls: TlsClient | undefined;
	#port: number;
	#bytesIn = -1;
	#bytesOut = -1;

	/** @param turns shared with the addon @param goOnSoon has the addon go on with connections that wait */
	constructor(facts: ConnectionFacts, turns: Uint8Array, goOnSoon: () => void) {
		this.address = facts.address;
		this.startMs = facts.startMs;
		this.handle = facts.handle;
		this.#slot = facts.slot;
		this.#port = facts.port;
		this.#tlsText = facts.tls;
		this.#turns = turns;
		this.#goOnSoon = goOnSoon;
	}

	get port(): number {
		if (this.#port === 0) this.#port = addon.portOfClient(this.handle);
		return this.#port;
	}
	get tls(): TlsClient {
		this.#tls ??= this.#tlsText === "" ? UNKNOWN_TLS_CLIENT : new TlsClient(this.#tlsText);
		return this.#tls;
	}
	/** once it is closed, as they were last */
	get bytesIn(): number {
		this.#bytesIn = Math.max(this.#bytesIn, addon.bytesOfClient(this.handle, false));
		return this.#bytesIn;
	}
	get bytesOut(): number {
		this.#bytesOut = Math.max(this.#bytesOut, addon.bytesOfClient(this.handle, true));
		return this.#bytesOut;
	}
	get expectsContinue(): boolean {
		return (this.flags & AT_EXPECTS_CONTINUE) !== 0;
	}
	get isHttp10(): boolean {
		return (this.flags & AT_HTTP10) !== 0;
	}
	get connectionField(): ConnectionField {
		if ((this.flags & AT_LAST) !== 0) return "close";
		return this.isHttp10 ? "keep-alive" : "";
	}
	get hasBadBody(): boolean {
		return ((this.#turns[this.#slot] ?? 0) & AT_BAD_BODY) !== 0;
	}

	pause(): void {
		addon.pauseClient(this.handle, true);
	}
	resume(): void {
		addon.pauseClient(this.handle, false);
	}
	/** The front has no clock for a pending request. */
	renew(): void {}

	/** Hot. Only where something waits for the answer it is told by a call. */
	answered(last: boolean): void {
		if (!last && this.#turns[this.#slot] === AT_PENDING) this.#turns[this.#slot] = 0;
		else if (addon.answeredRequest(this.handle, last)) this.#goOnSoon();
	}

	writeContinue(): void {
		if (addon.writeContinue(this.handle) === true) this.flags &= ~AT_LAST;
	}
	write(bytes: Uint8Array): number {
		return addon.writeClient(this.handle, bytes);
	}
	endsBody(): void {
		addon.resetOnClose(this.handle);
	}
	boundReads(): void {
		// The kernel takes twice as much as it is asked for.
		addon.boundReads(this.handle, LIMITS.bodyReadBytes / 2);
	}
	acknowledgedBytes(): number {
		return addon.acknowledgedBytes(this.handle);
	}
	bytesBeforeEnd(): number {
		return addon.bytesBeforeEnd(this.handle);
	}
}
