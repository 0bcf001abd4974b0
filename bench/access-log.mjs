/**
 * What the access log, request ids and traces cost a request that is proxied: from the exchange's making over the header
 * that goes upstream and the changes of the answer's to its end. All else of a request is left out. Lines go through the
 * whole log into a file that keeps nothing; spans to the queue, and those that are exported through the library.
 * `npm run bench:access-log`
 */
import { createServer } from "node:http";
import { camelCased, configSchema } from "#dist/config.js";
import { AccessLog } from "#dist/edge/access/access-log.js";
import { Carrier } from "#dist/edge/access/carrier.js";
import { RequestMarks } from "#dist/edge/access/request-marks.js";
import { RequestSpans } from "#dist/edge/access/request-spans.js";
import { Exchange } from "#dist/edge/exchange.js";
import { openGeo } from "#dist/edge/geo.js";
import { changedLines } from "#dist/edge/headers/response-changes.js";
import { upstreamHeader } from "#dist/edge/proxying/upstream-header.js";
import { TrustedProxies } from "#dist/edge/request/client-address.js";
import { TextRequestLines } from "#dist/edge/request/request-lines.js";
import { Services } from "#dist/edge/services.js";
import { UNKNOWN_TLS_CLIENT } from "#dist/http/tls/tls-client.js";
import { openLog } from "#dist/telemetry/log.js";
import { Metrics } from "#dist/telemetry/metrics.js";
import { openSpanQueue } from "#dist/telemetry/traces/otlp.js";
import { recordResults, table } from "./results.mjs";
import { inTurns, lowerQuartile, SLICES } from "./slices.mjs";

/** of one turn of the event loop: what a busy worker may have, so that their lines share a system call */
const REQUESTS = 64;
const SLICE_MS = 300;

const TEXT = [
	"host: shop.example",
	"user-agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
	"accept: text/html,application/xhtml+xml",
	"accept-language: en",
	"referer: https://shop.example/cart?step=2",
	"cookie: sid=0123456789abcdef; theme=dark",
	"",
].join("\r\n");
const ANSWER = {
	passed: 'content-type: text/html\r\netag: "x"\r\ncache-control: no-store\r\nvary: accept',
	ascii: true,
};
const CLIENTS = Array.from({ length: 256 }, (_, n) => ["203.0.113", n].join("."));
const DEFAULTS = configSchema.parse({});
const geo = await openGeo(null);
const log = openLog({ destination: "/dev/null", level: "info" }, () => {
	throw new Error("a line was dropped");
});
const listener = { host: "0.0.0.0", port: 8080, tls: [], proxyProtocol: false };
const listenerContext = /** @type {const} */ ({ listener, scheme: "http", port: 8080, sni: "" });

const collector = createServer((request, response) => {
	request.resume();
	request.on("end", () => response.end("{}"));
}).listen(0, "127.0.0.1");
await new Promise((resolve) => collector.once("listening", resolve));
const { port } = /** @type {import("node:net").AddressInfo} */ (collector.address());
const ends = { exported() {}, failed() {}, dropped() {} };
const endpoint = `http://127.0.0.1:${port}/v1/traces`;
const queue = await openSpanQueue({ endpoint, serviceName: "weir", version: "0" }, ends);

/**
 * @param {object} settings of the config file
 * @param {{ add(span: import("#dist/telemetry/traces/span.js").FinishedSpan): void }} [sink]
 */
const servicesOf = (settings, sink) => {
	const file = configSchema.parse({ ...DEFAULTS, ...settings });
	const config = /** @type {import("#dist/config.js").Config} */ (
		/** @type {unknown} */ ({
			log: camelCased(file.log),
			requestId: file.request_id,
			tracing: camelCased(file.tracing),
		})
	);
	return new Services({
		metrics: new Metrics(),
		log,
		geo,
		trustedProxies: new TrustedProxies([]),
		evaluator: {
			evaluate: () => ({ cancel() {} }),
			keep: () => () => {},
			ready: () => Promise.resolve(),
		},
		accessLog: new AccessLog(config.log, log, { encoded: log.encoded, line: log.line }),
		carrier: new Carrier(config),
		spans: sink === undefined ? undefined : new RequestSpans(sink),
	});
};

