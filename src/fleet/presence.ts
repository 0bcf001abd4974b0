/**
 * What members tell of themselves (docs/fleet.md, "Presence"): acknowledgement and heartbeat in one message, said every
 * ten seconds, at each change of state, and after applying. Made by the member; `Fleet.members` and `/metrics` ask it.
 */
import { LIMITS } from "../limits/limits.ts";
import { CLOCK, type Clock } from "./clock.ts";
import type { OthersSeen } from "./fleet-counts.ts";
import type { FleetLog, MemberState, MemberStatus, SeenStatus, Stop } from "./log/log.ts";
import { twinSentence } from "./twins.ts";

export interface PresenceOptions {
	readonly log: Pick<FleetLog, "say" | "seen">;
	/** undefined: it has no state yet, so there is nothing to tell */
	readonly own: () => MemberStatus | undefined;
	/** told once of each set of machines with other bounds */
	readonly warn: (sentence: string) => void;
	readonly clock?: Clock;
}

/** As others see it: who is silent is cut off, whatever it said last. */
export const stateOf = ({ status, ageMs }: SeenStatus): MemberState =>
	ageMs > LIMITS.fleetAliveMs ? "cut_off" : status.state;

export const MEMBER_STATES: readonly MemberState[] = [
	...(["starting", "in_sync", "catching_up"] as const),
	...(["cut_off", "stuck", "diverged"] as const),
];

export function countsOf(members: readonly SeenStatus[]): Readonly<Record<MemberState, number>> {
	const counts = Object.fromEntries(MEMBER_STATES.map((state) => [state, 0])) as Record<
		MemberState,
		number
	>;
	for (const member of members) counts[stateOf(member)] += 1;
	return counts;
}

const HEARTBEAT_SPREAD_MS = 4000;
/** what is read of the others stays good for so long */
const FRESH_MS = 1000;
/**
 * Every member that is asked for its metrics reads of every other one, which takes the engine about 30 µs a status: with a
 * pause that grows with the square of their number that is 3 % of a core, for 1,000 as for 10.
 */
const pauseMs = (members: number): number => Math.min(Math.max(members ** 2, 10_000), 900_000);

export class Presence {
	readonly #options: PresenceOptions;
	readonly #clock: Clock;
	#heartbeat: Stop | undefined;
	#pending: Stop | undefined;
	#saidMs = Number.NEGATIVE_INFINITY;
	/** let go when it is old: of 1,000 members each would keep what 1,000 have said */
	#seen: readonly SeenStatus[] | undefined;
	#stopForgetting: Stop | undefined;
	/** what stays of them */
	#others: (OthersSeen & { readonly members: number }) | undefined;
	#glancedMs = Number.NEGATIVE_INFINITY;
	/** more than are looked at */
	#isCrowd = false;
	#reading: Promise<readonly SeenStatus[]> | undefined;
	/** of before a revision that this machine has now: others may have it, too */
	#isStale = false;
	#triedMs = Number.NEGATIVE_INFINITY;
	#warnedOf = "";
	#warnedOfTwin: string | undefined;

	constructor(options: PresenceOptions) {
		this.#options = options;
		this.#clock = options.clock ?? CLOCK;
	}

	/** Says it, and goes on to. */
	start(): void {
		this.#say();
		this.#beat();
	}

	stop(): void {
		this.#heartbeat?.();
		this.#pending?.();
		this.#stopForgetting?.();
		this.#heartbeat = undefined;
		this.#pending = undefined;
	}

	/** The state is another, or the engine is back. */
	changed(): void {
		this.#say();
	}

	/** A revision is in force here. @param isAwaited somebody waits for this word */
	applied(isAwaited: boolean): void {
		this.#isStale = true;
		const waitMs = this.#saidMs + LIMITS.fleetAckMs - this.#clock.now();
		if (isAwaited || waitMs <= 0) this.#say();
		else this.#pending ??= this.#clock.after(waitMs, () => this.#say());
	}

	/** By name; this machine as it is now. @throws LogError */
	async members(): Promise<readonly SeenStatus[]> {
		const isFresh = this.#seen !== undefined && !this.#isStale;
		return this.#withOwn((isFresh ? this.#seen : undefined) ?? (await this.#read()));
	}

