/**
 * What single actions cost a request, what they change in the text that goes upstream included. `npm run bench:actions`
 */
import { Bench } from "tinybench";
import { HeaderChanges } from "#dist/edge/headers/header-changes.js";
import { TextRequestLines } from "#dist/edge/request/request-lines.js";
import { addressRangeOf } from "#dist/http/address-range.js";
import { AddressSet } from "#dist/http/address-set.js";
import { Counters } from "#dist/limiter/binding.js";
import { NativeLimiters } from "#dist/limiter/limiters.js";
import { LIMITS } from "#dist/limits/limits.js";
import { validatePolicy } from "#dist/policy/document/validate.js";
import { compilePolicy } from "#dist/policy/rules/compile.js";
import { recordResults, table } from "./results.mjs";

const PASSWORD = "ada:correct horse battery";
const TEXT = [
	"host: shop.example",
	"user-agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
	"accept: text/html",
	`authorization: Basic ${Buffer.from(PASSWORD).toString("base64")}`,
	"x-a: 1",
	"",
].join("\r\n");

/** Another client each time, as on a real edge. */
let asked = 0;

/** As much of an exchange as these rules read and change. */
const exchangeOf = () => ({
	method: "GET",
	clientIp: `203.0.113.${asked++ & 255}`,
	requestHeaders: new TextRequestLines(
		TEXT,
		TEXT.length,
		TEXT.length,
		"host: ".length,
		"shop.example".length,
	),
	inlineNanoseconds: LIMITS.requestInlineNanoseconds,
	report: undefined,
	results: undefined,
	changes: HeaderChanges.NONE,
	/** @param {string} _phase @param {readonly (readonly [string, string])[]} lines */
	addHeaders(_phase, lines) {
		this.changes = this.changes.adding(lines);
		return true;
	},
	/** @param {string} _phase @param {readonly string[]} names */
	removeHeaders(_phase, names) {
		this.changes = this.changes.removing(names);
		return names;
	},
	/** @param {unknown} _place @param {string} message */
	expressionFailed(_place, message) {
		throw new Error(message);
	},
});

const ranges = (/** @type {number} */ count) =>
	Array.from({ length: count }, (_, n) => `203.${n >> 8}.${n & 255}.0/24`);
/** every second network of 4096 addresses, the client's too */
const large = Array.from({ length: 100_000 }, (_, n) => {
	const range = addressRangeOf(`${160 + (n >> 11)}.${(n >> 3) & 255}.${((n & 7) << 5) + 16}.0/20`);
	if (!range.ok) throw new Error(range.error);
	return range.value;
});
const others = Array.from({ length: 99 }, (_, n) => `user${n}:correct horse battery`);

/** @type {Readonly<Record<string, object[]>>} */
const CASES = {
	"nothing: a rule that does not apply": [
		{ expressions: ["req.method == 'PUT'"], actions: [{ type: "deny" }] },
	],
	"add-headers, two lines": [
		{
			actions: [
				{ type: "add-headers", config: { headers: { "x-one": "1", "x-two": "${req.method}" } } },
			],
		},
	],
	"remove-headers, two names": [
		{ actions: [{ type: "remove-headers", config: { headers: ["x-a", "x-in-*"] } }] },
	],
	"restrict-ips, one range": [
		{ actions: [{ type: "restrict-ips", config: { allow: ["203.0.113.0/24"] } }] },
	],
	"restrict-ips, 1,000 ranges": [
		{ actions: [{ type: "restrict-ips", config: { allow: ranges(1000) } }] },
	],
	"restrict-ips, a stored list of 100,000 ranges": [
		{ actions: [{ type: "restrict-ips", config: { lists: ["large"] } }] },
	],
	"basic-auth, one credential": [
		{ actions: [{ type: "basic-auth", config: { credentials: [PASSWORD] } }] },
	],
	"basic-auth, 100 credentials": [
		{ actions: [{ type: "basic-auth", config: { credentials: [...others, PASSWORD] } }] },
	],
	"set-vars, one, and a rule that reads it": [
		{ actions: [{ type: "set-vars", config: { vars: [{ m: "${req.method}" }] } }] },
		{ expressions: ["vars.m == 'PUT'"], actions: [{ type: "deny" }] },
	],
};

/** @type {import("#dist/policy/rules/compile.js").CompileContext} */
const context = {
	edgeId: "e",
	routeId: "r",
	limiters: new NativeLimiters({ counters: new Counters({}) }),
	addressLists: { find: () => ({ set: AddressSet.of(large) }) },
	expressionErrors: "reject",
};
/** @type {string[][]} */
const rows = [];
let sent = 0;
for (const [name, inbound] of Object.entries(CASES)) {
	const valid = validatePolicy({ inbound }, { rulesPerPhase: LIMITS.rulesPerPhase });
	if (!valid.ok) throw new Error(`${name}: ${JSON.stringify(valid.error)}`);
	const policy = compilePolicy(valid.value.document, context);
	const bench = new Bench({ time: 500, warmupTime: 200 });
	bench.add(name, () => {
		const exchange = exchangeOf();
		const request = /** @type {import("#dist/policy/exchange.js").PolicyExchange} */ (
			/** @type {unknown} */ (exchange)
		);
		if (policy.inbound(request).kind !== "continue") throw new Error(`${name}: refused`);
		let lines = exchange.requestHeaders.forwarded(undefined);
		if (exchange.changes !== HeaderChanges.NONE) {
			lines = exchange.changes.without(lines);
			for (const [field, value] of exchange.changes.added) lines += `${field}: ${value}\r\n`;
		}
		sent += lines.length;
	});
	await bench.run();
	const result = bench.tasks[0]?.result;
	if (result?.state !== "completed") throw new Error(`${name}: ${result?.state}`);
	rows.push([name, (result.latency.p50 * 1e6).toFixed(0)]);
}
const text = table(["an action", "ns/request"], rows);
process.stdout.write(`${text}\n`);
if (sent === 0) throw new Error("nothing was sent");
recordResults("Actions", "npm run bench:actions", [], text);
