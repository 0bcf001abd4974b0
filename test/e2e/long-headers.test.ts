/**
 * Ordinary patterns on long but legal headers, on the real server (contract 4): each answers as it should at every
 * length up to the bound of a request's header, whatever fills it. The fillings are made for the patterns: they go on
 * for as long as they can without a match, and then with one.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "../../src/limits/limits.ts";
import { type Server, startServer, startUpstream, type TestUpstream, until } from "./harness.ts";

interface Case {
	readonly pattern: string;
	/** put together to the length; none of it matches, however often it comes */
	readonly fillings: readonly string[];
	/** behind the filling there is a match */
	readonly match: string;
	/** before it, for patterns bound to the begin, where the filling is what has to match */
	readonly isWhole?: boolean;
}

const CASES: readonly Case[] = [
	{
		pattern: "[A-Za-z0-9+/]{200,}={0,2}",
		fillings: [`${"aB3+/".repeat(39)}-`, "x."],
		match: "A".repeat(200),
	},
	{
		pattern: "(?i)on(load|error|click)\\s*=",
		fillings: ["onload onERROR onclick  ", "onload\t \t \t", "o"],
		match: "onClick =",
	},
	{
		pattern: "(?i)select.*from.*where",
		fillings: ["select from ", "from where ", "s", "select "],
		match: "SELECT a FROM b WHERE",
	},
	{
		pattern: "(?i)\\b(or|and)\\b\\s+\\d+\\s*=\\s*\\d+",
		fillings: ["or 1 and 22 = x ", "and 1234567890 ", "or   "],
		match: " OR 1 = 1",
	},
	{
		pattern: "(?i)union\\s+select",
		fillings: ["union     selec ", "union  ", "u"],
		match: "Union Select",
	},
	{
		pattern: "session=([a-z0-9]+);",
		fillings: ["session=abc0123-", "session=a"],
		match: "session=a;",
	},
	{ pattern: "^(a|aa)+$", fillings: ["a b"], match: "a", isWhole: true },
	{ pattern: "^(a*)*b", fillings: ["a", "aac"], match: "b", isWhole: true },
];

const NO_MATCH = 299;
const MATCH = 403;
/** characters of the header's value; the last leaves room for the request line and the other lines */
const LENGTHS = [300, 1000, 2000, 4000, 8000, 16_000, 24_000, 32_000, 40_000, 50_000, 60_000];
const LONGEST = LIMITS.requestHeaderBytes - 300;

let upstream: TestUpstream;
let server: Server;
beforeAll(async () => {
	upstream = await startUpstream();
	server = await startServer({ workers: 1 });
	await server.route(upstream.port);
	const rules = CASES.map(({ pattern }, at) => ({
		expressions: [
			`req.url.path == '/${at}'`,
			`req.headers['cookie'].exists(v, v.matches(r'${pattern}'))`,
		],
		actions: [{ type: "deny", config: { status_code: MATCH } }],
	}));
	const rest = {
		expressions: [],
		actions: [{ type: "custom-response", config: { status_code: NO_MATCH } }],
	};
	await server.policy({ inbound: [...rules, rest] });
	await until(async () => (await server.get("/0")).status === NO_MATCH || undefined, "the policy");
});
afterAll(async () => {
	await server?.cleanUp();
	await upstream?.close();
});

const filled = (filling: string, length: number): string =>
	filling.repeat(Math.ceil(length / filling.length)).slice(0, length);

describe.each(CASES.map((each, at) => ({ ...each, at })))("$pattern", (each) => {
	const { at, fillings, match, isWhole } = each;
	const ask = async (cookie: string): Promise<number> =>
		(await server.get(`/${at}`, { cookie })).status;

	test.each(fillings)("answers as it should on headers full of %j", async (filling) => {
		for (const length of [...LENGTHS, LONGEST]) {
			const text = filled(filling, length - match.length - 1);
			expect(await ask(`${text}-`), `${length} without a match`).toBe(NO_MATCH);
			const matching = isWhole ? filled("a", length - 1) + match : `${text} ${match}`;
			expect(await ask(matching), `${length} with a match`).toBe(MATCH);
		}
	});

	test("answers as it should when many ask at once", async () => {
		const text = `${filled(fillings[0] ?? "", LONGEST - 1)}-`;
		const statuses = await Promise.all(Array.from({ length: 12 }, () => ask(text)));
		expect(new Set(statuses)).toEqual(new Set([NO_MATCH]));
	});
});
