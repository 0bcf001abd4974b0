/** One slice of `templates.mjs`, in a process of its own, since code and heap of another would change it. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { moduleOf } from "./routes-store.mjs";

const [, , dist = "", count = "0"] = process.argv;
const POLICIES = Number(count);
const TURNS = 100_000;
const RUNS = 3;
const DISTINCT = 1000;

/** @param {string} file */
const load = (file) => import(pathToFileURL(join(dist, file)).href);
const { compilePolicy } = await load("policy/rules/compile.js");
const { parseUrl } = await load("http/target.js");
const { LIMITS } = await load("limits/limits.js");

/** @type {Readonly<Record<string, readonly string[]>>} */
const LINES = { host: ["example.com"], "user-agent": ["Mozilla/5.0 (X11; Linux x86_64)"] };
/** @type {readonly string[]} */
const NONE = [];
/** @param {number} n */
const exchangeOf = (n) => ({
	method: "GET",
	url: parseUrl(`http://example.com/r/${n}`),
	requestHeaders: {
		lines: (/** @type {string} */ name) => LINES[name] ?? NONE,
		names: () => Object.keys(LINES),
	},
	headerText: undefined,
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
});
const limiters = { open: () => ({ take: () => ({ admitted: true }), close() {} }) };

/** @param {() => void} work @returns {number} microseconds of processor time, that of helping threads included */
const cpuOf = (work) => {
	const before = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(before);
	return user + system;
};
const collect = () => {
	globalThis.gc?.();
	globalThis.gc?.();
	return process.memoryUsage();
};

// As the store gives them.
const documents = Array.from({ length: POLICIES }, (_, n) => JSON.stringify(moduleOf(n)));
const exchanges = documents.map((_, n) => exchangeOf(n));
/** @type {{ inbound(exchange: object): { kind: string } }[]} */
const policies = [];
const before = collect();
const compiling = cpuOf(() => {
	for (const [n, text] of documents.entries()) {
		const context = { edgeId: "e", routeId: `r${n}`, limiters, expressionErrors: "reject" };
		policies.push(compilePolicy(JSON.parse(text), context));
	}
});
const first = cpuOf(() => {
	for (const [n, policy] of policies.entries()) {
		if (policy.inbound(exchangeOf(n)).kind !== "deny")
			throw new Error(`policy ${n} does not answer`);
	}
});
const after = collect();

/** @param {number} spread @returns {number} nanoseconds a request */
const request = (spread) => {
	let least = Number.POSITIVE_INFINITY;
	for (let run = 0; run < RUNS; run++) {
		const began = process.hrtime.bigint();
		for (let turn = 0; turn < TURNS; turn++) {
			const n = turn % spread;
			const exchange = exchanges[n];
			if (exchange === undefined) throw new Error(`no exchange ${n}`);
			exchange.inlineNanoseconds = LIMITS.requestInlineNanoseconds;
			policies[n]?.inbound(exchange);
		}
		least = Math.min(least, Number(process.hrtime.bigint() - began) / TURNS);
	}
	return least;
};
const spread = {
	oneNanoseconds: request(1),
	hundredNanoseconds: request(100),
	allNanoseconds: request(POLICIES),
};

/** No two of them have a shape: numbers are code, and texts are not. @param {number} n */
const distinctOf = (n) => ({
	enabled: true,
	inbound: [
		{
			name: "large",
			expressions: [`req.content_length > ${n + 1} && req.url.path.contains('x')`],
			actions: [{ type: "deny", config: {} }],
		},
		{
			name: "answer",
			expressions: [`size(req.url.path) + ${n} > ${n % 7} || req.method == 'PUT'`],
			actions: [{ type: "deny", config: { status_code: 418 } }],
		},
	],
	outbound: [],
});
const distinct = Array.from({ length: DISTINCT }, (_, n) => JSON.stringify(distinctOf(n)));
/** @type {typeof policies} */
const unlike = [];
const distinctCompiling = cpuOf(() => {
	for (const [n, text] of distinct.entries()) {
		const context = { edgeId: "e", routeId: `d${n}`, limiters, expressionErrors: "reject" };
		unlike.push(compilePolicy(JSON.parse(text), context));
	}
});
/** One request to each. */
const askAll = () => {
	for (const policy of unlike) policy.inbound(exchanges[0] ?? {});
};
const distinctFirst = cpuOf(askAll);
for (let turn = 2; turn < 100; turn++) askAll();
const beforeHundredth = process.hrtime.bigint();
askAll();
const hundredth = Number(process.hrtime.bigint() - beforeHundredth) / DISTINCT;

console.log(
	JSON.stringify({
		compileMicroseconds: compiling / POLICIES,
		firstMicroseconds: first / POLICIES,
		heapKilobytes: (after.heapUsed - before.heapUsed) / POLICIES / 1024,
		residentKilobytes: (after.rss - before.rss) / POLICIES / 1024,
		...spread,
		distinctMicroseconds: distinctCompiling / DISTINCT,
		distinctFirstMicroseconds: distinctFirst / DISTINCT,
		distinctHundredthNanoseconds: hundredth,
	}),
);
