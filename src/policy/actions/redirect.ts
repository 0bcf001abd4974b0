/** redirect (contract 5): sends the client to another URL, made of the one that it asked for. */
import { z } from "zod";
import { asciiLowerCase } from "../../ascii.ts";
import type { Settled, Suspension } from "../../cel/expression.ts";
import { quoted } from "../../documents/nearest.ts";
import { fail, ok, type Result } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import { INTERPOLATED, text } from "../document/fields.ts";
import { isObject, isText, member } from "../document/members.ts";
import type { Outcome, Place, PolicyExchange } from "../exchange.ts";
import { CONTINUE } from "../outcomes.ts";
import type { Compiler } from "../programs/compiler.ts";
import type { FieldProblem } from "../programs/problem.ts";
import type { Action, ActionContext, ActionLint, Prepare } from "./action.ts";
import {
	fieldMistake,
	type HeaderTemplate,
	isFilled,
	renderedHeaders,
	valueMistake,
} from "./headers.ts";
import { locationOf } from "./redirect/location.ts";
import { isRead, leave } from "./results.ts";
import { parseFrom } from "./url-rewrite/from.ts";
import { REWRITE_LINTS } from "./url-rewrite/lint.ts";
import { parseReplacement } from "./url-rewrite/replacement.ts";
import { UrlRewrite, type UrlUse } from "./url-rewrite/run.ts";

const DEFAULT_STATUS_CODE = 302;
/** in RE2's syntax: the whole URL, once */
const WHOLE = "^(?s:.*)$";

const config = z.strictObject({
	from: text(LIMITS.patternBytes)
		.min(1)
		.optional()
		.describe(
			"Pattern in RE2 syntax; meets the whole normalised URL, unanchored. Default: all of it. May hold `${CEL expression}`, " +
				"which stands for its value as literal text.",
		),
	to: text(LIMITS.replacementBytes)
		.min(1)
		.describe(
			"Replaces every match, with groups and variables as in url-rewrite; the result is where the client is sent. " +
				`A result without scheme gets scheme and host of the request. ${INTERPOLATED}`,
		),
	status_code: z
		.literal([301, 302, 303, 307, 308])
		.optional()
		.describe(`301, 302, 303, 307 or 308; default ${DEFAULT_STATUS_CODE}.`),
	headers: z
		.record(z.string(), text(LIMITS.headerValueBytes))
		.meta({ maxProperties: LIMITS.headersPerAction })
		.optional()
		.describe(`Further headers of the answer, by name. ${INTERPOLATED}`),
});

type RedirectLint = ActionLint<z.infer<typeof config>>;

/** warnings of url-rewrite that are about redirects too */
const SHARED: readonly string[] = ["anchored_path", "backslash_group"];
const SHARED_LINTS = REWRITE_LINTS.filter(({ code }) => SHARED.includes(code)).map(
	(lint): RedirectLint => ({
		code: `redirect_${lint.code}`,
		finds: lint.finds,
		remedy: lint.remedy,
		inspect: ({ from = "", to }, phase) => lint.inspect({ from, to, format: "cel" }, phase),
	}),
);

const NO_SCHEME: RedirectLint = {
	code: "redirect_without_scheme",
	finds: "`to` begins with `//`. That is a path on the request's own host here, not another host.",
	remedy: "Write `https://` before the host.",
	inspect: ({ from, to }) => {
		if (!to.startsWith("//") || !(from === undefined || from.startsWith("^"))) return [];
		const message =
			'begins with "//", which is a path on the request\'s own host here; write "https://" before the host that is meant';
		return [{ path: ["to"], message }];
	},
};

/** Of a request to any URL. */
const ANY_URL = { scheme: "http", authority: "a.example", path: "/", query: "" };

const NO_URL: RedirectLint = {
	code: "redirect_to_no_url",
	finds: "`to` is the same for all requests and no http or https URL, so each request fails (500).",
	remedy: "Write a URL or a path that clients can be sent to.",
	inspect: ({ from, to }) => {
		if (from !== undefined || to.includes("$") || locationOf(to, ANY_URL) !== undefined) return [];
		const message = `${quoted(to)} is no http or https URL, so each request fails with 500; write where clients are to go`;
		return [{ path: ["to"], message }];
	},
};

const prepare: Prepare = (submitted, phase, compiler) => {
	const problems: FieldProblem[] = [];
	const from = member(submitted, "from") ?? WHOLE;
	const source = isText(from, LIMITS.patternBytes) && from !== "" ? from : WHOLE;
	const parsed = parseFrom(source, phase, compiler);
	const pattern = parsed.ok ? parsed.value : undefined;
	if (!parsed.ok) problems.push(...parsed.error);
	const to = member(submitted, "to");
	const parts = isText(to, LIMITS.replacementBytes)
		? parseReplacement(to, { format: "cel", pattern: pattern?.shape, phase, compiler })
		: ok([]);
	if (!parts.ok) problems.push(...parts.error);
	const headers = preparedHeaders(member(submitted, "headers"), phase, compiler);
	if (!headers.ok) problems.push(...headers.error);
	if (problems.length > 0 || pattern === undefined || !parts.ok || !headers.ok)
		return fail(problems);
	const given = member(submitted, "status_code");
	const statusCode = typeof given === "number" ? given : DEFAULT_STATUS_CODE;
	return ok((context) => {
		const use = new Redirecting(statusCode, headers.value, context);
		return new UrlRewrite(pattern, parts.value, context.place, use);
	});
};

