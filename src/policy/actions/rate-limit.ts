/** rate-limit (contract 5): counts admitted requests per bucket; over capacity means 429. */
import { z } from "zod";
import { fail, ok } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import { INTERPOLATED, name, text } from "../document/fields.ts";
import type { FieldProblem } from "../programs/problem.ts";
import type { Action, Prepare } from "./action.ts";
import { parseRate } from "./rate-limit/duration.ts";
import { ALGORITHM, COUNTS_REQUESTS, limitOf } from "./rate-limit/limit.ts";
import { clientControlledKey } from "./rate-limit/lint.ts";
import { RateLimit } from "./rate-limit/run.ts";
import { WeighedRateLimit } from "./rate-limit/weighed-run.ts";

const config = z.strictObject({
	name: name.optional().describe("A name for this rate limit."),
	algorithm: z.literal(ALGORITHM).optional().describe("The only one there is."),
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
		.array(text(LIMITS.expressionBytes))
		.meta({ maxItems: LIMITS.bucketKeyElements, uniqueItems: true })
		.optional()
		.describe(
			"req.host, conn.client_ip, req.headers['name'], getReqHeader('Name'), or any CEL expression that yields a string, int, uint, bool, double, or a list or map of these; none: one bucket for all.",
		),
	ipv6_prefix: z
		.int()
		.min(1)
		.max(LIMITS.ipv6PrefixMax)
		.optional()
		.describe(
			`How many bits of an IPv6 address count where \`conn.client_ip\` is an element; default \`rate_limits.ipv6_prefix\` of the configuration, which is ${LIMITS.ipv6Prefix}: a client owns its /64.`,
		),
	cost: z
		.union([z.int().min(0).max(LIMITS.capacityMax), text(LIMITS.expressionBytes)])
		.optional()
		.describe(
			"How many admissions a request is worth, all or none: a number up to `capacity`, or `${CEL expression}` that yields an int. Default 1; 0 admits without counting.",
		),
	count: text(LIMITS.expressionBytes)
		.optional()
		.describe(
			`What is counted: \`${COUNTS_REQUESTS}\` (default), every admitted request; or a CEL expression over the response, e.g. \`res.status_code == 401\`: requests are admitted while fewer than \`capacity\` counted ones lie in the window, and those for which it holds are counted when they are answered.`,
		),
	headers: z
		.enum(["none", "ietf", "legacy"])
		.optional()
		.describe(
			"Whether answers say what is left: `ietf` in `ratelimit-policy` and `ratelimit`, `legacy` in `x-ratelimit-limit`, `-remaining` and `-reset`. Default `none`.",
		),
	status_code: z
		.int()
		.min(LIMITS.rejectionStatusCodeMin)
		.max(LIMITS.statusCodeMax)
		.optional()
		.describe("Of the answer to a rejected request; default 429."),
	content: text(LIMITS.contentBytes)
		.optional()
		.describe(`Body of that answer, instead of its JSON. ${INTERPOLATED}`),
	content_type: text(LIMITS.headerValueBytes)
		.optional()
		.describe("Of `content`; default by the content, as in custom-response."),
	enforce: z
		.boolean()
		.optional()
		.describe(
			"Default true; false counts and reports, but never rejects, and tells clients nothing.",
		),
});

const prepare: Prepare = (submitted, _phase, compiler) => {
	const problems: FieldProblem[] = [];
	const limit = limitOf(submitted, compiler, problems);
	if (problems.length > 0) return fail(problems);
	return ok((context) =>
		WeighedRateLimit.isNeeded(limit, context)
			? new WeighedRateLimit(limit, context)
			: new RateLimit(limit, context),
	);
};

export const rateLimit: Action<typeof config> = {
	config,
	defaults: {
		name: "",
		algorithm: ALGORITHM,
		bucket_key: [],
		cost: 1,
		count: COUNTS_REQUESTS,
		headers: "none",
		status_code: 429,
		enforce: true,
	},
	phases: ["inbound"],
	ends: { when: "sometimes", with: "refusal" },
	changes: [],
	texts: {
		bucket_key: "expression",
		cost: "template",
		count: "expression",
		content: "template",
	},
	results: {
		limited: { type: "bool", doc: "Was the request over the limit?" },
		bucket_key: {
			type: "string",
			doc: "The values of the key's elements, in the order of their texts, with `, ` between them.",
		},
		remaining: {
			type: "int",
			doc: "Admissions that were left after this decision; never too many.",
		},
		retry_after: {
			type: "int",
			doc: "Seconds after which there is room again; 0 if it was admitted.",
		},
	},
	lints: [clientControlledKey],
	prepare,
	documentation: {
		purpose:
			"Admits `capacity` requests in any window of length `rate`, for each value of `bucket_key`, over all workers of a " +
			"server together. Admitted requests count, rejected ones change nothing. A header that is absent is a key of its " +
			"own, different from an empty one; of a repeated header all lines count. Of several rate-limits in one request, " +
			"those before the one that rejects stay charged. Counts outlive a new PUT of the same action, changes elsewhere in " +
			"the policy and a restart; `enforce` may change without losing them.",
		effect:
			"A request over the limit gets 429 with a small JSON body (`ERR_RATE_LIMITED`) and `retry-after`, in whole seconds " +
			"from 1 to the window's length: a client that waits so long is admitted if nobody else took the room. Any other " +
			"request goes on.",
		example: {
			document: {
				inbound: [
					{
						name: "Two attempts a minute to log in",
						expressions: ["req.method == 'POST' && req.url.path == '/login'"],
						actions: [
							{
								type: "rate-limit",
								config: {
									name: "login",
									capacity: 2,
									rate: "60s",
									bucket_key: ["conn.client_ip"],
								},
							},
						],
					},
				],
			},
			requests: [
				{ method: "POST", url: "http://shop.example/login", becomes: "passes" },
				{ method: "POST", url: "http://shop.example/login", becomes: "passes" },
				{ method: "POST", url: "http://shop.example/login", becomes: "429 retry-after 60" },
				{
					method: "POST",
					url: "http://shop.example/login",
					clientIp: "192.0.2.99",
					becomes: "passes",
				},
				{ url: "http://shop.example/login", becomes: "passes" },
			],
		},
	},
};
