/**
 * Follows the log: live records as they come, what they leave out from the log, a look at the log's end after each connect
 * and now and then, and a glance at its last record in between (docs/fleet.md, "Applying"). Knows when the machine is cut off, and says why.
 */
import { LIMITS } from "../limits/limits.ts";
import type { Applier, Stop as Outcome } from "./applier.ts";
import type { CatchUp } from "./catch-up.ts";
import type { Clock } from "./clock.ts";
import { type Connection, type FleetLog, LogError, type Stop, type Tail } from "./log/log.ts";
import type { NumberedRecord } from "./record.ts";
import type { Standing } from "./standing.ts";
import type { FleetState } from "./state.ts";
import type { Turns } from "./turns.ts";

export interface FollowerOptions {
	readonly log: FleetLog;
	readonly state: FleetState;
	readonly applier: Applier;
	readonly catchUp: CatchUp;
	readonly turns: Turns;
	readonly standing: Standing;
	readonly clock: Clock;
	/** after each look at the log's end that found this member there */
	readonly looked: (tail: Tail) => void;
	/** neither the log's nor the network's fault */
	readonly failed: (error: unknown) => void;
}

export class Follower {
	readonly #options: FollowerOptions;
	readonly #stops: Stop[] = [];
	#live = new Map<number, NumberedRecord>();
	#isDrainDue = false;
	/** a live record found no room */
	#wasFull = false;
	/** tells `reach` that a record has come */
	#wake: () => void = () => {};
	/** a look is due, and will see all that happened until it begins */
	#look: Promise<void> | undefined;
	#stopTimer: Stop | undefined;
	/** an engine that does not answer is asked again soon, but not by all at once */
	#stopRetry: Stop | undefined;
	#retries = 0;
	#glances = 0;
	#isClosed = false;
	#connection: Connection = { isUp: false, why: "not connected yet", since: "" };

	constructor(options: FollowerOptions) {
		this.#options = options;
	}

	get connection(): Connection {
		return this.#connection;
	}

