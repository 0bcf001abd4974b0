// Runs a folder of published policy documents against the real server: each is PUT to a route, traffic is
// sent through it, and what comes back is compared with the outcome that the folder's README states.
// usage: node scripts/examples.mjs FOLDER        prints one line a check and "N passed, N failed"
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const folder = process.argv[2];
if (folder === undefined) {
	process.stderr.write("usage: node scripts/examples.mjs FOLDER\n");
	process.exit(2);
}

let passed = 0;
let failed = 0;
/** @param {string} name @param {unknown} actual @param {unknown} expected */
function check(name, actual, expected) {
	const good = JSON.stringify(actual) === JSON.stringify(expected);
	if (good) passed += 1;
	else failed += 1;
	const detail = good ? "" : `: got ${JSON.stringify(actual)}, want ${JSON.stringify(expected)}`;
	process.stdout.write(`${good ? "ok  " : "FAIL"} ${name}${detail}\n`);
}
/** @param {string} text @param {RegExp} pattern @returns {true | string} */
const matches = (text, pattern) => (pattern.test(text) ? true : text);

/**
 * Polls until `probe` gives something; the deadline ends a run that would hang.
 * @template T @param {() => T | undefined | Promise<T | undefined>} probe @param {string} what
 * @returns {Promise<T>}
 */
