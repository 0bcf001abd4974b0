/**
 * A member's way to a `MemoryEngine`: the log of tests, with a fault at each call and on the way of each live record.
 * Deterministic: it waits for nothing but its faults, and reads no clock.
 */
import type { FleetRecord, NumberedRecord } from "../record.ts";
import {
	type Appended,
	type Connection,
	type FleetLog,
	LogError,
	type MemberStatus,
	type SeenStatus,
	type Snapshot,
	type Stop,
	type Tail,
} from "./log.ts";
import type { FaultPoint, KeptSnapshot, MemoryEngine } from "./memory-engine.ts";

export interface Faults {
	/** throws a LogError, or takes its time */
	readonly fault?: (point: FaultPoint) => void | Promise<void>;
	/** what becomes of a live record on its way here; a held one comes with `release` */
	readonly live?: (record: NumberedRecord) => "drop" | "double" | "hold" | undefined;
	/** bytes of `operations` as JSON; a larger record is refused */
	readonly maxRecordBytes?: number;
	readonly isReadOnly?: boolean;
}

const SERVER = "memory:0";
const SINCE = "1970-01-01T00:00:00.000Z";

export class MemoryLog implements FleetLog {
	readonly #engine: MemoryEngine;
	readonly #faults: Faults;
	readonly #takers = new Set<(record: NumberedRecord) => void>();
	readonly #hearers = new Set<(status: MemberStatus) => void>();
	readonly #watchers = new Set<(state: Connection) => void>();
	#held: NumberedRecord[] = [];
	/** how many have been shown of those that there were */
	#looks = 0;
	#cutOff: string | undefined;
	readonly #listener = {
		record: (record: NumberedRecord) => this.#hear(record),
		status: (status: MemberStatus) => {
			if (this.#cutOff === undefined) for (const tell of [...this.#hearers]) tell(status);
		},
	};

