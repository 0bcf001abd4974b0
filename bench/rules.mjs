/**
 * What a policy of many rules costs a request that meets none of them: rules that name a method, host or path
 * are looked up, the rest are asked one by one. `npm run bench:rules`
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
	host: ["www.example.com"],
	"user-agent": ["Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"],
	accept: ["*/*"],
};
/** @type {readonly string[]} */
const NONE = [];

/** As one that has just arrived: its texts are new, and so is what is kept of them. @param {number} index */
const exchangeOf = (index) => ({
	method: Buffer.from("GET").toString("latin1"),
	host: Buffer.from("www.example.com").toString("latin1"),
	url: parseUrl(`http://www.example.com/v1/items/${index}?page=3`),
	requestHeaders: {
		lines: (/** @type {string} */ name) => LINES[name] ?? NONE,
		names: () => Object.keys(LINES),
	},
	requestContentLength: 0,
	inlineNanoseconds: LIMITS.requestInlineNanoseconds,
	clientIp: "192.0.2.7",
	derived: undefined,
	rewriteUrl: () => true,
	log() {},
	limitExceeded() {},
	/** @param {unknown} _place @param {string} message */
	expressionFailed(_place, message) {
		throw new Error(message);
	},
});

const COUNTS = [1, 10, 100, 1000];
/** @type {Readonly<Record<string, (n: number) => string>>} */
const SHAPES = {
	"req.url.path == '/x/N'": (n) => `req.url.path == '/x/${n}'`,
	"req.method == 'POST' && req.url.path.startsWith('/vN/')": (n) =>
		`req.method == 'POST' && req.url.path.startsWith('/v${n}/')`,
	"req.host in ['aN.example', 'bN.example'] && 'x-n' in req.headers": (n) =>
		`req.host in ['a${n}.example', 'b${n}.example'] && 'x-${n}' in req.headers`,
	"req.headers['x-tenant'].exists(v, v == 'N')": (n) =>
		`req.headers['x-tenant'].exists(v, v == '${n}')`,
};

/** @type {import("#dist/policy/rules/compile.js").CompileContext} */
const context = {
	edgeId: "e",
	routeId: "r",
	limiters: new NativeLimiters({ counters: new Counters({}) }),
	expressionErrors: "reject",
};
/** @typedef {import("#dist/policy/document/schema.js").RuleDocument} RuleDocument */
/** @type {RuleDocument["actions"][number]} */
const deny = { type: "deny", config: {} };
/** @type {string[][]} */
const rows = [];
for (const [shape, write] of Object.entries(SHAPES)) {
	/** @type {string[]} */
	const medians = [];
	for (const count of COUNTS) {
		const inbound = Array.from({ length: count }, (_, n) => ({
			name: "",
			expressions: [write(n)],
			actions: [deny],
		}));
		const policy = compilePolicy({ enabled: true, inbound, outbound: [] }, context);
		const exchanges = Array.from({ length: 1024 }, (_, index) => exchangeOf(index));
		// as much of an exchange as these rules read
		const read = /** @type {import("#dist/policy/exchange.js").PolicyExchange[]} */ (
			/** @type {unknown} */ (exchanges)
		);
		let next = 0;
		const bench = new Bench({ time: 300, warmupTime: 150 });
		bench.add(shape, () => {
			const at = next++ & 1023;
			const [exchange, request] = [exchanges[at], read[at]];
			if (exchange === undefined || request === undefined) return;
			// Asked again, it is another request.
			exchange.inlineNanoseconds = LIMITS.requestInlineNanoseconds;
			policy.inbound(request);
		});
		await bench.run();
		const result = bench.tasks[0]?.result;
		if (result?.state !== "completed") throw new Error(`${shape}: ${result?.state}`);
		medians.push((result.latency.p50 * 1e6).toFixed(0));
	}
	rows.push([shape, ...medians]);
}
const header = ["rules, none of which matches", ...COUNTS.map((count) => `${count} (ns/request)`)];
const text = table(header, rows);
process.stdout.write(`${text}\n`);
recordResults("Many rules", "npm run bench:rules", [], text);
