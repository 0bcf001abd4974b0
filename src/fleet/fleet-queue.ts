/**
 * Where the store's writes wait in a fleet: those of one turn of the event loop share a record of the log, one batch is
 * on its way at a time, and each is answered once its record counts, is stored here and in force on this machine's
 * workers (docs/fleet.md, "Writes"). A machine that is cut off refuses at once and keeps nothing for later.
 */
import { LIMITS } from "../limits/limits.ts";
import type { Writes } from "../store/lmdb/database.ts";
import type { StoreError } from "../store/store-error.ts";
import type { WriteOrigin, WriteQueue } from "../store/write-queue.ts";
import {
	BatchWrite,
	type QueuedWrite,
	type Settled,
	type Try,
	type WriteParts,
} from "./batch-write.ts";
import { type Clock, sleep } from "./clock.ts";
import { FleetError } from "./fleet-error.ts";
import type { InForce } from "./in-force.ts";
import { LogError } from "./log/log.ts";
import type { Turns } from "./turns.ts";

export interface FleetQueueOptions {
	readonly parts: WriteParts;
	readonly turns: Turns;
	readonly inForce: Pick<InForce, "settled">;
	readonly clock: Clock;
	/** why this machine writes nothing now */
	readonly refusal: () => FleetError | undefined;
	/** the log could not be reached, or a record not be stored */
	readonly failed: (error: unknown) => void;
}

interface Waiting extends QueuedWrite {
	readonly resolve: (value: unknown) => void;
	readonly reject: (error: unknown) => void;
}

/** after a conflict, so that two do not go on meeting; and before the log is asked again what became of an append */
const CONFLICT_MS = 3;
/** so long after a conflict others are held to write still */
const CONTENDED_MS = 100;
const UNKNOWN_MS = 100;

export class FleetQueue implements WriteQueue {
	readonly #options: FleetQueueOptions;
	#waiting: Waiting[] = [];
	#inFlight = 0;
	#isWorking = false;
	/** others write, too */
	#contendedUntilMs = Number.NEGATIVE_INFINITY;
	#idle: (() => void)[] = [];
	#refusal: StoreError | undefined;

	constructor(options: FleetQueueOptions) {
		this.#options = options;
	}

	write<T>(operation: (transaction: Writes) => T, origin: WriteOrigin): Promise<T> {
		const refusal = this.#refusal ?? this.#options.refusal();
		if (refusal !== undefined) return Promise.reject(refusal);
		return new Promise<T>((resolve, reject) => {
			const settle = resolve as (value: unknown) => void;
			this.#waiting.push({ operation, origin, resolve: settle, reject });
			if (this.#isWorking) return;
			this.#isWorking = true;
			void this.#work();
		});
	}

	idle(): Promise<void> {
		if (!this.#isWorking && this.#inFlight === 0) return Promise.resolve();
		return new Promise((resolve) => {
			this.#idle.push(resolve);
		});
	}

	hold(refusal: StoreError): Promise<void> {
		this.#refusal = refusal;
		return this.idle();
	}

	release(): void {
		this.#refusal = undefined;
	}

	get isHeld(): boolean {
		return this.#refusal !== undefined;
	}

	/** What comes while a batch is on its way goes with the next one. */
	async #work(): Promise<void> {
		const { clock } = this.#options;
		await Promise.resolve();
		while (this.#waiting.length > 0) {
			const batch = this.#waiting.splice(0, LIMITS.fleetWritesPerRecord);
			this.#inFlight++;
			await this.#write(batch);
			// Who has won lets others win too, while there are any.
			if (clock.now() < this.#contendedUntilMs)
				await sleep(clock, clock.random() * LIMITS.fleetFairnessMs);
		}
		this.#isWorking = false;
		this.#tellIdle();
	}

	#tellIdle(): void {
		if (this.#isWorking || this.#inFlight > 0) return;
		for (const resolve of this.#idle.splice(0)) resolve();
	}

	/** Until the batch is in the log or refused; who is in it hears of it when that is in force. */
	async #write(batch: readonly Waiting[]): Promise<void> {
		try {
			const settled = await this.#settle(batch);
			if (settled !== undefined) return void this.#answer(batch, settled);
			// Too much for one record, or one of them is refused for all: in halves.
			const half = Math.ceil(batch.length / 2);
			this.#inFlight++;
			await this.#write(batch.slice(0, half));
			return await this.#write(batch.slice(half));
		} catch (error) {
			for (const { reject } of batch) reject(error);
		}
		this.#inFlight--;
	}

	async #answer(batch: readonly Waiting[], { outcomes, at }: Settled): Promise<void> {
		await this.#options.inForce.settled();
		for (const [index, { resolve, reject, origin }] of batch.entries()) {
			const outcome = outcomes[index] ?? { error: new Error("a write without an outcome") };
			if ("error" in outcome) {
				reject(outcome.error);
				continue;
			}
			if (at !== undefined) origin.onRevision?.(at.revision, at.digest);
			resolve(outcome.value);
		}
		this.#inFlight--;
		this.#tellIdle();
	}

	/** @returns undefined: to be split @throws FleetError, or what the store throws */
	async #settle(batch: readonly Waiting[]): Promise<Settled | undefined> {
		const { parts, turns, clock, refusal } = this.#options;
		const write = new BatchWrite(parts, batch);
		const untilMs = clock.now() + LIMITS.fleetWriteMs;
		let conflicts = 0;
		while (conflicts < LIMITS.fleetWriteTries && clock.now() < untilMs) {
			const result = await this.#try(write, () => turns.take(() => write.once()));
			if (result === "split") return undefined;
			if (typeof result === "object") return result;
			if (result === "again") {
				conflicts++;
				this.#contendedUntilMs = clock.now() + CONTENDED_MS;
			} else if (!write.isUncertain) break;
			// shorter each time: who has lost often comes first
			const ms = result === "again" ? (clock.random() * CONFLICT_MS) / conflicts : UNKNOWN_MS;
			await sleep(clock, ms);
		}
		if (write.isUncertain) throw UNCERTAIN;
		throw refusal() ?? (conflicts > 0 ? OUTRUN : UNREACHABLE);
	}

	/** A log that can't be reached has not answered. */
	async #try(write: BatchWrite, once: () => Promise<Try>): Promise<Try> {
		try {
			return await once();
		} catch (error) {
			if (!(error instanceof FleetError)) this.#options.failed(error);
			if (error instanceof LogError) return "unknown";
			// What may be in the log is not refused because it could not be stored here.
			throw write.isUncertain ? UNCERTAIN : error;
		}
	}
}

const UNCERTAIN = new FleetError(
	"ERR_FLEET_UNCERTAIN",
	"The fleet's engine did not say in time whether it has the change, or this machine could not store it: it will be on all machines or on none. Send the same request again: it has the same effect.",
);

const OUTRUN = new FleetError(
	"ERR_FLEET_UNAVAILABLE",
	"Other machines' writes came first too often; nothing was changed. Send the request again.",
);

const UNREACHABLE = new FleetError(
	"ERR_FLEET_UNAVAILABLE",
	"The fleet's engine did not answer; nothing was changed. Send the request again, or to another machine.",
);
