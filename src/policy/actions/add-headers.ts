/** add-headers (contract 5): appends header lines to the request, or to the response. */
import { z } from "zod";
import { asciiLowerCase } from "../../ascii.ts";
import type { Settled, Suspension } from "../../cel/expression.ts";
import { mapFromStrings } from "../../cel/values/entry-map.ts";
import type { Value } from "../../cel/values/value.ts";
import { quoted } from "../../documents/nearest.ts";
import { fail, ok } from "../../errors.ts";
import { isOwn } from "../../http/fields.ts";
import { parseAuthority } from "../../http/target.ts";
import { LIMITS } from "../../limits/limits.ts";
import { INTERPOLATED, text } from "../document/fields.ts";
import { isObject, isText, member } from "../document/members.ts";
import type { Outcome, Place, PolicyExchange } from "../exchange.ts";
import { CONTINUE, FAILED } from "../outcomes.ts";
import type { FieldProblem } from "../programs/problem.ts";
import type { Action, ActionContext, ActionLint, Prepare, RunnableAction } from "./action.ts";
import {
	fieldMistake,
	type HeaderTemplate,
	isFilled,
	renderedHeaders,
	valueMistake,
} from "./headers.ts";
import { isRead, leave } from "./results.ts";

const config = z.strictObject({
	headers: z
		.record(z.string(), text(LIMITS.headerValueBytes))
		.refine((headers) => Object.keys(headers).length > 0, "needs at least one header")
		.meta({ minProperties: 1, maxProperties: LIMITS.headersPerAction })
		.describe(`Values by name; no framing or hop-by-hop headers. ${INTERPOLATED}`),
});

const prepare: Prepare = (submitted, phase, compiler) => {
	const problems: FieldProblem[] = [];
	const headers: HeaderTemplate[] = [];
	const seen = new Set<string>();
	const given = member(submitted, "headers");
	for (const [name, value] of Object.entries(isObject(given) ? given : {})) {
		const path = ["headers", name];
		const lower = asciiLowerCase(name);
		const mistake = seen.has(lower)
			? `${quoted(name)} is given twice; header names ignore case`
			: (fieldMistake(name) ?? phaseMistake(lower, phase) ?? valueMistake(name, value));
		seen.add(lower);
		if (mistake !== undefined) problems.push({ path, code: "invalid_header", message: mistake });
		if (!isText(value, LIMITS.headerValueBytes)) continue;
		const compiled = compiler.field(value, phase, path);
		if (!compiled.ok) problems.push(...compiled.error);
		// an upstream is sent names in lower case, as those of the client
		else headers.push({ name: phase === "inbound" ? lower : name, value: compiled.value });
	}
	return problems.length > 0 ? fail(problems) : ok((context) => new AddHeaders(headers, context));
};

function phaseMistake(lower: string, phase: string): string | undefined {
	if (phase === "inbound") return undefined;
	if (lower === "date") return '"date" is written by the server';
	return lower === "host" ? '"host" is a header of requests; put the rule in inbound' : undefined;
}

/** Who asked, which the edge says itself; the rest of its own fields is about its connection to the backend. */
const ABOUT_CLIENT = /^(?:x-forwarded-|forwarded$)/;

const writtenByWeir: ActionLint<z.infer<typeof config>> = {
	code: "header_not_sent",
	finds:
		"An add-headers of the request has `x-forwarded-for`, `x-forwarded-proto`, `x-forwarded-host` or `forwarded`, which weir writes itself, or `expect`.",
	remedy:
		"Leave it out: later rules see the line, the backend does not. Behind another proxy, set `trusted_proxies`.",
	inspect: ({ headers }, phase) =>
		(phase === "inbound" ? Object.keys(headers) : [])
			.filter((name) => isOwn(asciiLowerCase(name)))
			.map((name) => {
				const why = ABOUT_CLIENT.test(asciiLowerCase(name))
					? "weir says itself who the client is"
					: "it is about the connection, which is weir's own";
				const message = `${name} does not reach the backend: ${why}; leave it out`;
				return { path: ["headers", name], message };
			}),
};

