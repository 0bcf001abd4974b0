/**
 * A record of the fleet's log: one accepted batch of changes of the store's primary keys, with the digest of the whole
 * state before and after it (docs/fleet.md, "The log").
 */

/** On primary keys of `store/layout.ts`; values are exactly the store's bytes, digest first. */
export type Operation =
	| readonly ["put", key: string, value: string]
	| readonly ["delete", key: string]
	/** every primary key that begins with `prefix`, which ends in `/` */
	| readonly ["delete-range", prefix: string];

export interface FleetRecord {
	/** 22 random characters, base64url: tells whose append came through */
	readonly id: string;
	/** the revision that it was decided on */
	readonly base: number;
	/** 32 hex: digest of the whole state before and after it */
	readonly before: string;
	readonly after: string;
	/** of the whole fleet from here on */
	readonly level: number;
	/** member that wrote it, `m_…` */
	readonly by: string;
	/** somebody waits: members say at once that they have it */
	readonly isAwaited: boolean;
	/** RFC 3339; for people */
	readonly at: string;
	/** id of the API key of the first write in it; for people */
	readonly key?: string | undefined;
	readonly operations: readonly Operation[];
}

/** As it travels; `record-codec.ts` makes it and reads it. */
export interface EncodedRecord {
	/** `weir-format`, `weir-id`, `weir-base`, … */
	readonly headers: Readonly<Record<string, string>>;
	/** JSON, or deflated */
	readonly body: Uint8Array;
}

export interface NumberedRecord {
	readonly revision: number;
	/** undefined: what lies there is no sound record, so void for everybody */
	readonly record: FleetRecord | undefined;
}
