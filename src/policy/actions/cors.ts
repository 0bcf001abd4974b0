/** cors (contract 5): lets pages of other origins read the answers (Fetch standard, "CORS protocol"). */
import { z } from "zod";
import { asciiLowerCase } from "../../ascii.ts";
import { quoted } from "../../documents/nearest.ts";
import { fail, ok } from "../../errors.ts";
import { isFieldName } from "../../http/fields.ts";
import { parseUrl } from "../../http/target.ts";
import { LIMITS } from "../../limits/limits.ts";
import { text } from "../document/fields.ts";
import { member } from "../document/members.ts";
import type { Outcome, PolicyExchange } from "../exchange.ts";
import { CONTINUE } from "../outcomes.ts";
import type { FieldProblem } from "../programs/problem.ts";
import { type Action, NO_RESULTS, type Prepare, type RunnableAction } from "./action.ts";

const list = () =>
	z.array(text(LIMITS.headerValueBytes)).meta({ maxItems: LIMITS.headersPerAction }).optional();

const config = z.strictObject({
	allow_origins: z
		.array(text(LIMITS.headerValueBytes))
		.min(1)
		.meta({ minItems: 1, maxItems: LIMITS.headersPerAction })
		.describe(
			"Origins such as `https://shop.example`, `https://*.shop.example` for all hosts below, or `*` for all.",
		),
	allow_methods: list().describe("Methods besides GET, HEAD and POST, or `*`."),
	allow_headers: list().describe("Request headers that pages may set, or `*`."),
	expose_headers: list().describe("Response headers that pages may read, or `*`."),
	allow_credentials: z
		.boolean()
		.optional()
		.describe("Default false; true lets pages send cookies."),
	max_age_seconds: z
		.int()
		.min(0)
		.max(LIMITS.corsMaxAgeSeconds)
		.optional()
		.describe(
			"How long browsers may keep the answer to a preflight; none: 5 seconds, as they choose.",
		),
});

type Line = readonly [name: string, value: string];

interface Settings {
	readonly exact: ReadonlySet<string>;
	/** `https://*.example.com` as its beginning and end */
	readonly wildcards: readonly { readonly begin: string; readonly end: string }[];
	readonly all: boolean;
	/** besides origin and credentials */
	readonly preflight: readonly Line[];
	readonly response: readonly Line[];
	readonly credentials: boolean;
}

const STAR = "*";
const ANY = "any";

const prepare: Prepare = (submitted) => {
	const problems: FieldProblem[] = [];
	const entries = (field: string): readonly string[] => {
		const given = member(submitted, field);
		return (Array.isArray(given) ? given : []).filter((each) => typeof each === "string");
	};
	const credentials = member(submitted, "allow_credentials") === true;
	for (const [index, origin] of entries("allow_origins").entries()) {
		const message = originMistake(origin);
		if (message === undefined) continue;
		problems.push({ path: ["allow_origins", index], code: "invalid_origin", message });
	}
	for (const field of ["allow_origins", "allow_methods", "allow_headers", "expose_headers"]) {
		for (const [index, entry] of entries(field).entries()) {
			const path = [field, index];
			if (credentials && entry === STAR) {
				const message = '"*" does not go with "allow_credentials": list what is meant';
				problems.push({ path, code: "wildcard_with_credentials", message });
			} else if (field !== "allow_origins" && entry !== STAR && !isFieldName(entry)) {
				const what = field === "allow_methods" ? "method" : "header name";
				const message = `${quoted(entry)} is no ${what}`;
				problems.push({ path, code: "invalid_header", message });
			}
		}
	}
	if (problems.length > 0) return fail(problems);
	const line = (name: string, field: string): readonly Line[] =>
		entries(field).length === 0 ? [] : [[name, entries(field).join(", ")]];
	const maxAge = member(submitted, "max_age_seconds");
	const origins = entries("allow_origins").map(asciiLowerCase);
	const settings: Settings = {
		exact: new Set(origins.filter((origin) => !origin.includes(STAR))),
		wildcards: origins
			.filter((origin) => origin.includes(STAR) && origin !== STAR)
			.map((origin) => {
				const [begin = "", end = ""] = origin.split(STAR);
				return { begin, end };
			}),
		all: origins.includes(STAR),
		preflight: [
			...line("access-control-allow-methods", "allow_methods"),
			...line("access-control-allow-headers", "allow_headers"),
			...(typeof maxAge === "number" ? [["access-control-max-age", String(maxAge)] as const] : []),
		],
		response: line("access-control-expose-headers", "expose_headers"),
		credentials,
	};
	return ok(() => new Cors(settings));
};

