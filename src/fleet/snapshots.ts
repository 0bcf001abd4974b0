/**
 * Uploads a snapshot of the state when the newest one lies far behind, and trims the log up to the second newest
 * (docs/fleet.md, "Snapshots"). Any manager does, whoever comes first; two at the same time are harmless. Its whole ring
 * is compared with the log before: a snapshot speaks for all that is trimmed.
 */
import { LIMITS } from "../limits/limits.ts";
import type { Agreement } from "./agreement.ts";
import { type Clock, sleep } from "./clock.ts";
import type { FleetLog, Snapshot, Tail } from "./log/log.ts";
import type { FleetState, Position } from "./state.ts";
import type { Turns } from "./turns.ts";

export interface SnapshotsOptions {
	readonly log: FleetLog;
	readonly state: FleetState;
	readonly agreement: Agreement;
	readonly turns: Turns;
	readonly clock: Clock;
	/** milliseconds since 1970: what is young stays in the log */
	readonly wallNow: () => number;
	readonly failed: (error: unknown) => void;
}

export class Snapshots {
	readonly #options: SnapshotsOptions;
	/** of the newest one that is known of */
	#newest: number | undefined;
	#isDue = false;

	constructor(options: SnapshotsOptions) {
		this.#options = options;
	}

	/** Called when the member stands at the log's end. */
	async consider(tail: Tail): Promise<void> {
		if (this.#isDue || !this.isDue(tail)) return;
		this.#isDue = true;
		try {
			const { clock } = this.#options;
			this.#newest = await this.#newestRevision();
			if (!this.isDue(tail)) return;
			await sleep(clock, clock.random() * LIMITS.fleetSnapshotPauseMs);
			this.#newest = await this.#newestRevision();
			if (this.isDue(tail)) await this.upload();
		} catch (error) {
			this.#options.failed(error);
		} finally {
			this.#isDue = false;
		}
	}

	/** @returns false: this member may not speak for the fleet now @throws LogError */
	async upload(): Promise<boolean> {
		const { log, turns } = this.#options;
		const snapshot = await turns.take(() => this.#made());
		if (typeof snapshot === "string") return snapshot === "there";
		await log.snapshots.put(snapshot);
		this.#newest = snapshot.revision;
		await this.#trim();
		return true;
	}

	/** With the id of the log's record there, which a state that came from a snapshot may not know. */
	async #made(): Promise<Snapshot | "there" | "not now"> {
		const { state, agreement } = this.#options;
		const { position } = state;
		if (position === undefined || !(await this.mayUpload())) return "not now";
		if (await this.#isThere(position)) return "there";
		const found = position.applied === 0 ? "trimmed" : await agreement.at(position.applied);
		const id = typeof found === "object" ? found.record?.id : undefined;
		// Made last: until it is uploaded, it keeps the store's pages as they are.
		const snapshot = state.snapshot();
		return id === undefined ? snapshot : { ...snapshot, id };
	}

	async #isThere({ applied, digest, incarnation }: Position): Promise<boolean> {
		const { log } = this.#options;
		const found = (await log.snapshots.list()).find(({ revision }) => revision === applied);
		const other = found && (await log.snapshots.open(found.name));
		return other?.digest === digest && other.incarnation === incarnation;
	}

	/** It stands at the log's end, and its whole ring is in the log. */
	async mayUpload(): Promise<boolean> {
		const { log, state, agreement } = this.#options;
		const { last } = await log.tail();
		if (state.position === undefined || state.position.applied !== last) return false;
		return (await agreement.inSync()) && (await agreement.wholeRing()) !== "differs";
	}

	isDue({ first, last, bytes, maxBytes }: Tail): boolean {
		const since = last - (this.#newest ?? 0);
		const sinceBytes = (since * bytes) / Math.max(1, last - first + 1);
		return (
			since >= LIMITS.fleetSnapshotRecords ||
			(since > 0 && sinceBytes >= Math.min(LIMITS.fleetSnapshotBytes, maxBytes / 4))
		);
	}

	async #newestRevision(): Promise<number | undefined> {
		return (await this.#options.log.snapshots.list())[0]?.revision;
	}

	/** Snapshots of a history that the log has lost count for nothing, and stay until they are the oldest. */
	async #trim(): Promise<void> {
		const { log, agreement } = this.#options;
		const tail = await log.tail();
		const sound: number[] = [];
		let seen = 0;
		for (const { revision, name } of await log.snapshots.list()) {
			if (sound.length === LIMITS.fleetSnapshotsKept) break;
			seen++;
			const snapshot = await log.snapshots.open(name);
			if (snapshot !== undefined && (await agreement.isOfThisLog(snapshot, tail)))
				sound.push(revision);
		}
		await log.snapshots.trim(seen);
		const [, second] = sound;
		if (second === undefined) return;
		const isFull = tail.bytes > tail.maxBytes / 2;
		const upTo = isFull ? second : await this.#oldUpTo(tail, second);
		if (upTo >= tail.first) await log.purge(upTo);
	}

	/** The last record up to `limit` that is neither one of the last many nor young. */
	async #oldUpTo({ first, last }: Tail, limit: number): Promise<number> {
		let low = first - 1;
		let high = Math.min(limit, last - LIMITS.fleetLogRecordsKept);
		while (low < high) {
			const middle = Math.ceil((low + high) / 2);
			if (await this.#isOld(middle)) low = middle;
			else high = middle - 1;
		}
		return low;
	}

	async #isOld(revision: number): Promise<boolean> {
		const found = await this.#options.log.at(revision);
		if (found === "trimmed") return true;
		if (found === "not_yet") return false;
		const at = Date.parse(found.record?.at ?? "");
		return !(at > this.#options.wallNow() - LIMITS.fleetLogMsKept);
	}
}
