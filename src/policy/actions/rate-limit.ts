/** rate-limit (contract 5): counts admitted requests per bucket; over capacity means 429. */
import { z } from "zod";
import { fail, ok } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import { name } from "../document/fields.ts";
import { member } from "../document/members.ts";
import type { FieldProblem } from "../programs/problem.ts";
import type { Action, Prepare } from "./action.ts";
import { canonicalElement, type KeyElement, parseKeyElement } from "./rate-limit/bucket-key.ts";
import { parseRate } from "./rate-limit/duration.ts";
import { clientControlledKey } from "./rate-limit/lint.ts";
import { ALGORITHM, type Limit, RateLimit } from "./rate-limit/run.ts";

const config = z.strictObject({
	name: name.optional().describe("A name for this rate limit."),
	algorithm: z.literal(ALGORITHM).optional(),
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

const prepare: Prepare = (submitted) => {
	const parsed = keyElements(member(submitted, "bucket_key"));
	if (parsed.problems.length > 0) return fail(parsed.problems);
	const name = member(submitted, "name");
	const capacity = member(submitted, "capacity");
	const rate = member(submitted, "rate");
	const window = typeof rate === "string" ? parseRate(rate) : undefined;
	const limit: Limit = {
		name: typeof name === "string" ? name : "",
		capacity: typeof capacity === "number" ? capacity : LIMITS.capacityMin,
		windowMs: window?.ok ? window.value : LIMITS.rateMinMs,
		elements: parsed.elements,
		enforce: member(submitted, "enforce") !== false,
	};
	return ok((context) => new RateLimit(limit, context));
};

export const rateLimit: Action<typeof config> = {
	config,
	defaults: { name: "", algorithm: ALGORITHM, bucket_key: [], enforce: true },
	phases: ["inbound"],
	ends: { when: "sometimes", with: "refusal" },
	changes: [],
	texts: {},
	results: {
		limited: { type: "bool", doc: "Was the request over the limit?" },
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

/** Passes over elements that can't be parsed, which the schema reports, and reports elements that are given twice. */
function keyElements(submitted: unknown): {
	readonly elements: readonly KeyElement[];
	readonly problems: readonly FieldProblem[];
} {
	const problems: FieldProblem[] = [];
	const elements = new Map<string, KeyElement>();
	for (const [index, text] of (Array.isArray(submitted) ? submitted : []).entries()) {
		const element = typeof text === "string" ? parseKeyElement(text) : undefined;
		if (!element?.ok) continue;
		const canonical = canonicalElement(element.value);
		if (elements.has(canonical)) {
			const message = `is the same element as another one: ${canonical}`;
			problems.push({ path: ["bucket_key", index], code: "duplicate", message });
		}
		elements.set(canonical, element.value);
	}
	const sorted = [...elements].sort(([one], [other]) => (one < other ? -1 : 1));
	return { elements: sorted.map(([, element]) => element), problems };
}
