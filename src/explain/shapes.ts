/**
 * What an explanation is asked with, and what it answers (contract 2, "Explain"). The schema of the question validates it;
 * the schema of the answer types who makes it. Read by this room, by `management/` for both, and by `weir explain`.
 */
import { z } from "zod";
import { isFieldName, isFieldValue } from "../http/fields.ts";
import { parseAddress } from "../http/ip-address.ts";
import { LIMITS } from "../limits/limits.ts";
import { POLICY_ENDS } from "../policy/outcomes.ts";
import { ruleSchema } from "../policy/trace/shapes.ts";

const headerName = z.string().refine(isFieldName, {
	error: "must be the name of a header field: letters, digits and hyphens",
	params: { code: "invalid_header_name" },
});
const isClientAddress = (text: string): boolean =>
	!text.includes("%") && parseAddress(text) !== undefined;
const headerValue = z.string().refine(isFieldValue, {
	error: "must hold no line ends and no other control characters",
	params: { code: "invalid_header_value" },
});
const headers = z
	.record(headerName, z.union([headerValue, z.array(headerValue)]))
	.default({})
	.describe("By name; a list where a field has several lines.");
const bodyLength = z
	.union([z.int().min(0), z.literal("chunked")])
	.default(0)
	.describe("Bytes, or `chunked` where nothing tells how many. There is no body to explain.");

const explainedRequestSchema = z.strictObject({
	method: z.string().min(1).max(LIMITS.explainedMethodCharacters).default("GET"),
	url: z
		.string()
		.max(LIMITS.rewrittenUrlCharacters)
		.describe("`http://host/path?query` or `https://…`, as a client would ask for it."),
	headers,
	client_ip: z
		.string()
		.refine(isClientAddress, {
			error: "must be an IPv4 or IPv6 address",
			params: { code: "invalid_address" },
		})
		.default("127.0.0.1")
		.describe("The address that the connection comes from."),
	body_length: bodyLength,
});

export const explainSchema = z.strictObject({
	request: explainedRequestSchema,
	response: z
		.strictObject({
			status: z.int().min(200).max(599).default(200),
			headers,
			body_length: bodyLength,
		})
		.optional()
		.describe("What the backend answers, for outbound rules. Absent: they are not run."),
	now: z.iso
		.datetime({ offset: true })
		.optional()
		.describe("For `time.now`, in RFC 3339. Absent: now."),
	policy: z
		.unknown()
		.optional()
		.describe("A policy in place of the stored one, bare or in `module`. Nothing is stored."),
});
export type ExplainQuestion = z.infer<typeof explainSchema>;
export type ExplainedRequest = z.infer<typeof explainedRequestSchema>;

const outcome = z.enum(["not_run", "continue", ...POLICY_ENDS]);
const lines = z.array(z.tuple([z.string(), z.string()]));
const phase = z.strictObject({
	outcome: outcome.describe("not_run: there was nothing to run it on; `reason` says why."),
	reason: z.string().describe("One sentence."),
	rules: z.array(ruleSchema),
});

const chosenSchema = z.strictObject({
	edge_id: z.string(),
	route_id: z.string(),
	hostport: z.string().describe("Of the edge, by which the host was found; empty: it was not."),
	match_type: z.string(),
	match: z.string(),
	why: z.string().describe("One sentence."),
	reached: z.boolean().describe("Would the data path choose it for this request?"),
});
export type ChosenRoute = z.infer<typeof chosenSchema>;

const nearSchema = z.strictObject({
	edge_id: z.string(),
	route_id: z.string().nullable(),
	match: z.string().describe("The hostport, or the route's match."),
	why_not: z.string(),
});
export type NearRoute = z.infer<typeof nearSchema>;

export const explanationSchema = z.strictObject({
	now: z.string(),
	request: z.strictObject({
		method: z.string(),
		url: z.string(),
		client_ip: z.string().describe("After `trusted_proxies` and `x-forwarded-for`."),
		listener: z.string().describe("The one that the request was taken to come to."),
	}),
	route: chosenSchema.nullable(),
	near: z.array(nearSchema).describe("What was close, and why it was not chosen."),
	policy: z.strictObject({
		source: z.enum(["stored", "given", "none"]),
		etag: z.string().nullable(),
		enabled: z.boolean(),
	}),
	inbound: phase,
	upstream: z
		.strictObject({
			urls: z.array(z.string()),
			method: z.string(),
			target: z.string(),
			headers: lines,
		})
		.nullable()
		.describe("What a backend would get; null: the request would not go there."),
	outbound: phase,
	answer: z
		.strictObject({
			by: z
				.string()
				.describe("`backend`, `closed`, or what ended the request, as access lines tell it."),
			status: z.int(),
			headers: lines,
			content: z.string().nullable().describe("null: the backend's."),
		})
		.nullable()
		.describe("What the client would get; null: whatever the backend answers."),
	notes: z.array(z.string()).describe("What else is worth knowing; sentences."),
});
export type Explanation = z.infer<typeof explanationSchema>;
export type PhaseExplanation = z.infer<typeof phase>;
