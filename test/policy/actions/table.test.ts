/** What the table says of each action is so: its phases, ending, defaults, texts, and the example that documents it. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { HeaderLines } from "../../../src/cel/attributes.ts";
import type { ExampleRequest } from "../../../src/policy/actions/action.ts";
import {
	ACTION_TYPES,
	actionOf,
	EVERY_TYPE,
	isActionType,
} from "../../../src/policy/actions/table.ts";
import type { CompiledPolicy } from "../../../src/policy/exchange.ts";
import { Compiler } from "../../../src/policy/programs/compiler.ts";
import { CountingLimiters, compiled, exchangeOf, problemsOf, warningsOf } from "../support.ts";

test.each([
	["url-rewrite", "inbound", "never"],
	["custom-response", "inbound outbound", "always"],
	["deny", "inbound", "always"],
	["log", "inbound outbound", "never"],
	["rate-limit", "inbound", "sometimes"],
	["set-vars", "inbound outbound", "never"],
	["add-headers", "inbound outbound", "never"],
	["remove-headers", "inbound outbound", "never"],
	["redirect", "inbound", "sometimes"],
	["cors", "inbound", "sometimes"],
	["restrict-ips", "inbound", "sometimes"],
	["basic-auth", "inbound", "sometimes"],
	["close-connection", "inbound", "always"],
])("%s exists %s and ends the phase %s", (type, phases, when) => {
	if (!isActionType(type)) throw new Error(`no action ${type}`);
	expect(actionOf(type).phases.join(" ")).toBe(phases);
	expect(actionOf(type).ends.when).toBe(when);
	for (const phase of ["inbound", "outbound"] as const)
		expect(ACTION_TYPES[phase].includes(type)).toBe(phases.split(" ").includes(phase));
});

test("nothing inherited is an action", () => {
	expect(["deny", "toString", "__proto__", 5].map(isActionType)).toEqual([
		true,
		false,
		false,
		false,
	]);
});

test("each lint has a code of its own", () => {
	const codes = EVERY_TYPE.flatMap((type) => actionOf(type).lints.map(({ code }) => code));
	expect(new Set(codes).size).toBe(codes.length);
});

describe.each(EVERY_TYPE)("%s", (type) => {
	const { config, defaults, texts, prepare, phases, documentation } = actionOf(type);
	const fieldOf = (name: string): z.ZodType => {
		const field = config.shape[name];
		if (!(field instanceof z.ZodType)) throw new Error(`${type} has no field ${name}`);
		return field;
	};

	test("has defaults for fields that may be left out, and they are valid", () => {
		for (const [name, value] of Object.entries(defaults)) {
			expect(fieldOf(name).safeParse(undefined).success, name).toBe(true);
			expect(fieldOf(name).safeParse(value).success, name).toBe(true);
		}
	});

	test("describes each field for which a client can choose", () => {
		for (const [name, { description, const: only }] of Object.entries(
			z.toJSONSchema(config, { io: "input" }).properties ?? {},
		).map(([name, node]) => [name, typeof node === "object" ? node : {}] as const))
			expect(description !== undefined || only !== undefined, name).toBe(true);
	});

	test("compiles the texts of the fields that it names, and of no other", () => {
		for (const name of Object.keys(config.shape)) {
			const kind = texts[name];
			const broken = kind === "pattern" || kind === "expression" ? "(" : "${";
			const field = fieldOf(name);
			const value = [broken, { x: broken }, [broken], [{ x: broken }]].find(
				(one) => field.safeParse(one).success,
			);
			if (value === undefined) {
				expect(kind, name).toBeUndefined();
				continue;
			}
			for (const phase of phases) {
				const prepared = prepare({ [name]: value }, phase, new Compiler());
				const refused = prepared.ok
					? []
					: prepared.error.flatMap(({ path, code }) => (SYNTAX.has(code) ? [path[0]] : []));
				expect(refused.includes(name), name).toBe(kind !== undefined);
			}
		}
	});

	test("is documented by a policy that is valid and not warned of", () => {
		const { document } = documentation.example;
		expect(problemsOf(document)).toEqual([]);
		expect(warningsOf(document)).toEqual([]);
		expect(JSON.stringify(document)).toContain(`"type":"${type}"`);
	});

	test("does what its documentation says, request by request", () => {
		const { document, requests } = documentation.example;
		const policy = compiled(document, { limiters: new CountingLimiters(60_000) });
		expect(requests.length).toBeGreaterThan(1);
		for (const request of requests) expect(becomes(policy, request)).toBe(request.becomes);
	});
});

/** codes of texts that do not compile */
const SYNTAX = new Set(["template_syntax", "invalid_pattern", "expression_syntax"]);

const locationIn = ({ headers }: { headers: readonly (readonly [string, string])[] }): string =>
	headers.find(([name]) => name === "location")?.[1] ?? "";

/** Is `name: value` among the lines, or is there `no name`? */
function shows(headers: HeaderLines, line: string): boolean {
	if (line.startsWith("no ")) return headers.lines(line.slice("no ".length)).length === 0;
	const [name = "", value = ""] = line.split(": ");
	return headers.lines(name).includes(value);
}

/** One request's fate in the words of `ExampleRequest.becomes`. */
function becomes(policy: CompiledPolicy, request: ExampleRequest): string {
	const { becomes: _, backendGets = [], clientGets = [], ...given } = request;
	const exchange = exchangeOf(given);
	const inbound = policy.inbound(exchange);
	const outcome =
		inbound.kind === "continue" && given.responseStatus !== undefined
			? policy.outbound(exchange)
			: inbound;
	expect(exchange.failures).toEqual([]);
	for (const line of backendGets) expect(shows(exchange.requestHeaders, line), line).toBe(true);
	const made =
		"headers" in outcome ? outcome.headers.map(([name, value]) => `${name}: ${value}`) : [];
	const told = [...exchange.onResponse, ...made];
	for (const line of clientGets)
		expect(told.includes(line) || shows(exchange.responseHeaders, line), line).toBe(true);
	switch (outcome.kind) {
		case "continue": {
			const as = exchange.url.full === given.url ? "" : ` as ${exchange.url.full}`;
			const logs = exchange.logs.map((metadata) => `, logs ${JSON.stringify(metadata)}`);
			return `passes${as}${logs.join("")}`;
		}
		case "deny":
			return String(outcome.statusCode);
		case "respond":
			return `${outcome.statusCode} ${outcome.content || locationIn(outcome)}`.trim();
		case "limited":
			return `429 retry-after ${outcome.retryAfterSeconds}`;
		case "refused":
			return outcome.reason === "address" ? "403" : "401";
		case "preflight":
			return "204";
		case "close":
			return "the connection is closed";
		default:
			return outcome.kind;
	}
}
