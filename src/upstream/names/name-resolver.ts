/**
 * The names of all backends of a worker, resolved in the background: a request waits for DNS only while its backend
 * has never had an address. Shared by all backends, so that a name of several backends is looked up once. Made by
 * `../create-upstream.ts`, used by `backend-addresses.ts`.
 *
 * Other proxies treat the name of a backend in different ways. nginx, by default, looks names up at its start and
 * never again, and does not start without them; with `resolve` it goes by the time to live. HAProxy asks the system
 * at its start and its own resolvers afterwards, some seconds apart. Envoy's `STRICT_DNS` uses all addresses of a
 * name, looks again in the background, goes by the time to live if told to, and keeps the last addresses while DNS
 * fails. weir does as Envoy, by the time to live within bounds, and a name never holds up the start. Unlike Envoy
 * and HAProxy, weir takes a name that has vanished from DNS for a failed lookup, too: its last addresses stay, and
 * connections tell whether they still serve. The system's resolver decides, as it does for nginx and curl, so that
 * `localhost`, the hosts file and search domains work.
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

	/** how many names are watched, or have a lookup under way; for tests */
	get size(): number {
		return this.#names.size;
	}

	/**
	 * Tells the watcher the name's addresses or failure, if known, before it returns; then every change.
	 * @returns ends the watch: the watcher is not called any more
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
