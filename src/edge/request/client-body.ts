/**
 * A request's body on its way from the client to the upstream (contract 6, bodies). The upstream pulls it, and the
 * client's socket is paused while the upstream takes no more. One body holds at most `LIMITS.requestBodyBufferBytes`
 * and one read of the server library, 512 KiB. `slow/body-memory.ts` bounds all bodies of a worker together.
 *
 * A request is sent when its body is complete or 64 KiB of it are there, so an upload that drips takes no connection
 * to a backend. Interactive clients send little and wait for an answer: such a request is sent after 0.1 to 0.3 s if
 * half of the backend's places are free, else once they are. A client that waits to be asked for its body is another
 * matter (`expectation.ts`). Made by `upstream-request.ts` and `deferred-request.ts`.
 */
import { type BodyChunk, bytesOf } from "../../http/client-response.ts";
import { CHUNKED } from "../../http/framing.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { RequestBody, Upstream } from "../../upstream/upstream.ts";
import type { Exchange } from "../exchange.ts";
import type { BodyShare, HeldUpload } from "../slow/body-memory.ts";
import type { IdleTimeouts, Waiting } from "../slow/idle-timeouts.ts";
import { Pace, type SlowReason } from "../slow/slow-clients.ts";
import { isTruncated } from "../slow/truncated-body.ts";
import { EarlyChunks } from "./early-chunks.ts";
import { Expectation } from "./expectation.ts";
import type { UploadEvents } from "./upload-events.ts";

type BodySink = Parameters<RequestBody["start"]>[0];

export class ClientBody implements RequestBody, Waiting, HeldUpload {
	readonly direction = "upload";
	readonly heldBytes = 0;
	readonly length: number;
	readonly pace = new Pace(0);
	lastProgressMs = performance.now();
	/** the last byte has arrived */
	complete = false;
	touched = false;
	readonly #exchange: Exchange;
	readonly #idleTimeouts: IdleTimeouts;
	readonly #share: BodyShare | undefined;
	#events: UploadEvents | undefined;
	#sink: BodySink | undefined;
	readonly #early: EarlyChunks;
	/** `ready` is still to be called */
	#gated = false;
	/** the upstream wants no more for now; there is no memory for more */
	#held = false;
	#heldBack = false;
	/** the client's socket is paused */
	#paused = false;
	/** when the pause, or waiting for the client, began */
	#turnSinceMs = this.lastProgressMs;
	/** nobody wants the rest; it is none */
	#discarded = false;
	#isMalformed = false;
	/** the client waits, or waited, for what the backend says */
	#expectation: Expectation | undefined;