	start(): void {
		const { log } = this.#options;
		this.#stops.push(
			log.live((numbered) => this.#hear(numbered)),
			log.connection((connection) => this.#connected(connection)),
		);
		this.#schedule();
	}

	close(): void {
		this.#isClosed = true;
		this.#stopTimer?.();
		this.#stopRetry?.();
		for (const stop of this.#stops) stop();
	}

	/** Resolves after a look at the log's end that began after now. */
	look(): Promise<void> {
		this.#look ??= this.#options.turns
			.take(() => {
				this.#look = undefined;
				return this.#lookNow();
			})
			.catch(() => undefined);
		return this.#look;
	}

	/**
	 * Takes live records until this revision is among them, in the turn of the caller, who knows that it is on its way.
	 * @returns false: they do not come, or do not fit; the log has to be asked
	 */
	async reach(revision: number): Promise<boolean> {
		const { state, clock } = this.#options;
		const isThere = () => (state.position?.applied ?? 0) >= revision;
		const untilMs = clock.now() + LIMITS.fleetLiveMs;
		while (!this.#isClosed && this.#connection.isUp) {
			if (this.#takeNext() !== "done") return false;
			const leftMs = untilMs - clock.now();
			if (isThere() || leftMs <= 0) break;
			await new Promise<void>((resolve) => {
				const stop = clock.after(leftMs, resolve);
				this.#wake = () => {
					stop();
					resolve();
				};
			});
		}
		return isThere();
	}

	/** What a failed way to the log means for this machine. */
	failed(error: unknown): void {
		const { standing, clock } = this.#options;
		this.#stopRetry?.();
		const most = LIMITS.fleetReconnectMs * 2 ** ++this.#retries;
		const ms = clock.random() * Math.min(most, LIMITS.fleetAskAgainMsMax);
		this.#stopRetry = clock.after(ms, () => void this.look());
		if (error instanceof LogError) standing.set("cut_off", error.message);
		else {
			const why = error instanceof Error ? error.message : String(error);
			standing.set("catching_up", `It could not take a record: ${why}`);
			this.#options.failed(error);
		}
	}

	async #lookNow(): Promise<void> {
		if (this.#isClosed || !this.#connection.isUp) return;
		try {
			const heard = [...this.#live.keys()];
			const tail = await this.#options.catchUp.run();
			this.#retries = 0;
			// They were taken from the log, or are not in it any more.
			for (const revision of heard) this.#live.delete(revision);
			if (tail !== undefined) this.#options.looked(tail);
		} catch (error) {
			this.failed(error);
		}
	}

	#connected(connection: Connection): void {
		this.#connection = connection;
		if (connection.isUp) void this.look();
		else this.#options.standing.set("cut_off", connection.why);
	}

	#schedule(): void {
		if (this.#isClosed) return;
		const ms = LIMITS.fleetTailCheckMs * (0.5 + this.#options.clock.random());
		this.#stopTimer = this.#options.clock.after(ms, () => {
			this.#schedule();
			void this.#glance();
		});
	}

	/**
	 * One of the engine's servers has this member's last record as its last: that is all that a look would find, but for a
	 * server that is behind, and at a fraction of its cost. So only some glances are looks, and those that find anything else.
	 */
	async #glance(): Promise<void> {
		const { log, standing, state, failed } = this.#options;
		const isLook = ++this.#glances % LIMITS.fleetTailChecksOfLeader === 0;
		try {
			if (!isLook && standing.state === "in_sync" && this.#connection.isUp) {
				const newest = await log.newest();
				const { head, applied } = state.position ?? { head: 0, applied: 0 };
				const own = state.ring().get(applied);
				const isThere = newest?.revision === applied && newest.record?.id === own?.id;
				if (isThere && own !== undefined && head === applied) return;
			}
		} catch (error) {
			// a look finds the same, and tells of it
			if (!(error instanceof LogError)) failed(error);
		}
		await this.look();
	}

	#hear(numbered: NumberedRecord): void {
		this.#options.catchUp.heardOf(numbered.revision);
		const applied = this.#options.state.position?.applied ?? 0;
		// One that finds no room is fetched.
		if (numbered.revision <= applied) return;
		if (this.#live.size >= LIMITS.fleetLiveBuffer) {
			this.#wasFull = true;
			return;
		}
		this.#live.set(numbered.revision, numbered);
		this.#wake();
		if (this.#isDrainDue) return;
		this.#isDrainDue = true;
		void this.#options.turns
			.take(async () => {
				this.#isDrainDue = false;
				await this.#drain();
			})
			.catch(() => undefined);
	}

	/** Takes what has come; for the rest it looks into the log. */
	async #drain(): Promise<void> {
		if (this.#isClosed || this.#options.standing.state !== "in_sync") return;
		try {
			const stop = this.#takeNext();
			// Too many at once: those without room are fetched now, all in one go, not at the next look.
			const wasFull = this.#wasFull;
			this.#wasFull = false;
			if (stop !== "done" || this.#live.size > 0 || wasFull) await this.#lookNow();
		} catch (error) {
			this.failed(error);
		}
	}

	/** Those that follow each other from where this member stands. */
	#takeNext(): Outcome {
		const { state, applier } = this.#options;
		const next: NumberedRecord[] = [];
		let revision = (state.position?.applied ?? 0) + 1;
		for (let found = this.#live.get(revision); found !== undefined; revision++) {
			next.push(found);
			found = this.#live.get(revision + 1);
		}
		const stop = applier.take(next);
		this.#forgetTaken();
		return stop;
	}

	#forgetTaken(): void {
		const applied = this.#options.state.position?.applied ?? 0;
		for (const revision of this.#live.keys()) if (revision <= applied) this.#live.delete(revision);
	}
}
