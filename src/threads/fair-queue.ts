/**
 * A queue in which clients take turns: a client's own entries keep their order, and however many entries one client
 * has, another client's entry waits for one of them at most. The queue is bounded for each client and for all
 * together. When it is full, the client with the most entries loses its newest one to a client with fewer. Used by
 * `thread-queue.ts`.
 */

export class FairQueue<T> {
	readonly #room: number;
	readonly #roomEach: number;
	/** by client, never empty; whose turn it is stands first */
	readonly #waiting = new Map<string, Set<T>>();
	#size = 0;

	/** @param room for all @param roomEach for each client */
	constructor(room: number, roomEach: number) {
		this.#room = room;
		this.#roomEach = roomEach;
	}

	get size(): number {
		return this.#size;
	}

	hasRoom(client: string): boolean {
		const own = this.#waiting.get(client)?.size ?? 0;
		if (own >= this.#roomEach) return false;
		return this.#size < this.#room || own + 1 < (this.#longest()?.[1].size ?? 0);
	}

	/** To be asked for room before. @returns what had to give its place */
	add(client: string, item: T): T | undefined {
		const displaced = this.#size < this.#room ? undefined : this.#displaced();
		const own = this.#waiting.get(client);
		if (own === undefined) this.#waiting.set(client, new Set([item]));
		else own.add(item);
		this.#size++;
		return displaced;
	}

	/** @returns false if it does not wait */
	delete(client: string, item: T): boolean {
		const own = this.#waiting.get(client);
		if (own?.delete(item) !== true) return false;
		if (own.size === 0) this.#waiting.delete(client);
		this.#size--;
		return true;
	}

	/** The next one, and its client's next turn comes after all others'. @param isFree may the client be served? */
	take(isFree: (client: string) => boolean): T | undefined {
		for (const [client, own] of this.#waiting) {
			if (!isFree(client)) continue;
			for (const item of own) {
				this.delete(client, item);
				if (this.#waiting.delete(client)) this.#waiting.set(client, own);
				return item;
			}
		}
		return undefined;
	}

	#longest(): readonly [client: string, own: Set<T>] | undefined {
		let longest: readonly [string, Set<T>] | undefined;
		for (const entry of this.#waiting) {
			if (longest === undefined || entry[1].size > longest[1].size) longest = entry;
		}
		return longest;
	}

	#displaced(): T | undefined {
		const [client, own] = this.#longest() ?? [];
		const newest = own === undefined ? undefined : [...own].at(-1);
		if (client !== undefined && newest !== undefined) this.delete(client, newest);
		return newest;
	}
}