	/** As read of late; reads again behind the caller's back when that is old. */
	others(): OthersSeen | undefined {
		if (this.#isDue()) void this.#read().catch(() => undefined);
		if (this.#others === undefined) return undefined;
		const { counts, differing } = this.#others;
		const own = this.#options.own();
		if (own === undefined) return { counts, differing };
		return { counts: { ...counts, [own.state]: counts[own.state] + 1 }, differing };
	}

	/** It is time to read of all again. */
	#isDue(): boolean {
		return this.#clock.now() - this.#triedMs >= pauseMs(this.#others?.members ?? 0);
	}

	/**
	 * Twins and other bounds are told of where nobody asks, too: a few are looked at, and all if there is something
	 * among them, so that it does not cost more, the more machines there are.
	 */
	async #glance(): Promise<void> {
		const now = this.#clock.now();
		const pause = this.#isCrowd ? LIMITS.fleetAuditMs : 0;
		if (!this.#isDue() || now - this.#glancedMs < pause) return;
		this.#glancedMs = now;
		const some = await this.#options.log.seen(LIMITS.fleetAuditSample);
		this.#isCrowd = some.length >= LIMITS.fleetAuditSample;
		const own = this.#options.own();
		const isTwin = own !== undefined && twinSentence(own, some) !== undefined;
		if (!this.#isCrowd) this.#take(some);
		else if (isTwin || this.#differing(some).length > 0) await this.#read();
	}

	/** Members that were told of others' bounds, not this machine's. */
	#differing(members: readonly SeenStatus[]): readonly SeenStatus[] {
		const own = this.#options.own();
		if (own === undefined) return [];
		return members.filter(
			(each) => each.status.limits !== own.limits && each.ageMs <= LIMITS.fleetAliveMs,
		);
	}

	#read(): Promise<readonly SeenStatus[]> {
		this.#reading ??= this.#readOnce().finally(() => {
			this.#reading = undefined;
		});
		return this.#reading;
	}

	async #readOnce(): Promise<readonly SeenStatus[]> {
		this.#triedMs = this.#clock.now();
		this.#isStale = false;
		try {
			const members = await this.#options.log.seen();
			this.#take(members);
			return members;
		} catch (error) {
			this.#seen = undefined;
			this.#others = undefined;
			throw error;
		}
	}

	#take(members: readonly SeenStatus[]): void {
		const own = this.#options.own();
		const others = members.filter(({ status }) => status.id !== own?.id);
		const differing = this.#differing(members);
		this.#seen = members;
		this.#others = {
			members: members.length,
			counts: countsOf(others),
			differing: differing.length,
		};
		this.#stopForgetting?.();
		this.#stopForgetting = this.#clock.after(FRESH_MS, () => {
			this.#seen = undefined;
		});
		this.#warnOf(differing);
		this.#warnOfTwin(members);
	}

	#warnOf(differing: readonly SeenStatus[]): void {
		const names = differing.map(({ status }) => status.name).sort();
		const key = names.join(" ");
		if (key === this.#warnedOf) return;
		this.#warnedOf = key;
		if (names.length === 0) return;
		const named = names.slice(0, LIMITS.fleetMissingNamed).join(", ");
		const more = names.length - LIMITS.fleetMissingNamed;
		this.#options.warn(
			`The limits of this machine's configuration differ from those of ${named}${more > 0 ? ` and ${more} more` : ""}: a document that one of them takes may be too much for another. Write the same "limits" on all machines of the fleet.`,
		);
	}

	#warnOfTwin(members: readonly SeenStatus[]): void {
		const own = this.#options.own();
		const sentence = own && twinSentence(own, members);
		if (sentence !== undefined && sentence !== this.#warnedOfTwin) this.#options.warn(sentence);
		this.#warnedOfTwin = sentence;
	}

	#withOwn(members: readonly SeenStatus[]): readonly SeenStatus[] {
		const own = this.#options.own();
		const others =
			own === undefined ? members : members.filter((each) => each.status.id !== own.id);
		return [...others, ...(own === undefined ? [] : [{ status: own, ageMs: 0 }])].sort(byName);
	}

	#beat(): void {
		const early = LIMITS.fleetHeartbeatMs - HEARTBEAT_SPREAD_MS / 2;
		const ms = early + this.#clock.random() * HEARTBEAT_SPREAD_MS;
		this.#heartbeat = this.#clock.after(ms, () => {
			this.#say();
			this.#glance().catch(() => undefined);
			this.#beat();
		});
	}

	#say(): void {
		this.#pending?.();
		this.#pending = undefined;
		this.#saidMs = this.#clock.now();
		const own = this.#options.own();
		if (own !== undefined) this.#options.log.say(own);
	}
}

const keyOf = ({ status }: SeenStatus): string => `${status.name} ${status.id}`;

/** What pages of members are in the order of. */
const byName = (left: SeenStatus, right: SeenStatus): number =>
	keyOf(left) < keyOf(right) ? -1 : 1;
