/** What a token for explanations is asked for with, and what is answered (contract 2, "Explain"). Read by `management/`. */
import { z } from "zod";
import { asciiLowerCase } from "../../ascii.ts";
import { addressRangeOf } from "../../http/address-range.ts";
import { EXPLAIN_FIELD, isFieldName, isFieldValue } from "../../http/fields.ts";
import { LIMITS } from "../../limits/limits.ts";

const headerName = z
	.string()
	.max(LIMITS.explainedFieldCharacters)
	.refine(isFieldName, {
		error: "must be the name of a header field: letters, digits and hyphens",
		params: { code: "invalid_header_name" },
	})
	.refine((name) => asciiLowerCase(name) !== EXPLAIN_FIELD, {
		error: `must be another field than ${EXPLAIN_FIELD}, which brings the token`,
		params: { code: "invalid_header_name" },
	});

export const explainTokenSchema = z.strictObject({
	client_ip: z
		.string()
		.max(LIMITS.explainedFieldCharacters)
		.refine((text) => addressRangeOf(text).ok, {
			error: 'must be an address or a range such as "192.0.2.7", "10.0.0.0/8" or "2001:db8::/32"',
			params: { code: "invalid_address" },
		})
		.optional()
		.describe("The clients whose requests are explained: an address, or a range in CIDR form."),
	header: z
		.strictObject({
			name: headerName,
			value: z
				.string()
				.min(1)
				.max(LIMITS.headerValueBytes)
				.refine(isFieldValue, {
					error: "must hold no line ends and no other control characters",
					params: { code: "invalid_header_value" },
				}),
		})
		.optional()
		.describe("A field that requests must bring with this value, as an API key. Its hash is kept."),
	ttl_seconds: z
		.int()
		.min(1)
		.max(LIMITS.explainTokenSecondsMax)
		.default(LIMITS.explainTokenSeconds)
		.describe("How long the token lives."),
	requests: z
		.int()
		.min(1)
		.max(LIMITS.explainTokenRequestsMax)
		.default(LIMITS.explainTokenRequests)
		.describe("How many requests it has explained."),
});

export const explainTokenAnswerSchema = z.strictObject({
	token: z.string().describe("Shown this once; its hash is kept."),
	header: z.string().describe("The field that brings it."),
	expires_at: z.string(),
	request_id_header: z
		.string()
		.describe(
			"The field of answers to such requests that tells their ids, for `GET /decisions/{id}`.",
		),
});
export type ExplainTokenAnswer = z.infer<typeof explainTokenAnswerSchema>;