let sent = 0;
let asked = 0;
const response = /** @type {import("#dist/http/client-response.js").ClientResponse} */ ({});
/** @param {Services} services */
const request = (services) => {
	const client = /** @type {import("#dist/http/client-connection.js").ClientConnection} */ (
		/** @type {unknown} */ ({
			address: CLIENTS[asked++ & 255] ?? "",
			tls: UNKNOWN_TLS_CLIENT,
			isFront: true,
			isHttp10: false,
			connectionField: "",
		})
	);
	const head = {
		method: "GET",
		rawPath: "/products/42",
		rawQuery: "color=red&size=m",
		lines: new TextRequestLines(TEXT, TEXT.length, TEXT.length, "host: ".length, 12),
		bodyLength: 0,
		host: "shop.example",
		authority: { host: "shop.example", port: undefined },
		path: "/products/42",
		ascii: true,
		upgrade: false,
		via: false,
	};
	const exchange = new Exchange(response, listenerContext, head, services, client);
	services.begin();
	exchange.carrier?.begin(exchange);
	if (services.tellsLater(exchange.trace)) exchange.marks = new RequestMarks();
	exchange.marks?.phaseBegins();
	exchange.marks?.phaseEnds();
	sent += upstreamHeader(exchange, undefined).length;
	exchange.marks?.sent();
	exchange.marks?.trail.came(0, 1, 0);
	exchange.marks?.answered();
	sent += changedLines(ANSWER, exchange.responseChanges).passed.length;
	exchange.answeredBy = "upstream";
	services.end(exchange, 200, false);
};

const access = { access: true };
const discard = { add() {} };
/** @type {Record<string, Services>} */
const CASES = {
	"all off": servicesOf({}),
	"access lines": servicesOf({ log: access }),
	"access lines, queries and three fields": servicesOf({
		log: { ...access, access_query: true, headers: ["accept", "accept-language", "cookie"] },
	}),
	"access lines, combined": servicesOf({
		log: { ...access, access_destination: "/dev/null", access_format: "combined" },
	}),
	"access lines, a sample of 1 %": servicesOf({ log: { ...access, access_sample: 0.01 } }),
	"request ids sent": servicesOf({ request_id: { send: true } }),
	"traces, none recorded": servicesOf({ tracing: { endpoint, sample_ratio: 0 } }, discard),
	"traces, all recorded, not exported": servicesOf({ tracing: { endpoint } }, discard),
	"traces, 1 % recorded and exported": servicesOf(
		{ tracing: { endpoint, sample_ratio: 0.01 } },
		queue,
	),
};

/** @param {Services} services @returns {Promise<number>} nanoseconds of processor time for a request, of all threads */
const slice = async (services) => {
	const [end, begin] = [performance.now() + SLICE_MS, process.cpuUsage()];
	let requests = 0;
	do {
		for (let n = 0; n < REQUESTS; n += 1) request(services);
		requests += REQUESTS;
		await new Promise((resolve) => setImmediate(resolve));
	} while (performance.now() < end);
	await log.flush(10_000);
	const { user, system } = process.cpuUsage(begin);
	return ((user + system) * 1000) / requests;
};

for (const services of Object.values(CASES)) await slice(services);
const measured = await inTurns(Object.values(CASES), SLICES, slice);
const nothing = lowerQuartile(measured[0] ?? []);
const rows = Object.keys(CASES).map((name, at) => {
	const quick = lowerQuartile(measured[at] ?? []);
	return [name, quick.toFixed(0), at === 0 ? "–" : (quick - nothing).toFixed(0)];
});
const text = table(["with", "ns/request", "more than off"], rows);
process.stdout.write(`${text}\n`);
if (sent === 0) throw new Error("nothing was sent");
const conditions = [
	`processor time of all threads, lower quartile of ${SLICES} slices of ${SLICE_MS} ms in turns, ${REQUESTS} requests in a turn of the event loop; lines go to /dev/null, spans to a collector in the same process, whose work is in it`,
];
recordResults("Access log, request ids, traces", "npm run bench:access-log", conditions, text);
collector.closeAllConnections();
collector.close();
