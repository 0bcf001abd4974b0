/**
 * The connections of one backend and the requests that wait for one: a bounded number of connections to each
 * address, one request at a time on a connection, a bounded queue. Knows nothing of undici; `undici-upstream.ts`
 * gives it the function that makes a connection. Which address a request gets, and whether it may be sent again, is
 * decided by the native client's rules (`address-ring.ts`, `retry.ts`).
 */
import { LIMITS } from "../../limits/limits.ts";
import { readTicks } from "../../telemetry/request-clock.ts";
import type {
	ResponseSink,
	Upstream,
	UpstreamCall,
	UpstreamFailure,
	UpstreamOptions,
	UpstreamRequest,
	UpstreamStates,
} from "../upstream.ts";
import { AddressConnections, type PoolConnection } from "./address-connections.ts";
import { AddressRing, NONE, WAIT } from "./address-ring.ts";
import { type CallPool, PooledCall } from "./call.ts";
import { type Clock, DeadlineList, monotonicMs } from "./deadlines.ts";
import { FAILURE_TEXTS } from "./errors.ts";
import { UploadBytes } from "./upload-bytes.ts";

export interface PoolOptions extends UpstreamOptions {
	readonly addresses: readonly string[];
	readonly makeConnection: (pool: UpstreamPool, address: number) => PoolConnection;
	readonly now?: Clock;
	/** for the random part of delays */
	readonly seed?: number;
}

export class UpstreamPool implements Upstream, CallPool {
	readonly connectDeadlines: DeadlineList;
	readonly responseDeadlines: DeadlineList;
	readonly idleDeadlines: DeadlineList;
	readonly idleTimeoutMs: number;
	readonly addressCount: number;
	readonly #options: PoolOptions;
	readonly #now: Clock;
	readonly #ring: AddressRing;
	/** by index of the address */
	readonly #connections: readonly AddressConnections[];
	/** in order of arrival */
	readonly #waiting = new Set<PooledCall>();
	readonly #uploads: UploadBytes;
	readonly #closing: Promise<void>[] = [];
	#drainPlanned = false;
	#closed = false;
	#onClosed: (() => void) | undefined;

