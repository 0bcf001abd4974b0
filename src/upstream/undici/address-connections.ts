/**
 * The connections to one address of a backend, and which of them a request gets: the one used last, so that the
 * rest can grow idle and close; else one that is not open, for it connects by itself; else a new one; else the
 * one that has been idle longest, opened anew. One for each address, made by `pool.ts`.
 */
import type { AttemptConnection } from "./attempt-context.ts";
import type { PooledCall } from "./call.ts";

/** One connection of the pool. While it is not open, the next request makes it connect. */
export interface PoolConnection extends AttemptConnection {
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

export class AddressConnections {
	readonly #most: number;
	readonly #make: () => PoolConnection;
	/** open, the one used last at the end */
	readonly #idle: PoolConnection[] = [];
	readonly #unconnected: PoolConnection[] = [];
	#count = 0;
	/** given to them since somebody took it */
	requests = 0;

	/** @param most connections that there may be */
	constructor(most: number, make: () => PoolConnection) {
		this.#most = most;
		this.#make = make;
	}

	/** connections that exist, busy ones included */
	get count(): number {
		return this.#count;
	}
	/** connections that requests have */
	get busy(): number {
		return this.#count - this.#idle.length - this.#unconnected.length;
	}
	/** connections that are open and without a request */
	get idle(): number {
		return this.#idle.length;
	}
	get hasRoom(): boolean {
		return this.#idle.length > 0 || this.#unconnected.length > 0 || this.#count < this.#most;
	}

	/**
	 * Hot. For where there is room.
	 * @param usedAfterMs an open connection will do if its last request was over later than this
	 */
	take(usedAfterMs: number): PoolConnection | undefined {
		const last = this.#idle.at(-1);
		if (last !== undefined && last.idleSinceMs > usedAfterMs) return this.#idle.pop();
		const unconnected = this.#unconnected.pop();
		if (unconnected !== undefined) return unconnected;
		if (this.#count < this.#most) {
			this.#count += 1;
			return this.#make();
		}
		const oldest = this.#idle.shift();
		oldest?.disconnect();
		return oldest;
	}

	/** Hot. Its request is over. */
	release(connection: PoolConnection): void {
		(connection.connected ? this.#idle : this.#unconnected).push(connection);
	}

	/** It is no longer open; if it was idle, it is no longer one to prefer. */
	disconnected(connection: PoolConnection): void {
		const index = this.#idle.indexOf(connection);
		if (index === -1) return;
		this.#idle.splice(index, 1);
		this.#unconnected.push(connection);
	}

	/** Closes a connection that no request has, for good. */
	discard(connection: PoolConnection): Promise<void> {
		this.#count -= 1;
		return connection.close();
	}

	/** Closes all that no request has. */
	discardUnused(): Promise<void>[] {
		const unused = [...this.#idle.splice(0), ...this.#unconnected.splice(0)];
		return unused.map((connection) => this.discard(connection));
	}
}
