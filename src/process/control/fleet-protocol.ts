/**
 * The part of the control socket's language (`protocol.ts`) about the machine's fleet: what `weir fleet` asks the
 * supervisor, and the answers as the command reads them.
 */
import { z } from "zod";
import { LIMITS } from "../../limits/limits.ts";

const text = z.string().max(LIMITS.controlLineBytes);

export const fleetRequests = [
	z.strictObject({ do: z.literal("fleet-status") }),
	z.strictObject({
		do: z.literal("fleet-log"),
		limit: z.int().min(1).max(LIMITS.fleetLogShown),
		before: z.int().min(1).exactOptional(),
	}),
	z.strictObject({ do: z.literal("fleet-raise") }),
	/** by its id */
	z.strictObject({ do: z.literal("fleet-forget"), member: text }),
	/** the file is read by the supervisor */
	z.strictObject({
		do: z.literal("fleet-restore"),
		file: z.string().max(LIMITS.filePathCharacters),
	}),
] as const;

export type FleetRequest = z.infer<(typeof fleetRequests)[number]>;

const position = z.object({
	fleet: z.string(),
	incarnation: z.string(),
	applied: z.number(),
	head: z.number(),
	digest: z.string(),
	level: z.number(),
});

const state = z.enum(["starting", "in_sync", "catching_up", "cut_off", "stuck", "diverged"]);
const role = z.enum(["manager", "edge"]);

const memberStatus = z.object({
	id: z.string(),
	name: z.string(),
	version: z.string(),
	level: z.number(),
	role,
	state,
	revision: z.number(),
	digest: z.string(),
	since: z.string(),
	labels: z.record(z.string(), z.string()),
	lost: z.number().optional(),
});

const connection = z.discriminatedUnion("isUp", [
	z.object({
		isUp: z.literal(true),
		server: z.string(),
		version: z.string(),
		since: z.string(),
	}),
	z.object({ isUp: z.literal(false), why: z.string(), since: z.string() }),
]);

/** What `fleet-status` is answered with. */
export const fleetStatus = z.object({
	own: z.object({
		member: z.object({ id: z.string(), name: z.string(), role }),
		position: position.optional(),
		state,
		since: z.string(),
		why: z.string().optional(),
		connection,
		tail: z.number(),
		/** a supervisor of an older version does not say it */
		lost: z
			.object({ records: z.number(), unverified: z.number(), files: z.array(z.string()) })
			.default({ records: 0, unverified: 0, files: [] }),
	}),
	/** why the data path does not answer */
	refusal: z.string().optional(),
	/** undefined: they can't be asked now */
	members: z.array(z.object({ status: memberStatus, ageMs: z.number() })).optional(),
	/** highest level that the supervisor's version understands */
	level: z.number(),
});

export type FleetStatus = z.infer<typeof fleetStatus>;

/** What `fleet-log` is answered with. */
export const fleetLog = z.array(
	z.object({
		revision: z.number(),
		at: z.string(),
		key: z.string().optional(),
		member: z.string(),
		operations: z.array(z.tuple([z.string(), z.string()])),
		isVoid: z.boolean(),
	}),
);

export type ShownLog = z.infer<typeof fleetLog>;

/** What `fleet-raise` is answered with. */
export const fleetRaised = z.object({
	/** of the fleet now */
	level: z.number(),
	/** of the fleet, where it rose; undefined: it had this level */
	revision: z.number().optional(),
});

export type FleetRaised = z.infer<typeof fleetRaised>;

/** What `fleet-restore` is answered with. */
export const fleetRestored = z.object({
	/** documents that were written, and deleted */
	written: z.number(),
	deleted: z.number(),
	/** the fleet's revision that holds it; undefined: nothing was different */
	revision: z.number().optional(),
});

export type FleetRestored = z.infer<typeof fleetRestored>;
