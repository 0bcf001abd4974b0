/**
 * What a policy costs per request without sockets: compiled as a worker compiles it, evaluated over an
 * exchange that reads like a live one. The baseline for an evaluator of our own. `npm run bench:policy`
 */
import { Bench } from "tinybench";
import { parseUrl } from "#dist/http/target.js";
import { Counters } from "#dist/limiter/binding.js";
import { NativeLimiters } from "#dist/limiter/limiters.js";
import { LIMITS } from "#dist/limits/limits.js";
import { compilePolicy } from "#dist/policy/rules/compile.js";
import { recordResults, table } from "./results.mjs";

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
const bench = new Bench({ time: 500, warmupTime: 200 });
for (const [name, inbound] of Object.entries(policies)) {
	const policy = compilePolicy({ enabled: true, inbound, outbound: [] }, context);
	bench.add(name, () => {
		// Each call is a request of its own.
		read.inlineNanoseconds = LIMITS.requestInlineNanoseconds;
		policy.inbound(exchange);
	});
}
await bench.run();
const rows = bench.tasks.map(({ name, result }) => {
	if (result.state !== "completed") throw new Error(`${name}: ${result.state}`);
	return [name, (result.latency.p50 * 1e6).toFixed(0), (result.latency.p99 * 1e6).toFixed(0)];
});
const text = table(["policy", "ns/request (median)", "p99"], rows);
process.stdout.write(`${text}\n`);
recordResults("Policy evaluation", "npm run bench:policy", [], text);
