/**
 * Does the log hold, where this member stands, what this member holds? Asked after every connect, at every look at the
 * log's end, where a record does not fit, beside every own write, and of the whole ring before a snapshot is
 * uploaded (docs/fleet.md, "Applying"). It changes nothing.
 */
import { type Clock, sleep } from "./clock.ts";
import { type FleetLog, LogError, type Snapshot, type Tail } from "./log/log.ts";
import type { NumberedRecord } from "./record.ts";
import type { FleetState, Position } from "./state.ts";

/** `damaged`: what lies in the log where this member has a record is no record any more; it knows better */
export type RingVerdict = "agrees" | "differs" | "damaged";

/** how often, and how long after each other, a replica of the engine is asked for what its leader says it has */
const LOOKS = 50;
const LOOK_MS = 20;

export class Agreement {
	readonly #log: FleetLog;
	readonly #state: FleetState;
	readonly #clock: Clock;

	constructor(log: FleetLog, state: FleetState, clock: Clock) {
		this.#log = log;
		this.#state = state;
		this.#clock = clock;
	}

	/** From the last record that changed the state to the last that was taken. @throws LogError */
	async inSync(): Promise<boolean> {
		const { position } = this.#state;
		if (position === undefined) return false;
		const ring = this.#state.ring();
		let revision = Math.max(position.head, 1);
		while (revision <= position.applied) {
			const found = await this.at(revision);
			if (found === "not_yet") return false;
			if (found === "trimmed") {
				const vouched = await this.#vouchedFor(position);
				if (vouched === undefined) return false;
				revision = vouched + 1;
				continue;
			}
			if (!isMine(found, ring.get(revision)?.id, position)) return false;
			revision++;
		}
		return true;
	}

	/** Every record that both still have. @throws LogError */
	async wholeRing(): Promise<RingVerdict> {
		const ring = [...this.#state.ring()];
		const { first, last } = await this.#log.tail();
		const both = ring.filter(([revision]) => revision >= first);
		const [from] = both[0] ?? [];
		const [to] = both.at(-1) ?? [];
		if (from === undefined || to === undefined) return "agrees";
		if (to > last) return "differs";
		const ids = new Map<number, string | undefined>();
		for await (const { revision, record } of this.#log.read(from, to))
			ids.set(revision, record?.id);
		let verdict: RingVerdict = "agrees";
		for (const [revision, { id }] of both) {
			if (!ids.has(revision)) return "differs";
			const there = ids.get(revision);
			if (there === undefined && id !== "") verdict = "damaged";
			else if ((there ?? "") !== id) return "differs";
		}
		return verdict;
	}

	/** As the log's `at`, and asks again where a replica lags behind the one who decides. @throws LogError */
	async at(revision: number): Promise<NumberedRecord | "trimmed" | "not_yet"> {
		for (let look = 0; look < LOOKS; look++) {
			const found = await this.#log.at(revision);
			if (found !== "not_yet") return found;
			if ((await this.#log.tail()).last < revision) return found;
			await sleep(this.#clock, LOOK_MS);
		}
		throw new LogError(
			"unreachable",
			`The engine has revision ${revision} of the log and does not give it out: one of its servers lags behind the others.`,
		);
	}

	/** A snapshot of a history that the log has lost, or of another log, is none. @throws LogError */
	async isOfThisLog(
		snapshot: Snapshot,
		tail: Pick<Tail, "first" | "last" | "incarnation">,
	): Promise<boolean> {
		if (snapshot.incarnation !== tail.incarnation || snapshot.revision > tail.last) return false;
		if (snapshot.revision < tail.first) return true;
		const found = await this.at(snapshot.revision);
		if (found === "not_yet") return false;
		return found === "trimmed" || found.record === undefined || found.record.id === snapshot.id;
	}

	/** @returns the newest revision at which a snapshot has this member's state, if that is all that is trimmed */
	async #vouchedFor(position: Position): Promise<number | undefined> {
		const tail = await this.#log.tail();
		for (const { revision, name } of await this.#log.snapshots.list()) {
			if (revision > position.applied || revision < Math.max(position.head, tail.first - 1))
				continue;
			const snapshot = await this.#log.snapshots.open(name);
			if (snapshot === undefined || !(await this.isOfThisLog(snapshot, tail))) continue;
			return snapshot.digest === position.digest ? revision : undefined;
		}
		return undefined;
	}
}

/** @param own id of the ring at this revision; "" of what was no record */
function isMine(
	{ revision, record }: NumberedRecord,
	own: string | undefined,
	position: Position,
): boolean {
	// What is no record tells of no other history; where it was none from the start, it still has to be none.
	if (record === undefined) return true;
	if (own !== undefined) return own === record.id;
	if (revision === position.head) return record.after === position.digest;
	return record.before !== position.digest;
}
