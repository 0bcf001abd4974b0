/**
 * The one schema of policy documents (contract 3 and 5): it yields the TypeScript types, the defaults of
 * what is stored and the published JSON Schema. It holds what can be said about one value alone; what needs
 * several values, a phase or a compiler is in `validate.ts`, which is what everyone calls.
 */
import { z } from "zod";
import { LIMITS } from "../../limits/limits.ts";
import { parseKeyElement } from "../actions/rate-limit/bucket-key.ts";
import { parseRate } from "../actions/rate-limit/duration.ts";

/** At most `bytes` of UTF-8; the published schema can say it in characters only, which is weaker. */
const text = (bytes: number) =>
	z
		.string()
		.superRefine((value, context) => {
			const size = Buffer.byteLength(value);
			if (size <= bytes) return;
			context.addIssue({ code: "custom", message: `is ${size} bytes long; at most ${bytes}` });
		})
		.meta({ maxLength: bytes });

const name = z.string().max(LIMITS.nameCharacters);

const statusCode = z.int().min(LIMITS.statusCodeMin).max(LIMITS.statusCodeMax);

const INTERPOLATED = "May hold ${CEL expression}; $${ is a literal ${.";

export const urlRewriteConfig = z.strictObject({
	from: text(LIMITS.patternBytes)
		.min(1)
		.describe("Pattern in RE2 syntax; meets the whole normalised URL, unanchored."),
	to: text(LIMITS.replacementBytes).describe(
		"Replaces every match. $1…$9, ${1}, $name: groups; $args, $query_string, $is_args, $uri, " +
			"$request_uri, $arg_NAME, $scheme, $host: parts of the URL; $$ is a literal $.",
	),
	format: z
		.enum(["nginx", "cel"])
		.optional()
		.describe("nginx (default), or cel: then `to` may hold ${CEL expression}."),
});

export const customResponseConfig = z.strictObject({
	status_code: statusCode.optional().describe("Default 200."),
	content: text(LIMITS.contentBytes).optional().describe(`Body, default empty. ${INTERPOLATED}`),
	headers: z
		.record(z.string(), text(LIMITS.headerValueBytes))
		.meta({ maxProperties: LIMITS.headersPerAction })
		.optional()
		.describe(`Header values by name; no framing or hop-by-hop headers. ${INTERPOLATED}`),
	content_type: text(LIMITS.headerValueBytes)
		.optional()
		.describe("The same as the header content-type, in its place."),
});

export const denyConfig = z.strictObject({
	status_code: statusCode.optional().describe("Default 403."),
});

export const logConfig = z.strictObject({
	metadata: z
		.record(
			z.string(),
			z.union([
				text(LIMITS.contentBytes),
				z.number(),
				z.boolean(),
				z.record(z.string(), z.unknown()).describe("Kept as given."),
			]),
		)
		.meta({ maxProperties: LIMITS.headersPerAction })
		.optional()
		.describe(`Logged as given; strings may be filled in. ${INTERPOLATED}`),
});

export const rateLimitConfig = z.strictObject({
	name: name.optional().describe("A name for this rate limit."),
	algorithm: z.literal("sliding_window").optional(),
	capacity: z
		.int()
		.min(LIMITS.capacityMin)
		.max(LIMITS.capacityMax)
		.describe("Requests admitted in any window of length `rate`."),
	rate: z
		.string()
		.superRefine((value, context) => {
			const parsed = parseRate(value);
			if (!parsed.ok) context.addIssue({ code: "custom", message: parsed.error });
		})
		.describe("Go duration, a whole multiple of 10s, from 60s to 24h, e.g. 90s, 10m, 1h30m."),
	bucket_key: z
		.array(
			z.string().superRefine((value, context) => {
				const parsed = parseKeyElement(value);
				if (!parsed.ok) context.addIssue({ code: "custom", message: parsed.error });
			}),
		)
		.meta({ maxItems: LIMITS.bucketKeyElements, uniqueItems: true })
		.optional()
		.describe(
			"req.host, conn.client_ip, req.headers['name'] or getReqHeader('Name'); none: one bucket for all.",
		),
	enforce: z
		.boolean()
		.optional()
		.describe("Default true; false counts and reports, but never rejects."),
});

const urlRewrite = z.strictObject({ type: z.literal("url-rewrite"), config: urlRewriteConfig });
const rateLimit = z.strictObject({ type: z.literal("rate-limit"), config: rateLimitConfig });
const deny = z.strictObject({ type: z.literal("deny"), config: denyConfig.default({}) });
const log = z.strictObject({ type: z.literal("log"), config: logConfig.default({}) });
const customResponse = z.strictObject({
	type: z.literal("custom-response"),
	config: customResponseConfig.default({}),
});

const inboundAction = z.discriminatedUnion("type", [
	urlRewrite,
	customResponse,
	deny,
	log,
	rateLimit,
]);
const outboundAction = z.discriminatedUnion("type", [customResponse, log]);

const ruleOf = <T extends typeof inboundAction | typeof outboundAction>(action: T) =>
	z.strictObject({
		name: name.default("").describe("Shown in logs and problems."),
		expressions: z
			.array(text(LIMITS.expressionBytes))
			.meta({ maxItems: LIMITS.expressionsPerRule })
			.default([])
			.describe("CEL expressions; the rule applies if all are true, or if there are none."),
		actions: z
			.array(action)
			.meta({ minItems: 1, maxItems: LIMITS.actionsPerRule })
			.describe("Run in order; nothing may follow deny or custom-response."),
	});

/** What the rules of both phases have in common. */
export const ruleSchema = ruleOf(outboundAction);

export const ACTION_SCHEMAS = {
	"url-rewrite": urlRewriteConfig,
	"custom-response": customResponseConfig,
	deny: denyConfig,
	log: logConfig,
	"rate-limit": rateLimitConfig,
} as const;

export const policySchema = z
	.strictObject({
		enabled: z
			.boolean()
			.default(true)
			.describe("false: traffic passes as if there were no module."),
		inbound: z
			.array(ruleOf(inboundAction))
			.default([])
			.describe("Rules for requests, applied in order."),
		outbound: z
			.array(ruleOf(outboundAction))
			.default([])
			.describe("Rules for responses, applied in order."),
	})
	.describe("Traffic policy module of one route.");

/** As stored and answered: defaults of the module, rules and actions filled in, configs as submitted. */
export type PolicyDocument = z.infer<typeof policySchema>;
export type ActionDocument = z.infer<typeof inboundAction>;
export type RuleDocument = PolicyDocument["inbound"][number] | PolicyDocument["outbound"][number];
export type ActionType = ActionDocument["type"];

/** Action types in each phase (contract 3). */
export const ACTION_TYPES: {
	readonly inbound: readonly ActionType[];
	readonly outbound: readonly ActionType[];
} = {
	inbound: ["url-rewrite", "custom-response", "deny", "log", "rate-limit"],
	outbound: ["custom-response", "log"],
};

/** Bounds that an operator may raise (contract 1, `limits`). */
export interface PolicyLimits {
	readonly rulesPerPhase: number;
}

/** The published JSON Schema (draft 2020-12) of what a client may send. */
export function policyJsonSchema(
	limits: PolicyLimits = { rulesPerPhase: LIMITS.rulesPerPhase },
): object {
	const schema = z.toJSONSchema(policySchema, { io: "input", target: "draft-2020-12" });
	for (const phase of ["inbound", "outbound"]) {
		const rules = schema.properties?.[phase];
		if (typeof rules === "object") rules.maxItems = limits.rulesPerPhase;
	}
	return { title: "Traffic policy", ...schema };
}
