/**
 * The schema of the tests that a policy document may hold (contract 3, "Tests"): requests, and what is expected of each.
 * They are stored as they were submitted. A part of `schema.ts`; `rehearsal/` runs them.
 */
import { z } from "zod";
import { addressRangeOf } from "../../http/address-range.ts";
import { isFieldName, isFieldValue } from "../../http/fields.ts";
import { parseAddress } from "../../http/ip-address.ts";
import { parseUrl } from "../../http/target.ts";
import { LIMITS } from "../../limits/limits.ts";
import { POLICY_ENDS } from "../outcomes.ts";
import { name, text } from "./fields.ts";

const BYTES = LIMITS.headerValueBytes;

const value = text(BYTES).refine(isFieldValue, {
	error: "holds a line break or another control character, which no header value may",
});

const fieldName = z.string().refine(isFieldName, {
	error: "is no name of a header field (letters, digits and -)",
});

const values = z.union([value, z.array(value).max(LIMITS.policyTestHeaders)]);

const fields = z
	.record(fieldName, values)
	.refine((all) => Object.keys(all).length <= LIMITS.policyTestHeaders, {
		error: `must have at most ${LIMITS.policyTestHeaders} entries`,
		params: { code: "too_big" },
	})
	.meta({ maxProperties: LIMITS.policyTestHeaders });

const expectedFields = z
	.record(fieldName, z.union([values, z.null()]))
	.refine((all) => Object.keys(all).length <= LIMITS.policyTestHeaders, {
		error: `must have at most ${LIMITS.policyTestHeaders} entries`,
		params: { code: "too_big" },
	})
	.meta({ maxProperties: LIMITS.policyTestHeaders });

/** The URL that a request of a test has: a path goes to a host of its own. @returns undefined if it is none */
export const testUrl = (written: string, host = "localhost") =>
	parseUrl(written.startsWith("/") ? `http://${host}${written}` : written);

const url = text(BYTES).refine((written) => testUrl(written) !== undefined, {
	error: 'must be a URL ("https://shop.example/cart?x=1") or a path ("/cart?x=1")',
	params: { code: "invalid_url" },
});

const time = z
	.string()
	.refine((written) => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(written) && isTime(written), {
		error: 'must be a time as "2026-05-04T10:20:30Z"',
		params: { code: "invalid_time" },
	});

const isTime = (written: string): boolean => !Number.isNaN(Date.parse(written));

const statusCode = z.int().min(100).max(LIMITS.statusCodeMax);

const length = z
	.int()
	.min(-1)
	.describe("Bytes of the body; -1: chunked. Left out: as `content-length` says, or 0.");

const request = z
	.strictObject({
		method: fieldName.describe('Default "GET".').optional(),
		url: url
			.describe(
				'A whole URL, or a path; a path goes to the host that `headers` names. Default "/".',
			)
			.optional(),
		headers: fields.describe("Name to value, or to a list of values.").optional(),
		client_ip: z
			.string()
			.refine((written) => parseAddress(written) !== undefined, {
				error: "is no IP address",
				params: { code: "invalid_address" },
			})
			.describe('Default "192.0.2.1".')
			.optional(),
		body_length: length.optional(),
		geo: z
			.strictObject({
				country_code: z.string().describe('As "BR".').optional(),
				country: z.string().describe('As "Brazil".').optional(),
				city: z.string().describe('As "Manaus".').optional(),
				subdivision: z.string().describe('As "Amazonas".').optional(),
				latitude: z.string().describe('As "-3.1".').optional(),
				longitude: z.string().describe('As "-60.02".').optional(),
			})
			.describe("What the geo database would say of the client; by default nothing.")
			.optional(),
		tls: z
			.strictObject({
				version: z.string().describe("As `conn.tls.version`.").optional(),
				sni: z.string().describe("The server name that the client asks for.").optional(),
				ja4: z.string().describe("As `conn.tls.ja4`.").optional(),
			})
			.describe("What is known of the client's TLS; by default nothing.")
			.optional(),
	})
	.describe("The request that a client sends.");

const response = z
	.strictObject({
		status: statusCode.describe("Default 200.").optional(),
		headers: fields.describe("Name to value, or to a list of values.").optional(),
		body_length: length.optional(),
	})
	.describe("What the backend answers, if it is asked.");

/** What a policy makes of a request, by the names that metrics have for it; `pass`: its rules end nothing. */
const TEST_OUTCOMES = ["pass", ...POLICY_ENDS] as const;

const expected = z
	.strictObject({
		outcome: z
			.enum(TEST_OUTCOMES)
			.describe("What the policy makes of the request; `pass`: the backend's answer goes out.")
			.optional(),
		status: statusCode.describe("Of the answer that the client gets.").optional(),
		rule: z
			.union([z.string(), z.int().min(0)])
			.describe("The rule that ended the request: its name, or its position in its phase from 0.")
			.optional(),
		headers: expectedFields
			.describe("Of the answer: the value of a field, a list of all its lines, or null for none.")
			.optional(),
		upstream: z
			.strictObject({
				url: url
					.describe("As the rules leave it; a path is compared with path and query alone.")
					.optional(),
				headers: expectedFields
					.describe(
						"As the rules leave them, without what the edge adds (x-forwarded-for, via, …).",
					)
					.optional(),
			})
			.describe("The request as it goes to the backend.")
			.optional(),
		limited_after: z
			.int()
			.min(0)
			.max(LIMITS.policyTestRepeatMax - 1)
			.describe("So many requests are let through, and the next one is refused by a rate-limit.")
			.optional(),
	})
	.refine((given) => Object.values(given).some((each) => each !== undefined), {
		error: `expects nothing; say one of outcome, status, rule, headers, upstream, limited_after`,
		params: { code: "too_small" },
		// of a misspelt field all has been said
		when: ({ issues }) => issues.length === 0,
	})
	.describe("All that is named has to hold, for the last request if there are several.");

const testSchema = z.strictObject({
	name: name.min(1).describe("Shown where the test fails."),
	request,
	response: response.optional(),
	now: time
		.describe("The time of the (first) request, RFC 3339. Default 2026-01-01T00:00:00Z.")
		.optional(),
	repeat: z
		.int()
		.min(1)
		.max(LIMITS.policyTestRepeatMax)
		.describe("How often the request is sent. Default 1, or as often as `limited_after` needs.")
		.optional(),
	every_ms: z
		.int()
		.min(0)
		.max(LIMITS.policyTestEveryMsMax)
		.describe("Milliseconds of the test's own clock between two requests. Default 0.")
		.optional(),
	ip_lists: z
		.record(
			z.string(),
			z
				.array(
					z.string().refine((written) => addressRangeOf(written).ok, {
						error: "is no address or range",
						params: { code: "invalid_address" },
					}),
				)
				.max(LIMITS.addressesPerAction),
		)
		.refine((all) => Object.keys(all).length <= LIMITS.policyTestLists, {
			error: `must have at most ${LIMITS.policyTestLists} entries`,
			params: { code: "too_big" },
		})
		.meta({ maxProperties: LIMITS.policyTestLists })
		.describe("Entries that address lists have for this test. Others are empty.")
		.optional(),
	expect: expected,
});

export const testsSchema = z
	.array(testSchema)
	.max(LIMITS.policyTests)
	.describe(
		"Requests with what is expected of them. A policy one of whose tests fails is not stored.",
	);

export type PolicyTest = z.infer<typeof testSchema>;
export type Expectation = PolicyTest["expect"];
export type ExpectedFields = z.infer<typeof expectedFields>;
export type TestOutcome = (typeof TEST_OUTCOMES)[number];
