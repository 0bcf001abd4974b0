/**
 * A client's connection on a listener with a front. Made by `front.ts` with a connection's first request, and the same
 * for all of its requests, of which one is pending at a time.
 */
import { LIMITS } from "../limits/limits.ts";
import { addon } from "../native-addon.ts";
import type { ClientConnection } from "./client-connection.ts";

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
}

export class FrontConnection implements ClientConnection {
	readonly isFront = true;
	readonly address: string;
	readonly startMs: number;
	/** of the pending request, as the addon says it */
	flags = 0;
	readonly #handle: number;
	readonly #slot: number;
	readonly #turns: Uint8Array;
	readonly #goOnSoon: () => void;
	#port: number;

	/** @param turns shared with the addon @param goOnSoon has the addon go on with connections that wait */
	constructor(facts: ConnectionFacts, turns: Uint8Array, goOnSoon: () => void) {
		this.address = facts.address;
		this.startMs = facts.startMs;
		this.#handle = facts.handle;
		this.#slot = facts.slot;
		this.#port = facts.port;
		this.#turns = turns;
		this.#goOnSoon = goOnSoon;
	}

	get port(): number {
		if (this.#port === 0) this.#port = addon.portOfClient(this.#handle);
		return this.#port;
	}
	get expectsContinue(): boolean {
		return (this.flags & AT_EXPECTS_CONTINUE) !== 0;
	}
	get isHttp10(): boolean {
		return (this.flags & AT_HTTP10) !== 0;
	}
	get saysKeepAlive(): boolean {
		return (this.flags & (AT_HTTP10 | AT_LAST)) === AT_HTTP10;
	}
	get hasBadBody(): boolean {
		return ((this.#turns[this.#slot] ?? 0) & AT_BAD_BODY) !== 0;
	}

	pause(): void {
		addon.pauseClient(this.#handle, true);
	}
	resume(): void {
		addon.pauseClient(this.#handle, false);
	}
	keepPaused(): void {
		addon.keepPaused(this.#handle);
	}
	/** The front has no clock for a pending request. */
	renew(): void {}

	/** Hot. Only where something waits for the answer it is told by a call. */
	answered(last: boolean): void {
		if (!last && this.#turns[this.#slot] === AT_PENDING) this.#turns[this.#slot] = 0;
		else if (addon.answeredRequest(this.#handle, last)) this.#goOnSoon();
	}

	writeContinue(): void {
		addon.writeContinue(this.#handle);
	}
	write(bytes: Uint8Array): number {
		return addon.writeClient(this.#handle, bytes);
	}
	boundReads(): void {
		// The kernel takes twice as much as it is asked for.
		addon.boundReads(this.#handle, LIMITS.bodyReadBytes / 2);
	}
	acknowledgedBytes(): number {
		return addon.acknowledgedBytes(this.#handle);
	}
	bytesBeforeEnd(): number {
		return addon.bytesBeforeEnd(this.#handle);
	}
}