	constructor(options: PoolOptions) {
		this.#options = options;
		this.#now = options.now ?? monotonicMs;
		this.#uploads = new UploadBytes(this.#now);
		this.addressCount = options.addresses.length;
		this.idleTimeoutMs = options.idleTimeoutMs;
		this.connectDeadlines = new DeadlineList(options.connectTimeoutMs);
		this.responseDeadlines = new DeadlineList(options.responseTimeoutMs);
		this.idleDeadlines = new DeadlineList(options.idleTimeoutMs);
		this.#connections = options.addresses.map(
			(_, address) =>
				new AddressConnections(options.connections, () => options.makeConnection(this, address)),
		);
		this.#ring = new AddressRing({
			addresses: this.addressCount,
			connectTimeoutMs: options.connectTimeoutMs,
			hasRoom: (address) => this.#connections[address]?.hasRoom === true,
			now: this.#now,
			seed: options.seed,
		});
	}

	/** Hot. */
	send(request: UpstreamRequest, sink: ResponseSink): UpstreamCall {
		readTicks();
		const call = new PooledCall(request, sink, this);
		if (request.body !== undefined) this.#uploads.add(call);
		// No request overtakes the ones that wait.
		if (this.#waiting.size > 0 || !this.#place(call)) this.#enqueue(call);
		return call;
	}

	get bodyBytes(): number {
		return this.#uploads.count();
	}
	get pressed(): number {
		return this.#connections.every(({ hasRoom }) => hasRoom) ? 0 : this.#waiting.size;
	}
	get occupancy(): number {
		const places = this.#connections.length * this.#options.connections;
		const busy = this.#connections.reduce((sum, connections) => sum + connections.busy, 0);
		return (this.#waiting.size + busy) / places;
	}

	takeStates(): UpstreamStates {
		const addresses = this.#connections.map((of, at) => {
			const [requests, setAsideMs] = [of.requests, this.#ring.setAsideMs(at)];
			of.requests = 0;
			const address = this.#options.addresses[at] ?? "";
			return { address, requests, connections: of.busy + of.idle, idle: of.idle, setAsideMs };
		});
		return { waiting: this.#waiting.size, addresses };
	}

	/** Requests sent later are still served, each on a connection of its own. */
	close(): Promise<void> {
		this.#closed = true;
		for (const connections of this.#connections) {
			this.#closing.push(...connections.discardUnused());
		}
		return this.#allClosed();
	}

	// What calls ask for.

	/** Hot. */
	release(connection: PoolConnection): void {
		connection.idleSinceMs = this.#now();
		if (this.#closed) this.#discard(connection);
		else this.#connections[connection.address]?.release(connection);
		if (this.#waiting.size > 0 && !this.#drainPlanned) {
			this.#drainPlanned = true;
			// `release` runs within undici's callbacks; giving out work waits until they are through.
			queueMicrotask(() => this.#drain());
		}
	}

	withdraw(call: PooledCall): void {
		this.#waiting.delete(call);
	}

	retry(call: PooledCall): void {
		this.#options.onRetry();
		if (!this.#place(call)) this.#enqueue(call);
	}

	attemptFailed(failure: UpstreamFailure, address: number, message: string): void {
		this.#options.onAttemptFailed(failure, this.#options.addresses[address] ?? "", message);
	}

	answered(address: number): void {
		this.#ring.answered(address);
	}

	/** No connection could be made, or a fresh one broke before its first answer. */
	addressFailed(address: number): void {
		this.#ring.failed(address);
	}

	// What connections tell.

	connected(connection: PoolConnection): void {
		this.#ring.connected(connection.address);
	}

	/** An open connection has gone. */
	disconnected(connection: PoolConnection): void {
		this.#connections[connection.address]?.disconnected(connection);
	}

	/** @returns false if the call has to wait */
	#place(call: PooledCall): boolean {
		const address = this.#ring.choose(call.tried);
		if (address === WAIT) return false;
		if (address === NONE) {
			call.failLater("connect", FAILURE_TEXTS.noAddressLeft);
			return true;
		}
		const usedAfterMs = this.#usedAfterMs(call, this.#ring.isProbe);
		const of = this.#connections[address];
		const connection = of?.take(usedAfterMs);
		if (of === undefined || connection === undefined) return false;
		of.requests += 1;
		call.assign(connection);
		connection.dispatch(call);
		return true;
	}

	/** Hot. A request that can't be repeated takes no connection that the backend may be about to close. */
	#usedAfterMs(call: PooledCall, isProbe: boolean): number {
		if (isProbe || call.wantsFresh) return Number.POSITIVE_INFINITY;
		return call.idempotent ? Number.NEGATIVE_INFINITY : this.#now() - LIMITS.upstreamReuseMs;
	}

	#enqueue(call: PooledCall): void {
		if (this.#waiting.size >= this.#options.queue) {
			call.failLater("queue_full", FAILURE_TEXTS.queueFull);
			return;
		}
		this.#waiting.add(call);
		this.connectDeadlines.arm(call.deadline);
	}

	#drain(): void {
		this.#drainPlanned = false;
		for (const call of this.#waiting) {
			if (!this.#place(call)) return;
			this.#waiting.delete(call);
		}
	}

	#discard(connection: PoolConnection): void {
		const closing = this.#connections[connection.address]?.discard(connection);
		if (closing !== undefined) this.#closing.push(closing);
		if (this.#connections.every(({ count }) => count === 0)) this.#onClosed?.();
	}

	async #allClosed(): Promise<void> {
		if (this.#connections.some(({ count }) => count > 0)) {
			await new Promise<void>((resolve) => {
				const earlier = this.#onClosed;
				this.#onClosed = () => {
					earlier?.();
					resolve();
				};
			});
		}
		await Promise.all(this.#closing);
	}
}
