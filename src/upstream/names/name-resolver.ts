/**
 * The names of all backends of a worker, resolved in the background: requests never wait for DNS, but for the
 * very first answer. Shared by all backends, so that a name of many is looked up once. Made by the worker,
 * used by `backend-addresses.ts`.
 *
 * It does what those who come from other proxies expect of a name behind a backend. nginx, by default, looks
 * names up at its start and never again, and does not start without them; with `resolve` it goes by the time
 * to live. HAProxy looks them up by the system at its start and by its own resolvers afterwards, some seconds
 * apart. Envoy's `STRICT_DNS` uses all addresses of a name, looks again in the background, goes by the time to
 * live if told to, and keeps what it had while DNS fails. Here: as Envoy, by the time to live within bounds,
 * without ever holding up a start. Unlike Envoy and HAProxy, a name that is gone from DNS counts as failed,
 * too: its last addresses stay, and connections tell whether they still serve. The system's resolver decides,
 * as it does for nginx and curl, so that `localhost`, the hosts file and search domains work.
 */
import { LookupQueue } from "./lookup-queue.ts";
import { type NameLookups, SystemLookups } from "./name-lookups.ts";
import { type NameWatcher, type Timers, WatchedName } from "./watched-name.ts";

export interface NameResolverOptions {
	/** for logs: each failed lookup, whether addresses are known or not; some two a minute and name at most */
	readonly onLookupFailed: (name: string, message: string) => void;
	readonly lookups?: NameLookups;
	readonly timers?: Timers;
}

export const systemTimers: Timers = {
	after(delayMs, run) {
		const timer = setTimeout(run, delayMs).unref();
		return () => clearTimeout(timer);
	},
};

export class NameResolver {
	readonly #lookups: NameLookups;
	readonly #timers: Timers;
	readonly #onLookupFailed: (name: string, message: string) => void;
	readonly #queue = new LookupQueue();
	readonly #names = new Map<string, WatchedName>();

	constructor({
		onLookupFailed,
		lookups = new SystemLookups(),
		timers = systemTimers,
	}: NameResolverOptions) {
		this.#onLookupFailed = onLookupFailed;
		this.#lookups = lookups;
		this.#timers = timers;
	}

	/** names that are watched, or whose last lookup is still under way */
	get size(): number {
		return this.#names.size;
	}

	/**
	 * Tells what is known of the name before it returns, and what changes until the watch is ended.
	 * @returns ends the watch; the watcher hears nothing any more
	 */
	watch(name: string, watcher: NameWatcher): () => void {
		const watched = this.#names.get(name) ?? this.#add(name);
		watched.watch(watcher);
		return () => watched.unwatch(watcher);
	}

	#add(name: string): WatchedName {
		const watched = new WatchedName(name, {
			lookups: this.#lookups,
			timers: this.#timers,
			queue: this.#queue,
			onLookupFailed: this.#onLookupFailed,
			onUnused: () => this.#names.delete(name),
		});
		this.#names.set(name, watched);
		return watched;
	}
}
