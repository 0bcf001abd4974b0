/** Shapes of what the API answers about a fleet. Handlers and the published description are made from them, as from those of `answers.ts`. */
import { z } from "zod";

const stateSchema = z.enum([
	...(["starting", "in_sync", "catching_up"] as const),
	...(["cut_off", "stuck", "diverged"] as const),
]);

const fleetMemberSchema = z.strictObject({
	id: z.string(),
	name: z.string(),
	version: z.string().describe("Of weir."),
	level: z.int().describe("The highest that it understands."),
	role: z.enum(["manager", "edge"]),
	state: stateSchema.describe("`cut_off`: it has said nothing for 30 seconds, or says so itself."),
	revision: z.int().min(0).describe("In force on all its workers."),
	digest: z.string().describe("Of its state there."),
	behind: z.int().min(0).describe("Records of the log that it lacks."),
	since: z.string().describe("In this state, RFC 3339."),
	last_seen_ms: z.int().min(0),
	labels: z.record(z.string(), z.string()),
	lost: z.int().min(0).describe("Changes that it had and the fleet has no more."),
});
export type FleetMember = z.infer<typeof fleetMemberSchema>;

const engineSchema = z.strictObject({
	connected: z.boolean(),
	server: z.string().nullable(),
	version: z.string().nullable(),
	since: z.string(),
	why: z.string().nullable().describe("It is not connected."),
});
export type FleetEngine = z.infer<typeof engineSchema>;

const spreadSchema = z.strictObject({
	revision: z.int().min(0),
	applied: z.int().min(0).describe("Machines that have it, this one too."),
	of: z.int().min(0).describe("Machines seen within 30 seconds."),
	missing: z.array(z.string()).describe("Names of those that lack it."),
});

const lostSchema = z.strictObject({
	records: z.int().min(0),
	unverified: z
		.int()
		.min(0)
		.describe("More, written by this machine: so old that nobody can tell whether they are lost."),
	files: z.array(z.string()).describe("Of this machine, where they are kept."),
});

export const fleetSchema = z.union([
	z.strictObject({ fleet: z.null().describe("This machine is in none.") }),
	z.strictObject({
		fleet: z.string(),
		revision: z.int().min(0).describe("This machine's."),
		tail_revision: z.int().min(0).describe("The last of the log that it knows of."),
		digest: z.string(),
		level: z.int(),
		incarnation: z.string().describe("Of the log; another one after `weir fleet reseed`."),
		member: z.string().describe("Id of this machine."),
		state: stateSchema,
		since: z.string(),
		message: z.string().nullable().describe("For people: why it is not in sync."),
		engine: engineSchema,
		lost: lostSchema.describe("Changes that this machine had and nobody has given back."),
		counts: z.record(stateSchema, z.int().min(0)),
		members: z.array(fleetMemberSchema),
		next_page_uri: z.string().nullable(),
		spread: spreadSchema.nullable().describe("Of the revision that was asked for."),
	}),
]);
export type FleetView = z.infer<typeof fleetSchema>;

export const fleetLogSchema = z.strictObject({
	entries: z.array(
		z.strictObject({
			revision: z.int().min(1),
			at: z.string(),
			member: z.string().describe("Id of the machine that wrote it."),
			key_id: z.string().nullable().describe("Of the API key; null: a command."),
			void: z.boolean().describe("It did not fit the state before it and changed nothing."),
			operations: z.array(
				z.strictObject({
					kind: z.string().describe("put, delete, or delete-range: all that begins with the key."),
					key: z.string().describe("`e/EDGE`, `r/EDGE/ROUTE`, `p/EDGE/ROUTE`, `l/LIST`, `k/KEY`."),
				}),
			),
			operations_left_out: z.int().min(0),
		}),
	),
	next_page_uri: z.string().nullable(),
});
export type FleetLogPage = z.infer<typeof fleetLogSchema>;
