/**
 * A machine's membership as the rest of weir sees it. The process room opens one where the config names a fleet
 * (`process/fleet/open-fleet.ts`); management answers from it.
 */
import type { WriteQueue } from "../store/write-queue.ts";
import type { MetricsSnapshot } from "../telemetry/metrics.ts";
import type { Connection, MemberState, MemberStatus, SeenStatus, Stop } from "./log/log.ts";
import type { LostSummary } from "./lost-records.ts";
import type { Position } from "./state.ts";

export interface OwnStatus {
	/** what it is, whether or not anybody can be told */
	readonly member: Pick<MemberStatus, "id" | "name" | "role" | "version" | "level" | "labels">;
	readonly position: Position | undefined;
	readonly state: MemberState;
	/** RFC 3339: in this state */
	readonly since: string;
	/** why it is not in sync, in a sentence */
	readonly why: string | undefined;
	readonly connection: Connection;
	/** last revision of the log that this machine knows of */
	readonly tail: number;
	/** what it had, and the fleet has no more */
	readonly lost: LostSummary;
}

/** How far the fleet is with one revision. */
export interface Spread {
	/** machines that have it, this one too, and machines seen of late */
	readonly applied: number;
	readonly of: number;
	/** names of those that have not */
	readonly missing: readonly string[];
}

/** One record of the log, for people. */
export interface LogEntry {
	readonly revision: number;
	readonly at: string;
	readonly key: string | undefined;
	readonly member: string;
	/** `["put", "p/site/all"]`: keys, not documents */
	readonly operations: readonly (readonly [kind: string, key: string])[];
	readonly isVoid: boolean;
}

export interface Fleet {
	/** where the store's writes wait */
	readonly queue: WriteQueue;
	status(): OwnStatus;
	/** as heard of; a machine that is cut off knows itself alone. @throws LogError */
	members(): Promise<readonly SeenStatus[]>;
	/** @throws LogError */
	forget(member: string): Promise<void>;
	/** this machine runs it. @returns false: not within the time */
	reached(revision: number, timeoutMs: number): Promise<boolean>;
	/**
	 * Somebody is about to write and will ask for its `spread`: from now on acknowledgements are heard, so that none is
	 * missed. To be stopped. @throws FleetError as many wait as may
	 */
	attend(): Stop;
	/** every machine seen of late runs it, with the same digest; resolves early when all do. @throws LogError, FleetError */
	spread(revision: number, timeoutMs: number): Promise<Spread>;
	/** newest first, below `before`. @throws LogError */
	history(limit: number, before: number | undefined): Promise<readonly LogEntry[]>;
	/** a sentence while the data path must not answer (`when_cut_off`), or has never had a state */
	readonly refusal: string | undefined;
	metrics(): MetricsSnapshot;
	close(): Promise<void>;
}
