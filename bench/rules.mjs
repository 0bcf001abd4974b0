/**
 * What a policy of many rules costs a request that meets none of them: rules that name a method, host or path
 * are looked up, the rest are asked one by one. `npm run bench:rules`
 */
import { parseUrl } from "#dist/http/target.js";
import { Counters } from "#dist/limiter/binding.js";
import { NativeLimiters } from "#dist/limiter/limiters.js";
import { LIMITS } from "#dist/limits/limits.js";
import { compilePolicy } from "#dist/policy/rules/compile.js";
import { recordResults, table } from "./results.mjs";
import { compare, HOW_MEASURED, lowerQuartile, ratioText, SLICES, timeInTurns } from "./slices.mjs";

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

/** requests of one run, each an exchange of its own */
const REQUESTS = 1024;
const TIMES = { sliceMs: 250, warmUpMs: 500 };
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
/** @param {(n: number) => string} write @param {number} count */
const taskOf = (write, count) => {
	const inbound = Array.from({ length: count }, (_, n) => ({
		name: "",
		expressions: [write(n)],
		actions: [deny],
	}));
	const policy = compilePolicy({ enabled: true, inbound, outbound: [] }, context);
	const exchanges = Array.from({ length: REQUESTS }, (_, index) => exchangeOf(index));
	// as much of an exchange as these rules read
	const requests = /** @type {import("#dist/policy/exchange.js").PolicyExchange[]} */ (
		/** @type {unknown} */ (exchanges)
	);
	const run = () => {
		// Asked again, they are other requests.
		for (const exchange of exchanges) exchange.inlineNanoseconds = LIMITS.requestInlineNanoseconds;
		for (const request of requests) policy.inbound(request);
	};
	return { run, calls: REQUESTS };
};

const shapes = Object.entries(SHAPES);
const tasks = shapes.flatMap(([, write]) => COUNTS.map((count) => taskOf(write, count)));
const slices = await timeInTurns(tasks, TIMES);
const rows = shapes.map(([shape], at) => {
	const taken = slices.slice(at * COUNTS.length, (at + 1) * COUNTS.length);
	const growth = compare(taken.at(-1) ?? [], taken[0] ?? []);
	return [shape, ...taken.map((each) => lowerQuartile(each).toFixed(0)), ratioText(growth, 1)];
});
const header = [
	"rules, none of which matches",
	...COUNTS.map((count) => `${count} (ns/request)`),
	`${COUNTS.at(-1)} / ${COUNTS[0]} (paired)`,
];
const text = table(header, rows);
process.stdout.write(`${text}\n`);
const conditions = [
	`processor time, ${SLICES} slices of ${TIMES.sliceMs} ms in turns`,
	HOW_MEASURED,
];
recordResults("Many rules", "npm run bench:rules", conditions, text);
