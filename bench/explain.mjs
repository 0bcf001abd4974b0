/**
 * What an explanation of a long policy takes: 500 rules, of which the last applies, and how long it holds up the process
 * that asks for it. `npm run bench:explain`
 */
import { configSchema } from "#dist/config.js";
import { Explainer } from "#dist/explain/explainer.js";
import { recordResults, table } from "./results.mjs";
import { lowerQuartile } from "./slices.mjs";

const RULES = 500;
const RUNS = 60;

/** @param {number} n */
const expressionOf = (n) =>
	[
		`req.url.path.startsWith('/area-${n}/') && req.method != 'HEAD'`,
		`req.headers['x-a${n}'].exists(v, v == 'no-${n}')`,
		`conn.client_ip in ['10.0.0.${n % 250}'] || req.host.endsWith('.n${n}.example')`,
	][n % 3] ?? "";

/** @typedef {import("#dist/policy/document/schema.js").PolicyDocument} PolicyDocument */
/** @param {number} salt @returns {PolicyDocument} */
const policyOf = (salt) => ({
	enabled: true,
	inbound: Array.from({ length: RULES }, (_, n) => ({
		name: `rule ${n}`,
		expressions: [n === RULES - 1 ? "req.method == 'GET'" : expressionOf(n + salt)],
		actions: [{ type: "deny", config: { status_code: 403 } }],
	})),
	outbound: [],
});

const { request_id: requestId } = configSchema.parse({});
const config = /** @type {import("#dist/config.js").Config} */ (
	/** @type {unknown} */ ({
		listen: [{ host: "127.0.0.1", port: 80, tls: [], proxyProtocol: false }],
		trustedProxies: [],
		underscoresInHeaders: "drop",
		allowTrace: false,
		expressionErrors: "reject",
		rateLimits: { ipv6Prefix: 64 },
		geoDatabase: null,
		requestId,
		tracing: { endpoint: null },
		log: {},
	})
);
const route = { match_type: "path_prefix", match: "/", backend: { urls: ["http://127.0.0.1:9"] } };
let document = policyOf(0);
let etag = "0";
const store = /** @type {import("#dist/store/store.js").StoreReader} */ (
	/** @type {unknown} */ ({
		edges: () => [{ edgeId: "e", document: { hostports: ["*"] } }],
		routes: () => [{ edgeId: "e", routeId: "r", document: route }],
		route: () => ({ document: route, etag }),
		policy: () => ({ document, etag }),
		ipListEntries: () => undefined,
		version: () => 1,
	})
);
const explainer = new Explainer({ store, config: () => config, counts: () => undefined });

/** @returns {Promise<{cpu: number, loop: number}>} milliseconds of the process, and of the caller's event loop */
const explainOnce = async () => {
	const before = process.cpuUsage();
	const loop = performance.eventLoopUtilization();
	await explainer.explain({
		request: {
			...{ method: "GET", url: "http://a.example/x", headers: { accept: "*/*" } },
			...{ client_ip: "192.0.2.7", body_length: 0 },
		},
	});
	const { user, system } = process.cpuUsage(before);
	const { active } = performance.eventLoopUtilization(loop);
	return { cpu: (user + system) / 1000, loop: active };
};

// the thread's start, and the compiling of what all explanations run
for (let run = 0; run < 10; run++) await explainOnce();
const known = [];
for (let run = 0; run < RUNS; run++) known.push(await explainOnce());
const fresh = [];
for (let run = 1; run <= 12; run++) {
	document = policyOf(run);
	etag = String(run);
	fresh.push(await explainOnce());
}
await explainer.close();

/** @param {string} name @param {readonly {cpu: number, loop: number}[]} runs */
const row = (name, runs) => [
	name,
	lowerQuartile(runs.map(({ cpu }) => cpu)).toFixed(1),
	lowerQuartile(runs.map(({ loop }) => loop)).toFixed(1),
];
const text = table(
	[`${RULES} rules, the last ends the phase`, "all (ms)", "caller's event loop (ms)"],
	[row("a policy that was explained before", known), row("one that was not", fresh)],
);
process.stdout.write(`${text}\n`);
const conditions = [
	`lower quartile of ${RUNS} explanations, and of 12 policies; processor time of the whole process, and time in which the event loop of the caller, in a server the supervisor, was not idle`,
];
recordResults("Explanations", "npm run bench:explain", conditions, text);