function preparedHeaders(
	submitted: unknown,
	phase: "inbound" | "outbound",
	compiler: Compiler,
): Result<readonly HeaderTemplate[], readonly FieldProblem[]> {
	const problems: FieldProblem[] = [];
	const headers: HeaderTemplate[] = [];
	for (const [name, value] of Object.entries(isObject(submitted) ? submitted : {})) {
		const path = ["headers", name];
		const isLocation = asciiLowerCase(name) === "location";
		const mistake = isLocation
			? `${quoted(name)} is what "to" says`
			: (fieldMistake(name) ?? valueMistake(name, value));
		if (mistake !== undefined) problems.push({ path, code: "invalid_header", message: mistake });
		if (!isText(value, LIMITS.headerValueBytes)) continue;
		const template = compiler.field(value, phase, path);
		if (template.ok) headers.push({ name, value: template.value });
		else problems.push(...template.error);
	}
	return problems.length > 0 ? fail(problems) : ok(headers);
}

export const redirect: Action<typeof config> = {
	config,
	defaults: { status_code: DEFAULT_STATUS_CODE, headers: {} },
	phases: ["inbound"],
	ends: { when: "sometimes", with: "response" },
	changes: [],
	texts: { from: "pattern", to: "replacement", headers: "template" },
	results: {
		matches: { type: "list<string>", doc: "What `from` has matched, from left to right." },
		url: { type: "string", doc: "The URL that came out; that of the request if nothing matched." },
	},
	lints: [...SHARED_LINTS, NO_SCHEME, NO_URL],
	prepare,
	documentation: {
		purpose:
			"Sends the client elsewhere: the URL that it asked for is changed as by a url-rewrite, and the result is the `location` " +
			"of the answer. 301 and 308 are kept by browsers, 307 and 308 keep method and body.",
		effect:
			"The client gets `status_code`, `location` and `headers`; no backend is asked, and outbound rules see the response. " +
			"Where nothing matches, or the result is the URL that there was, however it is spelled, the request goes on. A result that is no http or " +
			"https URL fails the request with 500.",
		example: {
			document: {
				inbound: [
					{
						name: "One host, and TLS",
						expressions: ["req.host == 'www.shop.example'"],
						actions: [
							{
								type: "redirect",
								config: { from: "^https?://www\\.", to: "https://", status_code: 301 },
							},
						],
					},
					{
						expressions: ["req.url.path == '/account'"],
						actions: [{ type: "redirect", config: { to: "/login?next=${req.url.path}" } }],
					},
				],
			},
			requests: [
				{ url: "http://www.shop.example/cart?id=7", becomes: "301 https://shop.example/cart?id=7" },
				{
					url: "http://shop.example/account",
					becomes: "302 http://shop.example/login?next=/account",
				},
				{ url: "http://shop.example/cart", becomes: "passes" },
			],
		},
	},
};

/** One for each redirect of a policy; the state is that of the run in progress. */
class Redirecting implements UrlUse {
	readonly #statusCode: number;
	readonly #headers: readonly HeaderTemplate[];
	readonly #place: Place;
	readonly #isRead: boolean;
	#matches: string[] = [];

	constructor(statusCode: number, headers: readonly HeaderTemplate[], context: ActionContext) {
		this.#statusCode = statusCode;
		this.#headers = headers;
		this.#place = context.place;
		this.#isRead = isRead("redirect", context);
	}

	readonly matched = (text: string): void => {
		if (this.#isRead) this.#matches.push(text);
	};

	unchanged(exchange: PolicyExchange): Outcome {
		this.#leave(exchange, exchange.url.full);
		return CONTINUE;
	}

	changed(
		exchange: PolicyExchange,
		url: string,
		settled: Settled | undefined,
	): Outcome | Suspension | string {
		const location = locationOf(url, exchange.url);
		if (location === undefined) {
			this.#matches = [];
			return "the redirect leads to no http or https URL";
		}
		// In another spelling, too: the client would be sent to and fro.
		if (location.url === exchange.url.full) return this.unchanged(exchange);
		const headers = renderedHeaders(this.#headers, exchange, this.#place, settled);
		if (!isFilled(headers)) {
			this.#matches = [];
			return headers;
		}
		this.#leave(exchange, location.text);
		const all = [["location", location.text] as const, ...headers];
		return { kind: "respond", statusCode: this.#statusCode, headers: all, content: "" };
	}

	#leave(exchange: PolicyExchange, url: string): void {
		if (this.#isRead) leave(exchange, "redirect", { matches: this.#matches, url });
		this.#matches = [];
	}
}
