/**
 * One request on its way through the native client: passes what the records say on to its sink, in the order
 * that the interface promises (`../upstream.ts`), and what the exchange says back. Made by `client.ts`, which
 * calls it for each record of its number.
 *
 * While the sink pushes back, the rest of the batch is kept, copied: one read of the socket at most, for the
 * native client reads no more then.
 */
import type { UpstreamAddon } from "../../native-addon.ts";
import type { RequestBody, ResponseSink, UpstreamCall, UpstreamFailure } from "../upstream.ts";
import { BodyWriter } from "./body-writer.ts";
import type { Records } from "./records.ts";

export type CallPort = Pick<UpstreamAddon, "write" | "finish" | "pause" | "resume" | "abort">;

/** The native client knows nothing of the call, or no more. */
const NONE = -1;

export class NativeCall implements UpstreamCall {
	readonly #port: CallPort;
	/** undefined: it has heard its last call */
	#sink: ResponseSink | undefined;
	#body: BodyWriter | undefined;
	#number = NONE;
	/** the sink has pushed back */
	#paused = false;
	#resumeSeen = false;
	#flushPlanned = false;
	#held: Uint8Array[] | undefined;
	#endHeld = false;

	constructor(port: CallPort, sink: ResponseSink, body: RequestBody | undefined) {
		this.#port = port;
		this.#sink = sink;
		this.#body = body === undefined || body.length === 0 ? undefined : new BodyWriter(body, port);
	}

	// Called by the exchange, from anywhere.

	/** Not before the backend's first word, if it waits. */
	get holdsPlace(): boolean {
		return this.#number !== NONE;
	}
	get heldBytes(): number {
		return this.#held?.reduce((bytes, chunk) => bytes + chunk.byteLength, 0) ?? 0;
	}

	resume(): void {
		this.#resumeSeen = true;
		if (!this.#paused || this.#flushPlanned || this.#sink === undefined) return;
		if (this.#held === undefined && !this.#endHeld) {
			this.#paused = false;
			this.#port.resume(this.#number);
			return;
		}
		this.#flushPlanned = true;
		queueMicrotask(() => this.#flush());
	}

	abort(): void {
		const number = this.#number;
		if (this.#sink === undefined) return;
		this.#finish();
		if (number !== NONE) this.#port.abort(number);
	}

	// Called by the client.

	/** @param bodyWanted the body may begin at once */
	begin(number: number, bodyWanted: boolean): void {
		this.#number = number;
		if (bodyWanted) this.#body?.wanted(number);
	}

	/** Fails the call after `send` has returned; the native client never had it. */
	failLater(failure: UpstreamFailure, message: string): void {
		queueMicrotask(() => this.fail(failure, message));
	}

	/** Hot. */
	whole(records: Records, at: number): void {
		const sink = this.#finish();
		if (sink === undefined) return;
		sink.onWhole(records.statusCode(at), records.head(at), records.length(at), records.body(at));
	}

	response(records: Records, at: number): void {
		this.#sink?.onResponse(records.statusCode(at), records.head(at), records.length(at));
	}

	data(records: Records, at: number): void {
		if (this.#sink === undefined) return;
		const chunk = records.body(at);
		if (!this.#paused) {
			this.#give(chunk);
			return;
		}
		this.#held ??= [];
		this.#held.push(chunk.slice());
	}

	end(): void {
		this.#number = NONE;
		if (this.#paused) {
			this.#endHeld = true;
			this.#body?.stop();
		} else {
			this.#finish()?.onEnd();
		}
	}

	fail(failure: UpstreamFailure, message: string): void {
		this.#finish()?.onError(failure, message);
	}

	bodyWanted(): void {
		this.#body?.wanted(this.#number);
	}

	bodyDrained(): void {
		this.#body?.drained();
	}

	/** @returns the sink, which hears nothing from now on but by the caller */
	#finish(): ResponseSink | undefined {
		const sink = this.#sink;
		this.#sink = undefined;
		this.#number = NONE;
		this.#held = undefined;
		this.#body?.stop();
		this.#body = undefined;
		return sink;
	}

	/** A resume from within counts although the push-back comes after it. */
	#give(chunk: Uint8Array): void {
		this.#resumeSeen = false;
		const wantsMore = this.#sink?.onData(chunk) ?? true;
		if (wantsMore || this.#resumeSeen || this.#sink === undefined) return;
		this.#paused = true;
		if (this.#number !== NONE) this.#port.pause(this.#number);
	}

	#flush(): void {
		this.#flushPlanned = false;
		if (this.#sink === undefined) return;
		const held = this.#held ?? [];
		this.#held = undefined;
		this.#paused = false;
		let next = 0;
		try {
			for (; next < held.length && !this.#paused && this.#sink !== undefined; next += 1) {
				const chunk = held[next];
				if (chunk !== undefined) this.#give(chunk);
			}
		} catch (error) {
			this.abort();
			throw error;
		}
		if (this.#sink === undefined) return;
		if (next < held.length) this.#held = held.slice(next);
		if (this.#paused) return;
		if (this.#endHeld) this.#finish()?.onEnd();
		else this.#port.resume(this.#number);
	}
}
