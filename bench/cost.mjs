/**
 * What expressions take over the largest requests there can be, beside what was estimated when they were
 * compiled and what they charge while they run. No estimate may be below the time; `node bench/cost.mjs`
 */
import { BUDGET } from "#dist/cel/budget.js";
import { check } from "#dist/cel/check/check.js";
import { Scope } from "#dist/cel/check/scope.js";
import { estimateCost } from "#dist/cel/cost/cost.js";
import { assemble } from "#dist/cel/lower/assemble.js";
import { openCode } from "#dist/cel/lower/open.js";
import { parse } from "#dist/cel/parse/parse.js";
import { FlatHeaders } from "#dist/edge/request/header-lines.js";
import { recordResults, table } from "./results.mjs";

const BYTES = 65_000;
const ROUNDS = 15;

/** @param {string} piece */
const text = (piece, characters = BYTES) =>
	Buffer.from(piece.repeat(Math.floor(characters / piece.length))).toString("latin1");

/** @param {{ headers?: string[][], query?: string, path?: string }} request */
function requestOf({ headers = [], query = "", path = "/" }) {
	const url = { path, query, full: `http://h${path}?${query}`, uri: `${path}?${query}` };
	const lines = () => new FlatHeaders(headers.flat());
	return () => ({ method: "GET", host: "h", url, requestHeaders: lines(), derived: undefined });
}

/** @param {number} count @param {string} piece */
const lines = (count, piece) =>
	Array.from({ length: count }, (_, n) => [`name-${n}`, text(piece, BYTES / count - 10)]);
const REQUESTS = {
	"one long header": requestOf({ headers: [["x", text("a")]] }),
	"one header of commas": requestOf({ headers: [["x", text("a,")]] }),
	"98 headers": requestOf({ headers: lines(98, "abcd") }),
	"98 lines of one header": requestOf({
		headers: lines(98, "abcd").map(([, value]) => ["x", value ?? ""]),
	}),
	"many cookies": requestOf({
		headers: [["cookie", Array.from({ length: 8000 }, (_, n) => `${n}=a`).join("; ")]],
	}),
	"many parameters": requestOf({
		query: Array.from({ length: 8000 }, (_, n) => `${n.toString(36)}=%41`).join("&"),
	}),
	"a long path": requestOf({ path: text("/aB") }),
	"content-type": requestOf({ headers: [["content-type", "Ω".repeat(BYTES / 2)]] }),
	"content-encoding": requestOf({ headers: [["content-encoding", text("A,")]] }),
};

/** @type {(readonly [keyof typeof REQUESTS, string])[]} */
const CASES = [
	["one long header", "req.headers['x'][0].contains('ab')"],
	["one long header", "req.headers['x'][0].contains('aaaaaaab')"],
	["one long header", "req.headers['x'][0].matches('^(a+)+b')"],
	["one long header", "req.headers['x'][0] + 'b' == req.headers['x'][0] + 'c'"],
	["one long header", "req.headers['x'][0] in {'a': 1, 'b': 2}"],
	["one long header", "req.headers['x'][0] in ['a', 'b', 'c', 'd', 'e', 'f', 'g']"],
	["one header of commas", "req.headers['x'][0].split(',').exists(v, v == 'b')"],
	["one header of commas", "req.headers['x'][0].replace(',', 'xyz').size() == 3"],
	["98 headers", "req.headers.exists(h, req.headers[h].exists(v, v.contains('dd')))"],
	["98 headers", "req.headers.map(h, req.headers[h].join(',')).join(';').contains('q')"],
	[
		"98 headers",
		"req.headers.exists(a, req.headers.exists(b, req.headers[a][0] > req.headers[b][0] + 'x'))",
	],
	["98 lines of one header", "req.headers['x'].exists(a, req.headers['x'].exists(b, a < b))"],
	["98 lines of one header", "req.headers['x'].sort().distinct().size() == 5"],
	["many cookies", "'a' in req.cookies"],
	["many cookies", "req.cookies.all(n, req.cookies[n].all(c, c.value.matches('^[a-z]+$')))"],
	["many parameters", "'zz-' in req.url.query_params"],
	["many parameters", "req.url.query_params.exists(n, req.url.query_params[n].exists(v, v == n))"],
	["many parameters", "req.url.query_params.transformMap(k, v, v.size()).size() == 1"],
	["a long path", "req.url.path.lowerAscii() == '/x'"],
	["a long path", "req.url.path.split('/').map(p, p.size()).exists(n, n == 7)"],
	["content-type", "req.content_type == 'text/html'"],
	["content-encoding", "'gzip' in req.content_encoding"],
];

const ENOUGH = 1e12;
const rows = [];
for (const [request, source] of CASES) {
	const parsed = parse(source);
	if (!parsed.ok) throw new Error(`${source}: ${parsed.fault.message}`);
	const scope = new Scope(parsed.tree, "inbound");
	const { expr } = check(scope, parsed.expr);
	if (scope.faults.length > 0) throw new Error(`${source}: ${scope.faults[0]?.message}`);
	const run = openCode(assemble(scope, expr, "bool", true).code);
	const times = [];
	for (let round = 0; round < ROUNDS; round++) {
		// as much of a request as these expressions read
		const attributes = /** @type {import("#dist/cel/attributes.js").Attributes} */ (
			/** @type {unknown} */ (REQUESTS[request]())
		);
		BUDGET.left = ENOUGH;
		const start = process.hrtime.bigint();
		run(attributes);
		times.push(Number(process.hrtime.bigint() - start));
	}
	const charged = ENOUGH - BUDGET.left;
	const microseconds = (/** @type {number} */ nanoseconds) => (nanoseconds / 1000).toFixed(1);
	// other work on the machine makes some rounds longer, nothing makes them shorter
	const takes = Math.min(...times);
	const estimate = estimateCost(scope, expr);
	rows.push([
		`${source} (${request})`,
		microseconds(takes),
		microseconds(charged),
		microseconds(estimate),
		(takes / estimate).toFixed(2),
	]);
}
BUDGET.left = Number.POSITIVE_INFINITY;
const shown = table(["expression", "takes (µs)", "charges", "estimated", "part of it"], rows);
process.stdout.write(`${shown}\n`);
recordResults("Estimates of expressions", "node bench/cost.mjs", [], shown);
