/** What a replay reports; `schemas/replay.json` is made of this. Made by `tally.ts`, told by `weir replay`. */
import { z } from "zod";
import { POLICY_ENDS } from "../policy/outcomes.ts";

const count = z.int().min(0);

const countsSchema = z.strictObject({
	now_blocked: count.describe("Requests that passed or were answered, and are refused now."),
	now_passed: count.describe("Requests that were refused, and are not any more."),
	changed: count.describe("Requests that get another answer, or reach the backend changed."),
});

const cameSchema = z.strictObject({
	outcome: z
		.enum(["passed", "unknown", ...POLICY_ENDS])
		.describe("passed: to the backend; unknown: nothing tells who answered."),
	status: z
		.int()
		.min(0)
		.describe("0: no answer was sent, or it would be the backend's, which the log does not hold."),
	phase: z.string().nullable(),
	rule: z.int().min(0).nullable(),
	rule_name: z.string(),
	rate_limit: z.string().nullable(),
});

const sampleSchema = z.strictObject({
	file: z.string(),
	line: z.int().min(1),
	time: z.string().describe("When the request began."),
	request_id: z.string(),
	edge_id: z.string(),
	route_id: z.string(),
	client_ip: z.string(),
	method: z.string(),
	host: z.string(),
	path: z.string(),
	difference: z.enum(["now_blocked", "now_passed", "changed"]),
	uncertain: z.boolean().describe("A policy read something that the line does not hold."),
	before: cameSchema,
	after: cameSchema,
});
export type Sample = z.infer<typeof sampleSchema>;

const replaySchema = z.strictObject({
	compared_with: z
		.enum(["log", "policy"])
		.describe("The new policy with what the log says, or with the policy of --against."),
	complete: z.boolean().describe("false: the replay was ended before the log was."),
	from: z.string().nullable().describe("When the first request began, in RFC 3339."),
	until: z.string().nullable().describe("When the last request ended."),
	lines: z.strictObject({
		read: count,
		requests: count.describe("Lines that were replayed."),
		refused: count.describe("Of requests that were refused while they were read."),
		before_policies: count.describe("Of requests that weir answered before any policy: no route."),
		other_routes: count.describe("Of routes that were not to be replayed."),
		other: count.describe("Other lines of weir's log."),
		bad: count.describe("Lines that can't be read."),
		first_bad: z.strictObject({ file: z.string(), line: z.int(), why: z.string() }).nullable(),
		late: count.describe("Lines that came too late to be put into the order of starts."),
		sampled: count.describe("Lines that stand for several requests (`log.access_sample`)."),
	}),
	requests: z.strictObject({
		same: count,
		...countsSchema.shape,
		unknown: count.describe("What the log lacks decides whether they differ."),
		uncertain: count.describe("Of those that differ: a policy read what the line does not hold."),
	}),
	agreement: z
		.strictObject({ same: count, other: count })
		.nullable()
		.describe("How the policy of --against, simulated, compares with what the log says."),
	rules: z
		.array(
			z.strictObject({
				of: z.enum(["new", "old"]).describe("Which policy, or the log's, the rule stands in."),
				phase: z.string(),
				rule: z.int(),
				rule_name: z.string(),
				rate_limit: z.string().nullable(),
				...countsSchema.shape,
			}),
		)
		.describe("Rules that ended the requests that differ: the new policy's, else the old one's."),
	routes: z.array(
		z.strictObject({ edge_id: z.string(), route_id: z.string(), ...countsSchema.shape }),
	),
	clients: z.array(z.strictObject({ client_ip: z.string(), ...countsSchema.shape })),
	paths: z.array(z.strictObject({ path: z.string(), ...countsSchema.shape })),
	samples: z.array(sampleSchema),
	lacks: z
		.array(z.strictObject({ what: z.string(), lines: count, effect: z.string() }))
		.describe("What policies read that the log does not hold."),
	keys_forgotten: count.describe("Keys of rate-limits that were too many (`counters.keys_max`)."),
});
export type ReplayReport = z.infer<typeof replaySchema>;

/** For programs that read `weir replay --json`; `npm run docs` writes it to `schemas/`. */
export const replayDocumentSchema = (): object => ({
	title: "weir replay",
	description: "What `weir replay --json` prints.",
	...z.toJSONSchema(replaySchema),
});
