/**
 * The connections of one backend and the requests that wait for one: round robin over its addresses, a
 * bounded number of connections each, one request at a time on a connection, a bounded queue. Knows nothing
 * of undici; `undici-upstream.ts` gives it the function that makes a connection.
 *
 * The connection used last is taken first, so that the rest can grow idle and close. Requests that cannot be
 * repeated get a fresh connection unless one was in use a moment ago (see `retry.ts`).
 */
import { LIMITS } from "../../limits/limits.ts";
import type {
	ResponseSink,
	Upstream,
	UpstreamCall,
	UpstreamFailure,
	UpstreamOptions,
	UpstreamRequest,
} from "../upstream.ts";
import { type AddressConnections, hasRoom, takenPlaces } from "./address-connections.ts";
import { AddressRing, NONE, WAIT } from "./addresses.ts";
import { PooledCall } from "./call.ts";
import { type Clock, DeadlineList, monotonicMs } from "./deadlines.ts";
import type { CallConnection, CallOwner } from "./roles.ts";
import { UploadBytes } from "./upload-bytes.ts";

/** A place for one connection; it connects by itself when a request comes and none is open. */
export interface PoolConnection extends CallConnection {
	/** a connection is open */
	readonly connected: boolean;
	/** when its last request was over, on the pool's clock */
	idleSinceMs: number;
	dispatch(call: PooledCall): void;
	/** drops the open connection, so that the next request gets a fresh one */
	disconnect(): void;
	/** closes it for good once it is idle */
	close(): Promise<void>;
}

export interface PoolOptions extends UpstreamOptions {
	readonly addresses: readonly string[];
	readonly makeConnection: (pool: UpstreamPool, address: number) => PoolConnection;
	readonly now?: Clock;
	readonly random?: () => number;
}

export class UpstreamPool implements Upstream, CallOwner {
	readonly connectDeadlines: DeadlineList;
	readonly responseDeadlines: DeadlineList;
	readonly idleDeadlines: DeadlineList;
	readonly idleTimeoutMs: number;
	readonly addressCount: number;
	readonly #options: PoolOptions;
	readonly #now: Clock;
	readonly #ring: AddressRing;
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
		this.#connections = options.addresses.map(() => ({ idle: [], cold: [], count: 0 }));
		const hasRoom = (index: number): boolean => this.#hasRoom(index);
		this.#ring = new AddressRing(
			this.addressCount,
			hasRoom,
			this.#now,
			options.random ?? Math.random,
		);
	}

	/** Hot. */
	send(request: UpstreamRequest, sink: ResponseSink): UpstreamCall {
		const call = new PooledCall(request, sink, this);
		if (request.body !== undefined) this.#uploads.add(call);
		// Nobody overtakes those who wait.
		if (this.#waiting.size > 0 || !this.#place(call)) this.#enqueue(call);
		return call;
	}

	get bodyBytes(): number {
		return this.#uploads.count();
	}
	get pressed(): number {
		const isFull = this.#connections.some((_, address) => !this.#hasRoom(address));
		return isFull ? this.#waiting.size : 0;
	}
	get occupancy(): number {
		const places = this.#connections.length * this.#options.connections;
		return (this.#waiting.size + takenPlaces(this.#connections)) / places;
	}

	/** Requests sent later are still served, each on a connection of its own. */
	close(): Promise<void> {
		if (!this.#closed) {
			this.#closed = true;
			for (const connections of this.#connections) {
				for (const connection of [...connections.idle, ...connections.cold])
					this.#discard(connection);
				connections.idle.length = 0;
				connections.cold.length = 0;
			}
		}
		return this.#allClosed();
	}

	// What calls ask for.

	/** Hot. */
	release(connection: PoolConnection): void {
		connection.idleSinceMs = this.#now();
		if (this.#closed) {
			this.#discard(connection);
		} else {
			const connections = this.#connections[connection.address];
			(connection.connected ? connections?.idle : connections?.cold)?.push(connection);
		}
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

	// What connections tell.

	connected(connection: PoolConnection): void {
		this.#ring.succeeded(connection.address);
	}

	connectFailed(connection: PoolConnection): void {
		this.#ring.failed(connection.address);
	}

	/** An open connection has gone; if it was idle, it is no longer one to prefer. */
	disconnected(connection: PoolConnection): void {
		const connections = this.#connections[connection.address];
		const index = connections?.idle.indexOf(connection) ?? -1;
		if (index === -1) return;
		connections?.idle.splice(index, 1);
		connections?.cold.push(connection);
	}

	#hasRoom(address: number): boolean {
		return hasRoom(this.#connections[address], this.#options.connections);
	}

	/** @returns false if the call has to wait */
	#place(call: PooledCall): boolean {
		const address = this.#ring.choose(call.tried);
		if (address === WAIT) return false;
		if (address === NONE) {
			call.failLater("connect", "no address of the backend is left to try");
			return true;
		}
		const connection = this.#take(address, call);
		if (connection === undefined) return false;
		call.assign(connection);
		connection.dispatch(call);
		return true;
	}

	#enqueue(call: PooledCall): void {
		if (this.#waiting.size >= this.#options.queue) {
			call.failLater("queue_full", "too many requests wait for the backend");
			return;
		}
		this.#waiting.add(call);
		this.connectDeadlines.arm(call);
	}

	#drain(): void {
		this.#drainPlanned = false;
		for (const call of this.#waiting) {
			if (!this.#place(call)) return;
			this.#waiting.delete(call);
		}
	}

	/** Hot. */
	#take(address: number, call: PooledCall): PoolConnection | undefined {
		const connections = this.#connections[address];
		if (connections === undefined) return undefined;
		const last = connections.idle.at(-1);
		if (last !== undefined && this.#maySendOver(last, call)) return connections.idle.pop();
		const unconnected = connections.cold.pop();
		if (unconnected !== undefined) return unconnected;
		if (connections.count < this.#options.connections) {
			connections.count += 1;
			return this.#options.makeConnection(this, address);
		}
		const oldest = connections.idle.shift();
		oldest?.disconnect();
		return oldest;
	}

	#maySendOver(connection: PoolConnection, call: PooledCall): boolean {
		if (call.wantsFresh) return false;
		return call.idempotent || this.#now() - connection.idleSinceMs < LIMITS.upstreamReuseMs;
	}

	#discard(connection: PoolConnection): void {
		const connections = this.#connections[connection.address];
		if (connections !== undefined) connections.count -= 1;
		this.#closing.push(connection.close());
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
