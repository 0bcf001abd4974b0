/**
 * One request on its way through the native client: passes the response from the client's records to the sink, in
 * the order that the interface promises (`../upstream.ts`), and the exchange's wishes (resume, abort) back. Made by
 * `client.ts`, which calls it for each record that has the call's number.
 *
 * While the sink pushes back, the rest of the batch is kept, copied: one read of the socket at most, for the
 * native client reads no more then.
 */
import { addon, type UpstreamAddon } from "../../native-addon.ts";
import type { TunnelsAddon } from "../../native-addon-tunnels.ts";
import { Delivery } from "../delivery.ts";
import type { UpstreamTrail } from "../trail.ts";
import type {
	ResponseSink,
	UpgradedBackend,
	UpstreamCall,
	UpstreamFailure,
	UpstreamRequest,
} from "../upstream.ts";
import { BodyWriter } from "./body-writer.ts";
import type { Records } from "./records.ts";

export type CallPort = Pick<UpstreamAddon, "write" | "finish" | "pause" | "resume" | "abort"> &
	Pick<TunnelsAddon, "abortUpgraded">;

/** The native client does not know the call yet, or no longer. */
const NONE = -1;
const { upgradedSerialOne: SERIAL_ONE } = addon;

export class NativeCall extends Delivery implements UpstreamCall {
	readonly #port: CallPort;
	readonly #trail: UpstreamTrail | undefined;
	#body: BodyWriter | undefined;
	#number = NONE;

	constructor(
		port: CallPort,
		sink: ResponseSink,
		{ body, expects, trail }: Pick<UpstreamRequest, "body" | "expects" | "trail">,
	) {
		super(sink);
		this.#port = port;
		this.#trail = trail;
		if (body !== undefined && body.length !== 0) {
			this.#body = new BodyWriter(body, port, expects);
		}
	}

	// Called by the exchange, from anywhere; `resume` is too.

	/** From `send` on: the native client does not tell when a call that waits gets its connection. */
	get holdsPlace(): boolean {
		return this.#number !== NONE;
	}

	override abort(): void {
		const number = this.#number;
		if (this.done) return;
		this.finish();
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
		const sink = this.finish();
		if (sink === undefined) return;
		if (this.#trail !== undefined) records.tellTrail(at, this.#trail);
		sink.onWhole(records.statusCode(at), records.response(at), records.length(at));
	}

	response(records: Records, at: number): void {
		if (this.#trail !== undefined) records.tellTrail(at, this.#trail);
		this.sink?.onResponse(records.statusCode(at), records.response(at), records.length(at));
	}

	/** The number stays the call's until the connection is taken, or given up. */
	upgraded(records: Records, at: number): void {
		// An aborted call's connection has been dropped.
		if (this.done) return;
		const number = this.#number + records.backend(at) * SERIAL_ONE;
		const backend = new UpgradedCall(number, this.#port);
		if (this.#trail !== undefined) records.tellTrail(at, this.#trail);
		const sink = this.finish();
		try {
			if (sink?.onUpgrade === undefined) backend.abort();
			else sink.onUpgrade(records.response(at), backend);
		} catch (error) {
			backend.abort();
			throw error;
		}
	}

	data(records: Records, at: number): void {
		if (this.done) return;
		const chunk = records.body(at);
		this.deliver(this.paused ? chunk.slice() : chunk);
	}

	end(): void {
		this.#number = NONE;
		if (this.paused) {
			this.makePushBack().endHeld = true;
			this.#body?.stop();
		} else {
			this.finish()?.onEnd();
		}
	}

	failed(records: Records, at: number): void {
		if (this.#trail !== undefined) records.tellTrail(at, this.#trail);
		this.fail(records.failure(at), records.text(at));
	}

	fail(failure: UpstreamFailure, message: string): void {
		this.finish()?.onError(failure, message);
	}

	bodyWanted(): void {
		this.#body?.wanted(this.#number);
	}

	bodyContinues(): void {
		this.#body?.continues();
	}

	bodyDrained(): void {
		this.#body?.drained();
	}

	protected override onPause(): void {
		if (this.#number !== NONE) this.#port.pause(this.#number);
	}

	protected override get resumesAtOnce(): boolean {
		return !this.endHeld;
	}

	protected override onFlushed(): void {
		if (this.endHeld) this.finish()?.onEnd();
		else this.#port.resume(this.#number);
	}

	protected override finish(): ResponseSink | undefined {
		this.#number = NONE;
		this.#body?.stop();
		this.#body = undefined;
		return super.finish();
	}
}

/** The connection over which a 101 came, by a number that nothing else will have when it is gone. */
class UpgradedCall implements UpgradedBackend {
	readonly stream = undefined;
	readonly #port: Pick<TunnelsAddon, "abortUpgraded">;
	#number: number | undefined;

	constructor(number: number, port: Pick<TunnelsAddon, "abortUpgraded">) {
		this.#number = number;
		this.#port = port;
	}

	get call(): number | undefined {
		return this.#number;
	}
	abort(): void {
		if (this.#number !== undefined) this.#port.abortUpgraded(this.#number);
		this.#number = undefined;
	}
}