	/** Must be made while the request's handler runs. */
	constructor(exchange: Exchange, idleTimeouts: IdleTimeouts) {
		this.length = exchange.head.bodyLength === CHUNKED ? -1 : exchange.head.bodyLength;
		this.#exchange = exchange;
		this.#idleTimeouts = idleTimeouts;
		this.#share = exchange.route?.backend.bodies;
		this.#early = new EarlyChunks(this.#share);
		this.#share?.enter();
		exchange.response.onData((chunk, isLast) => this.#receive(chunk, isLast));
		if (this.length < 0 || this.length > LIMITS.requestBodyBufferBytes) {
			exchange.client.boundReads();
		}
		idleTimeouts.add(this);
	}

	get hasBegun(): boolean {
		return this.#sink !== undefined;
	}
	get movedBytes(): number {
		return this.#exchange.bodyBytesIn;
	}
	get address(): string {
		return this.#exchange.loggedIp;
	}
	/** No rate is asked for once the backend has answered: then both sides may pause as they like. */
	get rated(): boolean {
		return this.#exchange.responseStatusCode === 0;
	}
	get upstream(): Upstream | undefined {
		return this.hasBegun ? this.#exchange.route?.backend.upstream : undefined;
	}
	get waitedSinceMs(): number {
		const waits = (this.#gated || this.hasBegun) && !this.#paused && !this.complete;
		if (!waits || this.#discarded) return Number.POSITIVE_INFINITY;
		return Math.max(this.#turnSinceMs, this.#expectation?.metMs ?? 0);
	}

	/** `ready` follows, maybe before this returns, unless the client leaves. */
	begin(events: UploadEvents): void {
		this.#events = events;
		this.#turnSinceMs = performance.now();
		if (this.#isMalformed) {
			events.malformed();
			return;
		}
		this.#expectation = Expectation.of(this.#exchange, this.complete);
		if (this.#expectation !== undefined) events.ready(this.#expectation);
		else if (this.complete || this.#early.bytes >= LIMITS.uploadStartBytes) events.ready();
		else this.#gated = true;
	}

	start(sink: BodySink): void {
		// Its end must not look like a regular one.
		if (this.#discarded) return;
		this.#sink = sink;
		this.#turnSinceMs = performance.now();
		for (const chunk of this.#early.take()) {
			this.touched = true;
			sink.onChunk(chunk);
		}
		if (this.complete) sink.onEnd();
		else if (!this.#held) this.resume();
	}

	pause(): void {
		this.#held = true;
		this.#updateSocket();
	}

	resume(): void {
		this.#held = false;
		if (this.#heldBack) this.#share?.drained(this, performance.now());
		this.#updateSocket();
	}

	holdBack(isHeldBack: boolean): void {
		this.#heldBack = isHeldBack;
		this.#updateSocket();
	}

	/** The response is over: the server library reads the rest of the body and throws it away. */
	discard(): void {
		if (!this.#discarded) this.#drop();
		this.#resumeSocket();
	}

	/** The client has gone. */
	abandon(): void {
		this.#paused = false;
		if (!this.#discarded) this.#drop();
	}

	look(nowMs: number): void {
		if (this.#gated && nowMs - this.#turnSinceMs >= LIMITS.uploadStartMs) {
			// If memory is short, the backend should take what is here.
			const occupancy = this.#exchange.route?.backend.upstream.occupancy ?? 0;
			if (occupancy < (this.#heldBack ? 1 : LIMITS.uploadStartOccupancy)) this.#open();
		}
		this.#expectation?.look(nowMs);
		if (!this.#paused || nowMs - this.#turnSinceMs < LIMITS.lookBehindMs) return;
		this.#turnSinceMs = nowMs;
		if (isTruncated(this.#exchange, this.length)) this.#exchange.response.close();
	}

	renew(): void {
		// The client is not to blame for the pause.
		if (this.#paused) this.lastProgressMs = performance.now();
		else this.#exchange.client.renew();
	}

	giveUp(): void {
		if (this.#discarded || this.#events === undefined) this.#exchange.response.close();
		else this.drop("idle");
	}

	drop(reason: SlowReason): void {
		this.#events?.tooSlow("upload", reason);
	}

	#receive(chunk: BodyChunk, isLast: boolean): void {
		if (isLast) {
			this.#idleTimeouts.delete(this);
			this.#share?.finish(this);
			this.complete = this.#discarded;
		}
		if (this.#discarded) return;
		this.#isMalformed = this.#exchange.client.hasBadBody;
		if (this.#isMalformed) return void this.#events?.malformed();
		// These bytes were read before the pause.
		if (this.#paused && !isLast) this.#exchange.client.pause();
		this.lastProgressMs = performance.now();
		this.#expectation?.met();
		this.#exchange.bodyBytesIn += chunk.byteLength;
		const bytes = this.#early.bytes + chunk.byteLength;
		// Before the chunk is kept, which saves a copy.
		if (this.#gated && (isLast || bytes >= LIMITS.uploadStartBytes)) this.#open();
		this.complete = isLast;
		if (chunk.byteLength > 0) this.#pass(chunk);
		if (isLast) this.#sink?.onEnd();
		else if (!this.#discarded) this.#share?.grew(this, this.lastProgressMs);
	}

	#pass(chunk: BodyChunk): void {
		if (this.#discarded) return;
		if (this.#sink !== undefined) {
			this.touched = true;
			this.#sink.onChunk(bytesOf(chunk));
			return;
		}
		this.#early.keep(chunk);
		this.#updateSocket();
	}

	#open(): void {
		this.#gated = false;
		this.#events?.ready();
	}

	#drop(): void {
		this.#discarded = true;
		this.#expectation?.drop();
		this.#gated = false;
		this.#sink = undefined;
		this.#early.take();
		this.#idleTimeouts.delete(this);
		this.#share?.leave(this);
	}

	#updateSocket(): void {
		if (this.#discarded || this.complete) return;
		const isFull = this.#early.bytes >= LIMITS.requestBodyBufferBytes;
		if (!this.#held && !this.#heldBack && !isFull) this.#resumeSocket();
		else if (!this.#paused) {
			this.#paused = true;
			this.#turnSinceMs = performance.now();
			this.#exchange.client.pause();
		}
	}

	#resumeSocket(): void {
		if (!this.#paused) return;
		this.#paused = false;
		this.#turnSinceMs = this.lastProgressMs = performance.now();
		this.#exchange.client.resume();
	}
}