	constructor(engine: MemoryEngine, faults: Faults = {}) {
		this.#engine = engine;
		this.#faults = faults;
		engine.listeners.add(this.#listener);
	}

	async append(record: FleetRecord, _timeoutMs: number): Promise<Appended> {
		const bytes = Buffer.byteLength(JSON.stringify(record.operations));
		if (bytes > (this.#faults.maxRecordBytes ?? Number.POSITIVE_INFINITY))
			return { refused: "too_large", why: `${SERVER} does not take a record of ${bytes} bytes.` };
		if (this.#faults.isReadOnly === true)
			return { refused: "not_permitted", why: `${SERVER} does not let this member append.` };
		try {
			await this.#reach("append");
			const appended = this.#engine.append(record);
			await this.#reach("append answer");
			if (appended === "full") return { refused: "full", why: `The log of ${SERVER} is full.` };
			return appended;
		} catch (error) {
			if (error instanceof LogError && error.kind === "unreachable")
				return { unknown: error.message };
			throw error;
		}
	}

	async at(revision: number): Promise<NumberedRecord | "trimmed" | "not_yet"> {
		await this.#reach("at");
		if (revision < this.#engine.first) return "trimmed";
		return this.#engine.at(revision) ?? "not_yet";
	}

	async *read(from: number, to: number): AsyncIterable<NumberedRecord> {
		for (let revision = from; revision <= to; revision++) {
			await this.#reach("read");
			const found = this.#engine.at(revision);
			if (found === undefined) return;
			yield found;
		}
	}

	async tail(): Promise<Tail> {
		await this.#reach("tail");
		const { first, last, incarnation, bytes, maxBytes } = this.#engine;
		return { first, last, incarnation, bytes, maxBytes };
	}

	async newest(): Promise<NumberedRecord | undefined> {
		await this.#reach("newest");
		return this.#engine.at(this.#engine.last);
	}

	live(take: (record: NumberedRecord) => void): Stop {
		return added(this.#takers, take);
	}

	connection(tell: (state: Connection) => void): Stop {
		const stop = added(this.#watchers, tell);
		tell(this.#connection);
		return stop;
	}

	say(status: MemberStatus): void {
		if (this.#cutOff === undefined && !this.#engine.isMissing) this.#engine.say(status);
	}

	async seen(most = Number.POSITIVE_INFINITY): Promise<readonly SeenStatus[]> {
		await this.#reach("seen");
		const all = this.#engine.seen();
		if (all.length <= most) return all;
		this.#looks += most;
		const from = this.#looks % all.length;
		return [...all.slice(from), ...all.slice(0, from)].slice(0, most);
	}

	hear(tell: (status: MemberStatus) => void): Stop {
		return added(this.#hearers, tell);
	}

	async forget(member: string): Promise<void> {
		await this.#reachToChange("forget");
		this.#engine.statuses.delete(member);
	}

	readonly snapshots = {
		list: async () => {
			await this.#reach("list");
			return this.#newestFirst().map(([name, { revision }]) => ({ name, revision }));
		},
		open: async (name: string): Promise<Snapshot | undefined> => {
			await this.#reach("open");
			const kept = this.#engine.snapshots.get(name);
			return kept && { ...kept, entries: entriesOf(kept) };
		},
		put: async (snapshot: Snapshot): Promise<void> => {
			const entries: (readonly [string, string])[] = [];
			for await (const entry of snapshot.entries) entries.push(entry);
			await this.#reachToChange("put");
			const name = `s-${String(snapshot.revision).padStart(16, "0")}`;
			this.#engine.snapshots.set(name, { ...snapshot, entries });
		},
		trim: async (keep: number): Promise<void> => {
			await this.#reachToChange("trim");
			for (const [name] of this.#newestFirst().slice(keep)) this.#engine.snapshots.delete(name);
		},
	};

	async purge(upTo: number): Promise<void> {
		await this.#reachToChange("purge");
		this.#engine.purge(upTo);
	}

	async close(): Promise<void> {
		this.#engine.listeners.delete(this.#listener);
		this.#cutOff = "The log is closed.";
	}

	/** From now on nothing comes through, either way. */
	cut(why = `${SERVER} refuses the connection.`): void {
		this.#cutOff = why;
		for (const tell of [...this.#watchers]) tell(this.#connection);
	}

	restore(): void {
		this.#cutOff = undefined;
		for (const tell of [...this.#watchers]) tell(this.#connection);
	}

	/** Live records that were held come now. @param order of them, and which of them at all */
	release(
		order: (held: readonly NumberedRecord[]) => readonly NumberedRecord[] = (held) => held,
	): void {
		const held = order(this.#held);
		this.#held = [];
		if (this.#cutOff === undefined) for (const record of held) this.#tell(record);
	}

	get #connection(): Connection {
		return this.#cutOff === undefined
			? { isUp: true, server: SERVER, version: "memory", since: SINCE }
			: { isUp: false, why: this.#cutOff, since: SINCE };
	}

	async #reach(point: FaultPoint): Promise<void> {
		this.#assertReachable();
		await this.#faults.fault?.(point);
		this.#assertReachable();
	}

	async #reachToChange(point: FaultPoint): Promise<void> {
		await this.#reach(point);
		if (this.#faults.isReadOnly === true)
			throw new LogError("not_permitted", `${SERVER} does not let this member change anything.`);
	}

	#assertReachable(): void {
		if (this.#cutOff !== undefined) throw new LogError("unreachable", this.#cutOff);
		if (this.#engine.isMissing)
			throw new LogError(
				"missing",
				`${SERVER} holds no log of this fleet: \`weir fleet reseed\` on the member with the highest revision makes one.`,
			);
	}

	#hear(record: NumberedRecord): void {
		if (this.#cutOff !== undefined) return;
		const fate = this.#faults.live?.(record);
		if (fate === "drop") return;
		if (fate === "hold") this.#held.push(record);
		else this.#tell(record);
		if (fate === "double") this.#tell(record);
	}

	#tell(record: NumberedRecord): void {
		for (const take of [...this.#takers]) take(record);
	}

	#newestFirst(): (readonly [string, KeptSnapshot])[] {
		return [...this.#engine.snapshots].sort(([, one], [, other]) => other.revision - one.revision);
	}
}

function added<T>(all: Set<T>, one: T): Stop {
	all.add(one);
	return () => {
		all.delete(one);
	};
}

async function* entriesOf(kept: KeptSnapshot) {
	yield* kept.entries;
}
