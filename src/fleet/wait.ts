/**
 * Who waits for a revision (docs/fleet.md, "What an answer promises"): until this machine has it, or every machine seen
 * of late. Made by the member, which tells it of each revision that is in force; `Fleet` answers with it.
 */
import { LIMITS } from "../limits/limits.ts";
import { CLOCK, type Clock } from "./clock.ts";
import type { Spread } from "./fleet.ts";
import { FleetError } from "./fleet-error.ts";
import { type FleetLog, LogError, type MemberStatus, type Stop } from "./log/log.ts";
import { SpreadCount } from "./spread-count.ts";

export interface WaitOptions {
	readonly log: Pick<FleetLog, "hear" | "seen">;
	/** undefined: it has no state yet */
	readonly own: () => MemberStatus | undefined;
	readonly clock?: Clock;
}

/** own digests that are remembered, to compare with acknowledgements */
const DIGESTS = 256;
/**
 * Milliseconds until what members said last is read again while some are missing: a word that was on its way when the
 * first look was taken may be in neither. The last one goes on.
 */
const LOOKS_MS = [250, 1000, 5000];

/** It stands still, as a rule, with its connection open. */
const SILENT =
	"The engine has not said in time which machines there are: see whether nats-server is paused or overloaded, or wait for longer.";

interface Waiter {
	readonly revision: number;
	readonly tell: () => void;
}

export class Waits {
	readonly #options: WaitOptions;
	readonly #clock: Clock;
	readonly #waiters = new Set<Waiter>();
	readonly #counts = new Set<SpreadCount>();
	readonly #digests = new Map<number, string>();
	#attending = 0;
	#listeners = 0;
	#stopHearing: Stop | undefined;
	#reading: ReturnType<FleetLog["seen"]> | undefined;

	constructor(options: WaitOptions) {
		this.#options = options;
		this.#clock = options.clock ?? CLOCK;
	}

	/** This revision is in force on all workers of this machine. */
	applied(revision: number, digest: string): void {
		this.#digests.set(revision, digest);
		for (const oldest of this.#digests.keys()) {
			if (this.#digests.size <= DIGESTS) break;
			this.#digests.delete(oldest);
		}
		for (const waiter of this.#waiters) if (waiter.revision <= revision) waiter.tell();
		const own = this.#counts.size === 0 ? undefined : this.#options.own();
		if (own !== undefined) this.#heard(own);
	}

	/** @see Fleet.attend */
	attend(): Stop {
		if (this.#attending >= LIMITS.fleetWaiters) {
			throw new FleetError(
				"ERR_FLEET_UNAVAILABLE",
				`${LIMITS.fleetWaiters} requests wait for the fleet at this machine already, and there may be no more; nothing was changed. Send the request again later, or without "wait".`,
			);
		}
		this.#attending += 1;
		return this.#listen(() => {
			this.#attending -= 1;
		});
	}

	/** @see Fleet.reached */
	reached(revision: number, timeoutMs: number): Promise<boolean> {
		if ((this.#options.own()?.revision ?? -1) >= revision) return Promise.resolve(true);
		if (this.#waiters.size >= LIMITS.fleetWaiters) return Promise.resolve(false);
		return new Promise((resolve) => {
			const end = (isThere: boolean) => {
				stop();
				this.#waiters.delete(waiter);
				resolve(isThere);
			};
			const waiter = { revision, tell: () => end(true) };
			const stop = this.#clock.after(timeoutMs, () => end(false));
			this.#waiters.add(waiter);
		});
	}

	/** @see Fleet.spread */
	async spread(revision: number, timeoutMs: number): Promise<Spread> {
		const count = new SpreadCount(revision, () => this.#digests.get(revision));
		const stop = this.#listen(() => this.#counts.delete(count));
		this.#counts.add(count);
		try {
			return await this.#counted(count, Math.min(timeoutMs, LIMITS.fleetWaitMs));
		} finally {
			stop();
		}
	}

	#counted(count: SpreadCount, timeoutMs: number): Promise<Spread> {
		const own = this.#options.own();
		if (own !== undefined) count.hear(own);
		return new Promise((resolve, reject) => {
			let failure: unknown;
			let stopLook: Stop | undefined;
			const end = () => {
				stopTime();
				stopLook?.();
				count.onWhole = undefined;
				if (count.isKnown) resolve(count.result);
				else reject(failure ?? new LogError("unreachable", SILENT));
			};
			const stopTime = this.#clock.after(timeoutMs, end);
			count.onWhole = end;
			const look = async (turn: number): Promise<void> => {
				try {
					count.see(await this.#seen());
				} catch (error) {
					failure = error;
				}
				if (count.onWhole === undefined) return;
				const ms = LOOKS_MS[Math.min(turn, LOOKS_MS.length - 1)] ?? 0;
				stopLook = this.#clock.after(ms, () => void look(turn + 1));
			};
			void look(0);
		});
	}

	/** One look for all who ask at the same time. */
	#seen(): ReturnType<FleetLog["seen"]> {
		this.#reading ??= this.#options.log.seen().finally(() => {
			this.#reading = undefined;
		});
		return this.#reading;
	}

	#listen(stopped: () => void): Stop {
		this.#listeners += 1;
		this.#stopHearing ??= this.#options.log.hear((status) => this.#heard(status));
		let isOn = true;
		return () => {
			if (!isOn) return;
			isOn = false;
			stopped();
			this.#listeners -= 1;
			if (this.#listeners > 0) return;
			this.#stopHearing?.();
			this.#stopHearing = undefined;
		};
	}

	#heard(status: MemberStatus): void {
		for (const count of this.#counts) count.hear(status);
	}
}
