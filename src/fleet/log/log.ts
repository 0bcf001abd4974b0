/**
 * The engine's part of a fleet behind one interface: an ordered log with compare-and-set, a word about every member,
 * snapshots. Implemented by `nats-log.ts` and, for tests, `memory-log.ts`; one suite judges both
 * (test/fleet/log). Used by the rest of this room, which knows nothing of NATS.
 */
import type { FleetRecord, NumberedRecord } from "../record.ts";

export type Appended =
	| { readonly revision: number }
	/** the log's last revision, which is not the record's base */
	| { readonly conflict: number }
	/** no answer: it may be in the log or not. Or it certainly is not: the engine can't be reached */
	| { readonly unknown: string }
	/** certainly not in the log, and trying again does not help: full, too large, not permitted */
	| { readonly refused: "full" | "too_large" | "not_permitted"; readonly why: string };

export interface Tail {
	/** oldest revision that the log still holds; last + 1 of an empty log */
	readonly first: number;
	/** 0: nothing was ever appended */
	readonly last: number;
	readonly incarnation: string;
	/** bytes in the log, and how many it may have */
	readonly bytes: number;
	readonly maxBytes: number;
}

export type Connection =
	| {
			readonly isUp: true;
			readonly server: string;
			readonly version: string;
			readonly since: string;
	  }
	/** in words, with the server's address */
	| { readonly isUp: false; readonly why: string; readonly since: string };

export type MemberState = "starting" | "in_sync" | "catching_up" | "cut_off" | "stuck" | "diverged";

/** What a member says of itself: acknowledgement and heartbeat in one. */
export interface MemberStatus {
	readonly id: string;
	readonly name: string;
	/** of weir */
	readonly version: string;
	/** highest that it understands */
	readonly level: number;
	readonly role: "manager" | "edge";
	readonly state: MemberState;
	/** in force on all its workers */
	readonly revision: number;
	/** 32 hex: of its whole state there */
	readonly digest: string;
	/** RFC 3339: in this state */
	readonly since: string;
	readonly labels: Readonly<Record<string, string>>;
	/** hash of its bounds (`limits` of the config) */
	readonly limits: string;
	/** records that it had and the fleet has no more; undefined: none, or an older weir */
	readonly lost?: number;
}

export interface SeenStatus {
	readonly status: MemberStatus;
	/** since it was said, by the engine's clock */
	readonly ageMs: number;
}

/** State at one revision: `entries` are the store's primary keys and values in the order of keys. */
export interface Snapshot {
	readonly revision: number;
	/** last revision that changed the state */
	readonly head: number;
	/** id of the record at `revision`; "" at 0 */
	readonly id: string;
	readonly digest: string;
	readonly level: number;
	readonly incarnation: string;
	readonly count: number;
	readonly entries: AsyncIterable<readonly [key: string, value: string]>;
}

/** Where the log is not as it must be; `message` is a sentence with the remedy. */
export class LogError extends Error {
	override readonly name = "LogError";
	/** `missing`: the engine answers and has no such log; `incarnation`: another log than the member's */
	readonly kind: "unreachable" | "missing" | "incarnation" | "not_permitted" | "unfit";
	constructor(kind: LogError["kind"], message: string) {
		super(message);
		this.kind = kind;
	}
}

export type Stop = () => void;

/** Every promise may reject with `LogError`. */
export interface FleetLog {
	/** Compare-and-set: only if `record.base` is the log's last revision. */
	append(record: FleetRecord, timeoutMs: number): Promise<Appended>;
	at(revision: number): Promise<NumberedRecord | "trimmed" | "not_yet">;
	/** from … to, both included, in order, without gaps; ends early where the log ends or is trimmed */
	read(from: number, to: number): AsyncIterable<NumberedRecord>;
	/** of the one who decides (the stream's leader) */
	tail(): Promise<Tail>;
	/** the last record, as any of the engine's servers has it, which may be behind; undefined: it has none */
	newest(): Promise<NumberedRecord | undefined>;
	/** Records as they are appended, by hearsay: may be lost, doubled, late. */
	live(take: (record: NumberedRecord) => void): Stop;
	/** tells how it is at once, then each change */
	connection(tell: (state: Connection) => void): Stop;
	/** Fire and forget. */
	say(status: MemberStatus): void;
	/** the last word of every member. @param most that many of them, if there are more: any, each time others */
	seen(most?: number): Promise<readonly SeenStatus[]>;
	hear(tell: (status: MemberStatus) => void): Stop;
	/** Its last word is dropped. */
	forget(member: string): Promise<void>;
	readonly snapshots: {
		/** newest first */
		list(): Promise<readonly { readonly revision: number; readonly name: string }[]>;
		open(name: string): Promise<Snapshot | undefined>;
		put(snapshot: Snapshot): Promise<void>;
		/** @param keep how many of the newest stay */
		trim(keep: number): Promise<void>;
	};
	/** Drops the log's records up to and with this revision. */
	purge(upTo: number): Promise<void>;
	close(): Promise<void>;
}
