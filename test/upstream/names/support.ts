/** A clock and lookups that do what a test says, for the resolution of names. */
import { fail, ok, type Result } from "../../../src/errors.ts";
import type { NameLookups } from "../../../src/upstream/names/name-lookups.ts";
import { NameResolver } from "../../../src/upstream/names/name-resolver.ts";
import type { DnsRecord } from "../../../src/upstream/names/time-to-live.ts";
import type { NameWatcher, Timers } from "../../../src/upstream/names/watched-name.ts";

export class ManualTimers implements Timers {
	nowMs = 0;
	readonly #pending = new Set<{ readonly atMs: number; readonly run: () => void }>();

	get pending(): number {
		return this.#pending.size;
	}

	/** milliseconds until each, shortest first */
	get delays(): readonly number[] {
		return [...this.#pending].map(({ atMs }) => atMs - this.nowMs).sort((a, b) => a - b);
	}

	after(delayMs: number, run: () => void): () => void {
		const timer = { atMs: this.nowMs + delayMs, run };
		this.#pending.add(timer);
		return () => this.#pending.delete(timer);
	}

	advance(byMs: number): void {
		const untilMs = this.nowMs + byMs;
		for (;;) {
			const due = [...this.#pending].filter(({ atMs }) => atMs <= untilMs);
			const [next] = due.sort((a, b) => a.atMs - b.atMs);
			if (next === undefined) break;
			this.#pending.delete(next);
			this.nowMs = next.atMs;
			next.run();
		}
		this.nowMs = untilMs;
	}
}

interface Question<T> {
	readonly name: string;
	readonly answer: (value: T) => void;
}

export class ScriptedLookups implements NameLookups {
	/** under way, oldest first */
	readonly lookups: Question<Result<readonly string[], string>>[] = [];
	readonly questions: Question<readonly DnsRecord[]>[] = [];
	/** what DNS is asked for is answered with this at once, unless undefined */
	known: readonly DnsRecord[] | undefined = [];

	addresses(name: string, answer: (result: Result<readonly string[], string>) => void): void {
		this.lookups.push({ name, answer });
	}

	records(
		name: string,
		_addresses: readonly string[],
		answer: (records: readonly DnsRecord[]) => void,
	): void {
		if (this.known === undefined) this.questions.push({ name, answer });
		else answer(this.known);
	}

	get names(): readonly string[] {
		return this.lookups.map(({ name }) => name);
	}

	/** Answers the oldest lookup of the name; throws if there is none. */
	found(name: string, ...addresses: string[]): void {
		this.#take(name).answer(ok(addresses));
	}

	failed(name: string, message = `no ${name}`): void {
		this.#take(name).answer(fail(message));
	}

	#take(name: string): Question<Result<readonly string[], string>> {
		const at = this.lookups.findIndex((each) => each.name === name);
		const [lookup] = at < 0 ? [] : this.lookups.splice(at, 1);
		if (lookup === undefined) throw new Error(`nobody looks ${name} up`);
		return lookup;
	}
}

/** A watcher that writes down what it hears: addresses, or a message. */
export class Listener implements NameWatcher {
	readonly heard: (readonly string[] | string)[] = [];

	onAddresses(addresses: readonly string[]): void {
		this.heard.push(addresses);
	}

	onFailed(message: string): void {
		this.heard.push(message);
	}
}

export interface Resolving {
	readonly resolver: NameResolver;
	readonly timers: ManualTimers;
	readonly lookups: ScriptedLookups;
	/** what the log heard */
	readonly log: string[];
}

export function resolving(): Resolving {
	const timers = new ManualTimers();
	const lookups = new ScriptedLookups();
	const log: string[] = [];
	const resolver = new NameResolver({
		lookups,
		timers,
		onLookupFailed: (name, message) => log.push(`${name}: ${message}`),
	});
	return { resolver, timers, lookups, log };
}
