/**
 * What a policy costs per request without sockets: compiled as a worker compiles it, evaluated over an
 * exchange that reads like a live one. The baseline for an evaluator of our own. `npm run bench:policy`
 */
import { parseUrl } from "#dist/http/target.js";
import { Counters } from "#dist/limiter/binding.js";
import { NativeLimiters } from "#dist/limiter/limiters.js";
import { LIMITS } from "#dist/limits/limits.js";
import { compilePolicy } from "#dist/policy/rules/compile.js";
import { recordResults, table } from "./results.mjs";
import { lowerQuartile, SLICES, timeInTurns } from "./slices.mjs";

/** evaluations in one run: a clock can't time one */
const EVALUATIONS = 1024;
const TIMES = { sliceMs: 500, warmUpMs: 500 };

/** @type {Readonly<Record<string, string[]>>} */
const LINES = {
	host: ["example.com"],
	"user-agent": ["Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"],
	accept: ["*/*"],
};
/** @type {readonly string[]} */
const NONE = [];
/** As much of an exchange as these policies read. */
const read = {
	method: "GET",
	url: parseUrl("http://example.com/v1/items/42?page=3"),
	requestHeaders: {
		lines: (/** @type {string} */ name) => LINES[name] ?? NONE,
		names: () => Object.keys(LINES),
	},
	requestContentLength: 0,
	clientIp: "192.0.2.7",
	inlineNanoseconds: LIMITS.requestInlineNanoseconds,
	rewriteUrl: () => true,
	log() {},
	limitExceeded() {},
	/** @param {unknown} _place @param {string} message */
	expressionFailed(_place, message) {
		throw new Error(message);
	},
};

const exchange = /** @type {import("#dist/policy/exchange.js").PolicyExchange} */ (
	/** @type {unknown} */ (read)
);

/** @typedef {import("#dist/policy/document/schema.js").RuleDocument} RuleDocument */
/** @type {RuleDocument["actions"][number]} */
const deny = { type: "deny", config: {} };
/**
 * @param {string | undefined} expression @param {RuleDocument["actions"][number]} action
 * @returns {RuleDocument}
 */
const rule = (expression, action = deny) => ({
	name: "",
	expressions: expression === undefined ? [] : [expression],
	actions: [action],
});
const limit = { capacity: 2_000_000_000, rate: "60s", bucket_key: ["conn.client_ip"] };
/** @type {Readonly<Record<string, RuleDocument[]>>} */
const policies = {
	"one rule on the method, no match": [rule("req.method == 'POST'")],
	"one rule on a header, no match": [rule("'x-token' in req.headers")],
	"one pattern on the user agent, no match": [
		rule("req.user_agent.matches('(?i)(gptbot|chatgpt-user)/')"),
	],
	"ten rules, none matches": Array.from({ length: 10 }, (_, n) =>
		rule(`req.url.path == '/x/${n}'`),
	),
	"deny, no expression": [rule(undefined)],
	"rate-limit by address, admitted": [rule(undefined, { type: "rate-limit", config: limit })],
	"url-rewrite, matches": [
		rule(undefined, { type: "url-rewrite", config: { from: "items/([0-9]+)", to: "item?id=$1" } }),
	],
};

/** @type {import("#dist/policy/rules/compile.js").CompileContext} */
const context = {
	edgeId: "e",
	routeId: "r",
	limiters: new NativeLimiters({ counters: new Counters({}) }),
	expressionErrors: "reject",
};
const tasks = Object.values(policies).map((inbound) => {
	const policy = compilePolicy({ enabled: true, inbound, outbound: [] }, context);
	const run = () => {
		for (let n = 0; n < EVALUATIONS; n += 1) {
			// Each call is a request of its own.
			read.inlineNanoseconds = LIMITS.requestInlineNanoseconds;
			policy.inbound(exchange);
		}
	};
	return { run, calls: EVALUATIONS };
});
const slices = await timeInTurns(tasks, TIMES);
const rows = Object.keys(policies).map((name, at) => {
	const taken = slices[at] ?? [];
	return [name, lowerQuartile(taken).toFixed(0), Math.max(...taken).toFixed(0)];
});
const text = table(["policy", "ns/request", "slowest slice"], rows);
process.stdout.write(`${text}\n`);
const conditions = [
	`processor time, lower quartile of ${SLICES} slices of ${TIMES.sliceMs} ms in turns`,
];
recordResults("Policy evaluation", "npm run bench:policy", conditions, text);