const noHost: ActionLint<z.infer<typeof config>> = {
	code: "no_host",
	finds: "An add-headers of the request has a `host` that is none, so each request fails (500).",
	remedy: "Write a host, with or without a port: `shop.example`, `10.0.0.7:8080`.",
	inspect: ({ headers }, phase) =>
		(phase === "inbound" ? Object.entries(headers) : [])
			.filter(([name, value]) => asciiLowerCase(name) === "host" && !value.includes("${"))
			.filter(([, value]) => parseAuthority(value) === undefined)
			.map(([name, value]) => {
				const message = `${quoted(value)} is no host, so each request fails with 500; write one, with or without a port`;
				return { path: ["headers", name], message };
			}),
};

export const addHeaders: Action<typeof config> = {
	config,
	defaults: {},
	phases: ["inbound", "outbound"],
	ends: { when: "never" },
	changes: ["headers", "host"],
	texts: { headers: "template" },
	results: {
		headers_added: {
			type: "map<string, string>",
			doc: "The lines, by their names in lower case.",
		},
	},
	lints: [writtenByWeir, noHost],
	prepare,
	documentation: {
		purpose:
			"Appends a line for each header, beside lines of the same name that are there; rules behind it see them. Inbound, the " +
			"backend gets them before the lines in which weir says who the client is (`x-forwarded-for` and others), which " +
			"nobody else writes. A `host` replaces the request's, and changes `req.host`; the route stays the one that was chosen.",
		effect:
			"The message goes on. A value that comes out with a line break or NUL or longer than " +
			`${LIMITS.headerValueBytes} bytes, a \`host\` that is none, and lines that make a request's header longer than ` +
			`${LIMITS.requestHeaderBytes} bytes or ${LIMITS.requestHeaderLines} lines, or add more than ` +
			`${LIMITS.addedHeaderBytes} bytes to a response, fail the request with 500.`,
		example: {
			document: {
				inbound: [
					{
						name: "The backend wants to know who asks, and how much they may",
						actions: [
							{
								type: "add-headers",
								config: { headers: { "x-client": "${conn.client_ip}", "x-tier": "basic" } },
							},
						],
					},
					{
						name: "Seen by later rules, beside what the client has sent",
						expressions: ["req.headers['x-tier'].size() > 1"],
						actions: [{ type: "deny", config: { status_code: 400 } }],
					},
				],
				outbound: [
					{
						actions: [
							{
								type: "add-headers",
								config: { headers: { "strict-transport-security": "max-age=63072000" } },
							},
						],
					},
				],
			},
			requests: [
				{
					url: "http://shop.example/",
					clientIp: "192.0.2.7",
					becomes: "passes",
					backendGets: ["x-client: 192.0.2.7", "x-tier: basic"],
				},
				{ url: "http://shop.example/", headers: [["x-tier", "gold"]], becomes: "400" },
				{
					url: "http://shop.example/",
					responseStatus: 404,
					becomes: "passes",
					clientGets: ["strict-transport-security: max-age=63072000"],
				},
			],
		},
	},
};

class AddHeaders implements RunnableAction {
	readonly #headers: readonly HeaderTemplate[];
	readonly #place: Place;
	readonly #isRead: boolean;

	constructor(headers: readonly HeaderTemplate[], context: ActionContext) {
		this.#headers = headers;
		this.#place = context.place;
		this.#isRead = isRead("add-headers", context);
	}

	run(exchange: PolicyExchange, settled?: Settled): Outcome | Suspension {
		const lines = renderedHeaders(this.#headers, exchange, this.#place, settled);
		if (!isFilled(lines)) return lines;
		if (!exchange.addHeaders(this.#place.phase, lines)) {
			const message = "the added lines make the header too long, or the host is none";
			exchange.expressionFailed(this.#place, message);
			return FAILED;
		}
		if (this.#isRead) {
			const added = lines.map(([name, value]): [string, Value] => [asciiLowerCase(name), value]);
			leave(exchange, "add-headers", { headers_added: mapFromStrings(new Map(added)) });
		}
		return CONTINUE;
	}
}