function originMistake(origin: string): string | undefined {
	if (origin === STAR || origin === "null") return undefined;
	const plain = origin.replace("://*.", `://${ANY}.`);
	const url = plain.includes(STAR) ? undefined : parseUrl(plain);
	if (url !== undefined && asciiLowerCase(plain) === `${url.scheme}://${url.authority}`)
		return undefined;
	return `${quoted(origin)} is no origin; write "https://shop.example", "https://*.shop.example" or "*", without a path and without the scheme's own port`;
}

export const cors: Action<typeof config> = {
	config,
	defaults: { allow_methods: [], allow_headers: [], expose_headers: [], allow_credentials: false },
	phases: ["inbound"],
	ends: { when: "sometimes", with: "refusal" },
	changes: [],
	texts: {},
	results: NO_RESULTS,
	lints: [],
	prepare,
	documentation: {
		purpose:
			"Lets pages of other origins use the route (CORS). A preflight is answered here: no backend is asked, and no later rule " +
			"runs. For other requests with an `origin` that is allowed, the response gets the headers that let the page read " +
			"it, in place of all `access-control-*` of the backend, whoever makes the response; where the origin is not allowed " +
			"it loses those. A request without `origin` passes untouched.",
		effect:
			"A preflight (OPTIONS with `origin` and `access-control-request-method`) gets 204: with the headers where the origin is " +
			"allowed, without them elsewhere, at which browsers give up. Outbound rules don't see it. Put this action before those " +
			"that ask for credentials: preflights carry none.",
		example: {
			document: {
				inbound: [
					{
						name: "The shop's pages may use the API",
						actions: [
							{
								type: "cors",
								config: {
									allow_origins: ["https://shop.example", "https://*.shop.example"],
									allow_methods: ["PUT", "DELETE"],
									allow_headers: ["content-type"],
									max_age_seconds: 600,
								},
							},
						],
					},
				],
			},
			requests: [
				{
					method: "OPTIONS",
					url: "http://api.example/orders/1",
					headers: [
						["origin", "https://shop.example"],
						["access-control-request-method", "PUT"],
					],
					becomes: "204",
				},
				{
					method: "PUT",
					url: "http://api.example/orders/1",
					headers: [["origin", "https://shop.example"]],
					becomes: "passes",
				},
			],
		},
	},
};

const VARY: Line = ["vary", "origin"];

class Cors implements RunnableAction {
	readonly #settings: Settings;

	constructor(settings: Settings) {
		this.#settings = settings;
	}

	run(exchange: PolicyExchange): Outcome {
		const { preflight, response } = this.#settings;
		const [origin, ...others] = exchange.requestHeaders.lines("origin");
		if (origin === undefined) return CONTINUE;
		const allowed = others.length === 0 && this.#allows(origin) ? this.#granted(origin) : [];
		const isPreflight =
			exchange.method === "OPTIONS" &&
			exchange.requestHeaders.lines("access-control-request-method").length > 0;
		if (isPreflight) {
			const headers = allowed.length === 0 ? [VARY] : [...allowed, ...preflight];
			return { kind: "preflight", headers };
		}
		exchange.setOnResponse(allowed.length === 0 ? [VARY] : [...allowed, ...response], OWN);
		return CONTINUE;
	}

	#allows(origin: string): boolean {
		const { all, exact, wildcards } = this.#settings;
		const given = asciiLowerCase(origin);
		if (all || exact.has(given)) return true;
		return wildcards.some(({ begin, end }) => {
			const host = given.slice(begin.length, given.length - end.length);
			return given.startsWith(begin) && given.endsWith(end) && HOST_LABELS.test(host);
		});
	}

	#granted(origin: string): readonly Line[] {
		const { all, credentials } = this.#settings;
		if (all) return [["access-control-allow-origin", STAR]];
		const allow: Line = ["access-control-allow-origin", origin];
		return credentials
			? [allow, ["access-control-allow-credentials", "true"], VARY]
			: [allow, VARY];
	}
}

/** what a `*` may stand for */
const HOST_LABELS = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/;

/** what is said here, the backend does not say */
const OWN: readonly string[] = ["access-control-*"];