async function until(probe, what) {
	const deadline = Date.now() + 10_000;
	for (;;) {
		const found = await probe();
		if (found !== undefined) return found;
		if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}

const scratch = mkdtempSync(join(tmpdir(), "weir-examples-"));
const logFile = join(scratch, "log");
let upstreamStatus = 200;
/** @type {{ target: string | undefined, headers: import("node:http").IncomingHttpHeaders }[]} */
let seen = [];
const upstream = createServer((incoming, outgoing) => {
	incoming.resume();
	incoming.on("end", () => {
		seen.push({ target: incoming.url, headers: incoming.headers });
		outgoing.writeHead(upstreamStatus, { "content-type": "text/plain" });
		outgoing.end("upstream");
	});
});
await new Promise((resolve) => upstream.listen(0, "127.0.0.1", () => resolve(undefined)));
const upstreamAddress = upstream.address();
const upstreamPort = typeof upstreamAddress === "object" ? upstreamAddress?.port : undefined;

// Two workers: what is limited is counted over both.
writeFileSync(
	join(scratch, "weir.yaml"),
	[
		"listen: 127.0.0.1:0",
		"management: {address: 127.0.0.1:0}",
		"data_dir: data",
		"workers: 2",
		"trusted_proxies: [127.0.0.1]",
		`log: {destination: ${JSON.stringify(logFile)}}`,
	].join("\n"),
);
const key = "examples-key-0123456789";
const server = spawn(
	process.execPath,
	[join(root, "dist", "main.js"), "serve", "--config", join(scratch, "weir.yaml")],
	{ env: { ...process.env, WEIR_API_KEY: key }, stdio: ["ignore", "inherit", "inherit"] },
);
/**
 * As much of the lines as is read here.
 * @typedef {{
 *   msg: string, management: string, listen: string[], path: string, status: number, pid: number,
 *   traffic_policy?: { logs?: { metadata: unknown }[] }
 * }} LogLine
 */

/** @returns {LogLine[]} */
const logLines = () => {
	try {
		return readFileSync(logFile, "utf8")
			.split("\n")
			.filter((line) => line !== "")
			.map((line) => JSON.parse(line));
	} catch {
		return [];
	}
};
const ready = await until(
	() => logLines().find((line) => line.msg === "weir is ready"),
	"the server",
);

/**
 * @typedef {{ method?: string, path?: string, headers?: Record<string, string> }} Options
 * @typedef {{ status: number | undefined, headers: import("node:http").IncomingHttpHeaders, body: string }} Answer
 */

/**
 * @param {string} address @param {Options} options @param {string | Buffer | undefined} body
 * @returns {Promise<Answer>}
 */
function send(address, options, body) {
	const [hostname, port] = address.split(":");
	return new Promise((resolve, reject) => {
		const outgoing = request({ hostname, port, agent: false, ...options }, (incoming) => {
			/** @type {Buffer[]} */
			const chunks = [];
			incoming.on("data", (chunk) => chunks.push(chunk));
			incoming.on("end", () =>
				resolve({
					status: incoming.statusCode,
					headers: incoming.headers,
					body: Buffer.concat(chunks).toString("utf8"),
				}),
			);
		});
		outgoing.on("error", reject);
		outgoing.end(body);
	});
}

/** @param {string} method @param {string} path @param {string | Buffer} [document] */
const api = (method, path, document) =>
	send(
		ready.management,
		{
			method,
			path,
			headers: {
				authorization: `Bearer ${key}`,
				"service-version": "2",
				...(document === undefined ? {} : { "content-type": "application/json" }),
			},
		},
		document,
	);
/** @typedef {{ method?: string, headers?: Record<string, string>, body?: string }} Sent */
/** @param {string} path @param {Sent} sent */
const go = (path, { method = "GET", headers = {}, body } = {}) =>
	send(ready.listen[0] ?? "", { method, path, headers: { host: "example.com", ...headers } }, body);

/** What the upstream got of this request, and the answer. @param {string} path @param {Sent} [options] */
async function through(path, options) {
	seen = [];
	const answer = await go(path, options);
	return { ...answer, target: seen[0]?.target };
}

let loggedRequests = 0;
/** Log entries of one request: its metadata objects. Its path tells its line from those of other workers. @param {number} expected */
async function logged(expected) {
	const path = `/logged/${++loggedRequests}`;
	await go(path);
	const entries = () =>
		logLines()
			.filter((line) => line.path === path)
			.flatMap((line) => line.traffic_policy?.logs ?? [])
			.map(({ metadata }) => metadata);
	return until(() => (entries().length >= expected ? entries() : undefined), "a log line");
}

/** @param {string} name */
const put = async (name) => {
	const answer = await api("PUT", POLICY, readFileSync(join(folder, `${name}.json`)));
	return { ...answer, json: JSON.parse(answer.body) };
};
const POLICY = "/edges/https/edge-1/routes/route-1/policy";
const BR = { "x-forwarded-for": "200.160.2.3" };
const DE = { "x-forwarded-for": "85.214.132.117" };

async function run() {
	await api("PUT", "/edges/https/edge-1", JSON.stringify({ hostports: ["*"] }));
	const backend = { urls: [`http://127.0.0.1:${upstreamPort}`] };
	const route = { match_type: "path_prefix", match: "/", backend };
	check(
		"route",
		(await api("PUT", "/edges/https/edge-1/routes/route-1", JSON.stringify(route))).status,
		201,
	);

	const sample = await put("sample-module");
	check("sample-module: PUT", sample.status, 200);
	check("sample-module: lint warns", Number(sample.headers["policy-warnings"]) > 0, true);
	for (const [path, target] of Object.entries({
		"/v0/user/42?x=1": "/v1/user?id=42&x=1",
		"/v0/user/42": "/v1/user?id=42&",
		"/v0/super/secret/path/to/admin?x=1": "/v1/admin??x=1",
	}))
		check(`sample-module: ${path}`, (await through(path)).target, target);
	const large = { method: "POST", body: "x".repeat(10_001) };
	const refused = await go("/", { ...large, headers: BR });
	check(
		"sample-module: large POST from BR",
		[refused.status, refused.body, refused.headers["content-type"]],
		[401, "access denied", "text/plain"],
	);
	check(
		"sample-module: large POST from DE",
		(await go("/", { ...large, headers: DE })).status,
		200,
	);
	const bot = await go("/", { headers: { "user-agent": "ChatGPT" } });
	check("sample-module: bot, exactly", [bot.status, bot.body], [400, ""]);
	const browser = { headers: { "user-agent": "Mozilla/5.0 ChatGPT-User/1.0" } };
	check("sample-module: bot, within", (await go("/", browser)).status, 200);
	const metadata = {
		edgeId: "edghts_2hrGzFXBFh5GMlgGeqQ6Ms1xzv2",
		message: "Unsuccessful response",
		routeId: "edghtsrt_2hrGzDNSmgxEDJSKMPaKYauSUMa",
	};
	// The custom-response above was logged too: outbound rules see it, and 401 is no success.
	const withLogs = () => logLines().filter((line) => line.traffic_policy !== undefined);
	await until(() => (withLogs().length > 0 ? true : undefined), "its log line");
	for (const status of [200, 300]) {
		upstreamStatus = status;
		await go("/");
	}
	for (const status of [500, 301]) {
		upstreamStatus = status;
		check(`sample-module: upstream ${status} logs`, await logged(1), [metadata]);
	}
	// A worker writes its lines in order: when both have logged a 301, any of 200 and 300 would be there too.
	await until(async () => {
		await go("/");
		const later = withLogs().filter(({ status }) => status === 301);
		return new Set(later.map(({ pid }) => pid)).size === 2 ? true : undefined;
	}, "a log line of each worker");
	const silent = withLogs().filter(({ status }) => status === 200 || status === 300);
	check("sample-module: upstream 200 and 300 log nothing", silent, []);
	upstreamStatus = 200;

	check("deny-methods: PUT", (await put("deny-methods")).status, 200);
	check("deny-methods: GET", (await go("/")).status, 200);
	const post = await go("/", { method: "POST", body: "x" });
	check("deny-methods: POST", [post.status, post.body], [403, ""]);

	check("rate-limit-endpoint: PUT", (await put("rate-limit-endpoint")).status, 200);
	/** @type {(number | undefined)[]} */
	const statuses = [];
	/** @type {Answer | undefined} */
	let last;
	for (let i = 0; i < 31; i++) {
		last = await go("/api/specific_endpoint");
		statuses.push(last.status);
	}
	check("rate-limit-endpoint: 30 pass", statuses, [...Array(30).fill(200), 429]);
	const wait = Number(last?.headers["retry-after"]);
	check("rate-limit-endpoint: retry-after", wait >= 1 && wait <= 60, true);
	check("rate-limit-endpoint: other path", (await go("/other")).status, 200);

	check("user-agent-filter: PUT", (await put("user-agent-filter")).status, 200);
	for (const agent of ["Edg/120", "eDG/120", "Mozilla edg/120 x"])
		check(
			`user-agent-filter: ${agent}`,
			(await go("/", { headers: { "user-agent": agent } })).body,
			"Hello Edge User!",
		);
	check("user-agent-filter: none", (await go("/")).body, "upstream");

	check("bots-by-name: PUT", (await put("bots-by-name")).status, 200);
	check(
		"bots-by-name: GPTBot/1.0",
		(await go("/", { headers: { "user-agent": "GPTBot/1.0" } })).status,
		404,
	);

	check("maintenance-page: PUT", (await put("maintenance-page")).status, 200);
	const page = await go("/");
	check(
		"maintenance-page",
		[page.status, page.headers["content-type"], matches(page.body, /Service Unavailable<\/h1>/)],
		[503, "text/html", true],
	);
	check("custom-json: PUT", (await put("custom-json")).status, 200);
	const custom = await go("/");
	check(
		"custom-json",
		[custom.status, custom.headers["content-type"], custom.body],
		[400, "application/json", '{"error":{"message":"Bad Request"}}'],
	);
	check("json-interpolation: PUT", (await put("json-interpolation")).status, 200);
	const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/;
	const filled = await go("/api/example");
	check(
		"json-interpolation",
		[filled.status, matches(JSON.parse(filled.body)["connection-start"], time)],
		[200, true],
	);
	check("text-interpolation: PUT", (await put("text-interpolation")).status, 200);
	const text = await go("/api/example");
	const sentence = new RegExp(`^connection began at ${time.source}, now ${time.source}$`);
	check(
		"text-interpolation",
		[text.status, text.headers["content-type"], matches(text.body, sentence)],
		[418, "text/plain", true],
	);

	check("log-basic: PUT", (await put("log-basic")).status, 200);
	check("log-basic", await logged(1), [{ message: "Log action executed.", endpoint_id: "edge-1" }]);

	check("rate-limit-basic: PUT", (await put("rate-limit-basic")).status, 200);
	/** @type {(number | undefined)[]} */
	const basic = [];
	for (let i = 0; i < 31; i++) basic.push((await go("/")).status);
	check("rate-limit-basic", basic, [...Array(30).fill(200), 429]);

	check("rewrite-basic: PUT", (await put("rewrite-basic")).status, 200);
	check("rewrite-basic", (await through("/products")).target, "/products.php");

	check("deny-minimal: PUT", (await put("deny-minimal")).status, 200);
	for (const method of ["GET", "POST", "DELETE"])
		check(`deny-minimal: ${method}`, (await go("/x", { method })).status, 403);

	/** @type {Readonly<Record<string, Readonly<Record<string, RegExp>>>>} */
	const refusals = {
		"refuse-old-variables": {
			"/inbound/0/expressions/0": /req\.url/,
			"/inbound/1/expressions/0": /req\.method/,
			"/inbound/1/expressions/1": /conn\.geo\.country_code/,
			"/inbound/2/expressions/0": /req\.headers/,
			"/outbound/0/expressions/0": /res\.status_code/,
		},
		"refuse-unknown-variable": { "/inbound/0/expressions/0": /conn\.tls\.version/ },
		"refuse-unknown-format": { "/inbound/0/actions/0/config/format": /nginx/ },
	};
	for (const [name, wanted] of Object.entries(refusals)) {
		const answer = await put(name);
		check(`${name}: PUT`, answer.status, 400);
		for (const [pointer, pattern] of Object.entries(wanted)) {
			/** @type {{ pointer: string, message: string }[]} */
			const problems = answer.json.problems ?? [];
			const said = problems
				.filter((problem) => problem.pointer === pointer)
				.map(({ message }) => message)
				.join("\n");
			check(`${name}: ${pointer}`, matches(said, pattern), true);
		}
	}
	check("a refused document changes nothing", (await go("/x")).status, 403);
}

try {
	await run();
} catch (error) {
	failed += 1;
	process.stdout.write(`FAIL ${error instanceof Error ? error.stack : error}\n`);
} finally {
	const ended = new Promise((resolve) => server.once("exit", resolve));
	server.kill("SIGTERM");
	await ended;
	upstream.close();
	upstream.closeAllConnections();
	rmSync(scratch, { recursive: true, force: true });
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
