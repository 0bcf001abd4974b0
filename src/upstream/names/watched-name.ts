/**
 * One name and its watchers, the backends that want to know its addresses. The name is looked up at once, and again
 * whenever its time to live is over, one lookup at a time, as long as it has a watcher. Addresses once found stay
 * until others are found. Made by `name-resolver.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { LookupQueue } from "./lookup-queue.ts";
import type { NameLookups } from "./name-lookups.ts";
import { refreshAfterMs } from "./time-to-live.ts";

export interface Timers {
	/** The timer keeps no process alive. @returns cancels the timer; does nothing once it has fired */
	after(delayMs: number, run: () => void): () => void;
}

export interface NameWatcher {
	/** The addresses have changed; there is at least one. Old ones keep their order, new ones follow. */
	onAddresses(addresses: readonly string[]): void;
	/** No addresses are known, and a lookup failed or takes long. Further lookups follow. */
	onFailed(message: string): void;
}

export interface WatchedNameOptions {
	readonly lookups: NameLookups;
	readonly timers: Timers;
	readonly queue: LookupQueue;
	/** a lookup failed, whether addresses are known or not */
	readonly onLookupFailed: (name: string, message: string) => void;
	/** The name has no watcher, and no lookup is under way. */
	readonly onUnused: () => void;
}

/** Servers rotate their answers, so order alone is no change. */
const merged = (known: readonly string[], found: readonly string[]): readonly string[] => {
	const fresh = new Set(found);
	const staying = known.filter((address) => fresh.has(address));
	const all = [...new Set([...staying, ...fresh])].slice(0, LIMITS.addressesPerName);
	const same = all.length === known.length && all.every((address, at) => address === known[at]);
	return same ? known : all;
};

export class WatchedName {
	readonly #name: string;
	readonly #options: WatchedNameOptions;
	readonly #watchers = new Set<NameWatcher>();
	#addresses: readonly string[] = [];
	/** of the last lookup; of interest while there are no addresses */
	#failure: string | undefined;
	/** consecutive failed lookups */
	#failures = 0;
	/** Cancels the timer that runs until the first answer; undefined before the first watch. */
	#cancelLate: (() => void) | undefined;
	/** Cancels the timer of the next lookup; undefined while one is under way. */
	#cancelNext: (() => void) | undefined;

	constructor(name: string, options: WatchedNameOptions) {
		this.#name = name;
		this.#options = options;
	}

	/** Tells the watcher the addresses or the failure, if known, before it returns. */
	watch(watcher: NameWatcher): void {
		this.#watchers.add(watcher);
		if (this.#addresses.length > 0) watcher.onAddresses(this.#addresses);
		else if (this.#failure !== undefined) watcher.onFailed(this.#failure);
		if (this.#cancelLate === undefined) this.#begin();
	}

	unwatch(watcher: NameWatcher): void {
		if (!this.#watchers.delete(watcher)) return;
		if (this.#cancelNext !== undefined) this.#endIfUnused();
	}

	#begin(): void {
		this.#cancelLate = this.#options.timers.after(LIMITS.nameFirstLookMs, () =>
			this.#tellFailure(`looking up ${this.#name} takes long`),
		);
		this.#look();
	}

	/** A lookup can't be cancelled: a name without watchers stays until its answer is there. */
	#look(): void {
		const { lookups, queue } = this.#options;
		this.#cancelNext = undefined;
		queue.add(this.#failures > 0, (leave) => {
			if (this.#watchers.size === 0) {
				leave();
				this.#endIfUnused();
				return;
			}
			lookups.addresses(this.#name, (result) => {
				leave();
				if (!result.ok) this.#failed(result.error);
				else if (result.value.length > 0) this.#found(result.value);
				else this.#failed(`${this.#name} has no address`);
			});
		});
	}

	#found(found: readonly string[]): void {
		this.#cancelLate?.();
		this.#failures = 0;
		const addresses = merged(this.#addresses, found);
		const changed = addresses !== this.#addresses;
		this.#addresses = addresses;
		if (changed) for (const watcher of this.#watchers) watcher.onAddresses(addresses);
		this.#options.lookups.records(this.#name, found, (records) =>
			this.#lookAfter(refreshAfterMs(found, records)),
		);
	}

	#failed(message: string): void {
		this.#cancelLate?.();
		const delayMs = Math.min(LIMITS.nameRetryMs * 2 ** this.#failures, LIMITS.nameRetryMaxMs);
		this.#failures += 1;
		this.#tellFailure(message);
		this.#lookAfter(delayMs);
	}

	#tellFailure(message: string): void {
		this.#options.onLookupFailed(this.#name, message);
		if (this.#addresses.length > 0) return;
		this.#failure = message;
		for (const watcher of this.#watchers) watcher.onFailed(message);
	}

	#lookAfter(delayMs: number): void {
		this.#cancelNext = this.#options.timers.after(delayMs, () => this.#look());
		this.#endIfUnused();
	}

	#endIfUnused(): void {
		if (this.#watchers.size > 0) return;
		this.#cancelNext?.();
		this.#cancelLate?.();
		this.#options.onUnused();
	}
}
