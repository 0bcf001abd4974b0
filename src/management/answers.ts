/**
 * Shapes of what the API answers and nobody writes. Handlers are typed by them, and the published description
 * (`openapi.ts`) is made from them, so that neither says something else than the other. Documents that clients write
 * have schemas of their own, which validate them.
 */
import { z } from "zod";
import { codesOf } from "../error-code-origins.ts";
import { CANDIDATE_RESULTS, DIFFERENCES, NOT_COMPARED } from "../telemetry/candidate-report.ts";

export const errorSchema = z.strictObject({
	error_code: z.enum(codesOf("api")).describe("Never changes its meaning."),
	status_code: z.int().describe("The answer's status."),
	msg: z.string().describe("For people."),
	details: z
		.record(z.string(), z.string())
		.describe("`operation_id`, and of each problem its JSON pointer with its sentences."),
	problems: z.array(
		z.strictObject({
			pointer: z.string().describe("JSON pointer (RFC 6901) into what was sent."),
			code: z.string().describe("Stable."),
			message: z.string().describe("For people."),
		}),
	),
});

export const healthSchema = z.strictObject({
	status: z.literal("ok"),
	front: z.enum(["on", "off", "unavailable"]).describe("Who reads the clients of the data path."),
	management_front: z.enum(["on", "off", "unavailable"]).describe("And those of this API."),
});

export const readinessSchema = z.strictObject({ status: z.literal("ready") });

export const listedPolicySchema = z.strictObject({
	id: z.string(),
	edge_id: z.string(),
	uri: z.string(),
	attached: z.boolean().describe("Is there a route that it applies to?"),
});
export type ListedPolicy = z.infer<typeof listedPolicySchema>;

export const listedPolicyVersionSchema = z.strictObject({
	version: z.int().min(1).describe("Its number: grows by one with each change of the policy."),
	uri: z.string(),
	etag: z.string().describe("Of the policy as it was."),
	size: z.int().describe("Bytes of the policy's JSON."),
	in_force: z.boolean().describe("Is it what is stored now?"),
	created_at: z
		.string()
		.nullable()
		.describe("UTC, with milliseconds. null: it was stored before versions were kept."),
	key_id: z.string().nullable().describe("Of the API key that changed it, as audit lines have it."),
	key_name: z.string().nullable(),
	request_id: z.string().nullable().describe("Of the request that changed it."),
	rolled_back_to: z.int().nullable().describe("Of a rollback, the version that was asked for."),
});
export type ListedPolicyVersion = z.infer<typeof listedPolicyVersionSchema>;

export const transactedSchema = z.strictObject({
	operations: z.array(
		z.strictObject({
			path: z.string(),
			result: z.enum(["created", "changed", "unchanged", "deleted"]),
			etag: z
				.union([z.string(), z.null()])
				.describe("Of what is stored now; null: it was deleted."),
			warnings: z
				.array(z.strictObject({ pointer: z.string(), code: z.string(), message: z.string() }))
				.describe("About the document, as header lines of a PUT have them."),
		}),
	),
});
export type Transacted = z.infer<typeof transactedSchema>;

export const listedIpListSchema = z.strictObject({
	id: z.string(),
	uri: z.string(),
	description: z.string(),
	entry_count: z.int().min(0),
});
export type ListedIpList = z.infer<typeof listedIpListSchema>;

const listedRateLimitSchema = z.strictObject({
	id: z.string().describe("Its number in the policy, from 0."),
	keys_uri: z.string(),
	rule: z.int().min(0),
	rule_name: z.string(),
	action: z.int().min(0),
	name: z.string(),
	capacity: z.int(),
	rate: z.string(),
	bucket_key: z.array(z.string()).describe("In the order in which a path has the parts of a key."),
	enforce: z.boolean(),
	config: z.record(z.string(), z.unknown()).describe("As stored."),
	live_keys: z.int().min(0),
	admitted: z.int().min(0).describe("Requests; at most a second old."),
	rejected: z.int().min(0),
});
export type ListedRateLimit = z.infer<typeof listedRateLimitSchema>;

export const rateLimitsSchema = z.strictObject({
	rate_limits: z.array(listedRateLimitSchema),
	more: z.int().min(0).describe("Rate-limits that are not told of."),
});

export const rateLimitKeySchema = z.strictObject({
	key: z.array(z.string()),
	capacity: z.int(),
	used: z.int(),
	remaining: z.int(),
	limited: z.boolean(),
	frees_in_seconds: z.int().min(0).describe("Until there is more room; 0: nothing is used."),
});
export type RateLimitKey = z.infer<typeof rateLimitKeySchema>;

const count = z.int().min(0);

const verdictSchema = z.strictObject({
	outcome: z.string().describe("`continue`: it let the request pass; else how it ended it."),
	status: z
		.int()
		.nullable()
		.describe("Of the answer; 0: the connection is closed; null: nobody asked a backend."),
	rule: z
		.strictObject({ phase: z.enum(["inbound", "outbound"]), index: count, name: z.string() })
		.nullable()
		.describe("That ended it."),
});

const comparisonShape = {
	result: z.enum(CANDIDATE_RESULTS),
	stored: verdictSchema.describe("What the stored policy did."),
	candidate: verdictSchema.describe("What the candidate would have done."),
};

export const candidateReportSchema = z.strictObject({
	etag: z.string().describe("Of the candidate."),
	since: z
		.int()
		.describe("Milliseconds since 1970: it was put, the policy was changed, or a start."),
	requests: count.describe("Of the route."),
	compared: count,
	sampled: z.number().describe("Share of the requests that were compared."),
	same: count,
	would_block: count.describe("They passed, and the candidate would have refused them."),
	would_pass: count.describe("They were refused, and the candidate would have let them pass."),
	different: count.describe("Another status, answer, URL or header."),
	not_compared: z.strictObject(
		Object.fromEntries(NOT_COMPARED.map((why) => [why, count])) as Record<
			(typeof NOT_COMPARED)[number],
			typeof count
		>,
	),
	cpu_us_per_request: z
		.number()
		.nullable()
		.describe("Microseconds of a worker that the candidate took, on average."),
	by_rule: z.array(z.strictObject({ ...comparisonShape, count })),
	by_rule_left_out: count.describe("Comparisons beyond the list's bound."),
	samples: z.array(
		z.strictObject({
			...comparisonShape,
			differs: z.array(z.enum(DIFFERENCES)),
			ts: z.int(),
			request_id: z.string(),
			client_ip: z.string(),
			method: z.string(),
			host: z.string(),
			path: z.string(),
		}),
	),
	note: z.string().nullable().describe("In a fleet: whose requests these are."),
});
export type CandidateReport = z.infer<typeof candidateReportSchema>;
