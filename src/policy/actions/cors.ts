/** cors (contract 5): lets pages of other origins read the answers (Fetch standard, "CORS protocol"). */
import { z } from "zod";
import { asciiUpperCase } from "../../ascii.ts";
import { quoted } from "../../documents/nearest.ts";
import { fail, ok } from "../../errors.ts";
import { isFieldName } from "../../http/fields.ts";
import { USUAL_METHODS } from "../../http/methods.ts";
import { LIMITS } from "../../limits/limits.ts";
import { text } from "../document/fields.ts";
import { isText, member } from "../document/members.ts";
import type { Outcome, PolicyExchange } from "../exchange.ts";
import { CONTINUE } from "../outcomes.ts";
import type { FieldProblem } from "../programs/problem.ts";
import {
	type Action,
	type ActionLint,
	NO_RESULTS,
	type Prepare,
	type RunnableAction,
} from "./action.ts";
import { Origins, originMistake } from "./cors/origins.ts";

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
	readonly origins: Origins;
	/** besides origin and credentials */
	readonly preflight: readonly Line[];
	readonly response: readonly Line[];
	readonly credentials: boolean;
}

const STAR = "*";

const prepare: Prepare = (submitted) => {
	const problems: FieldProblem[] = [];
	const placed = (field: string): readonly (readonly [index: number, entry: string])[] => {
		const given = member(submitted, field);
		return (Array.isArray(given) ? given : []).flatMap((entry: unknown, index) =>
			isText(entry, LIMITS.headerValueBytes) ? [[index, entry]] : [],
		);
	};
	const entries = (field: string): readonly string[] => placed(field).map(([, entry]) => entry);
	const credentials = member(submitted, "allow_credentials") === true;
	for (const [index, origin] of placed("allow_origins")) {
		const message = originMistake(origin);
		if (message === undefined) continue;
		problems.push({ path: ["allow_origins", index], code: "invalid_origin", message });
	}
	for (const field of ["allow_origins", "allow_methods", "allow_headers", "expose_headers"]) {
		for (const [index, entry] of placed(field)) {
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
	const settings: Settings = {
		origins: new Origins(entries("allow_origins")),
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

/** Browsers compare with the method that a page asks for, and weir takes the usual ones in capitals alone. */
const lowerCaseMethod: ActionLint<z.infer<typeof config>> = {
	code: "cors_method_case",
	finds:
		"`allow_methods` has one of the usual methods in lower case. Methods are compared as they are written.",
	remedy: "Write it in capitals, as requests have it.",
	inspect: ({ allow_methods = [] }) =>
		allow_methods.flatMap((method, index) => {
			const capitals = asciiUpperCase(method);
			if (method === capitals || !USUAL_METHODS.includes(capitals)) return [];
			const message = `browsers compare methods as they are written, and ask for "${capitals}"; write that`;
			return [{ path: ["allow_methods", index], message }];
		}),
};

export const cors: Action<typeof config> = {
	config,
	defaults: { allow_methods: [], allow_headers: [], expose_headers: [], allow_credentials: false },
	phases: ["inbound"],
	ends: { when: "sometimes", with: "refusal" },
	changes: [],
	texts: {},
	results: NO_RESULTS,
	lints: [lowerCaseMethod],
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
					clientGets: [
						"access-control-allow-origin: https://shop.example",
						"access-control-allow-methods: PUT, DELETE",
						"access-control-allow-headers: content-type",
						"access-control-max-age: 600",
					],
				},
				{
					method: "PUT",
					url: "http://api.example/orders/1",
					headers: [["origin", "https://www.shop.example"]],
					becomes: "passes",
					clientGets: ["access-control-allow-origin: https://www.shop.example", "vary: origin"],
				},
				{
					url: "http://api.example/orders/1",
					headers: [["origin", "https://elsewhere.example"]],
					becomes: "passes",
					clientGets: ["no access-control-allow-origin", "vary: origin"],
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
		const allowed =
			others.length === 0 && this.#settings.origins.allows(origin) ? this.#granted(origin) : [];
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

	#granted(origin: string): readonly Line[] {
		const { origins, credentials } = this.#settings;
		if (origins.all) return [["access-control-allow-origin", STAR]];
		const allow: Line = ["access-control-allow-origin", origin];
		return credentials
			? [allow, ["access-control-allow-credentials", "true"], VARY]
			: [allow, VARY];
	}
}

/** what is said here, the backend does not say */
const OWN: readonly string[] = ["access-control-*"];
