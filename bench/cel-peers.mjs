/**
 * Other CEL libraries for JavaScript, each used as its documentation recommends: an expression is parsed or
 * planned once, variables are plain objects. `cel.mjs` measures with them.
 *
 * Differences that no peer is blamed for: `req.url` is a string and a namespace at once here, which plain
 * objects are not, so peers have `req.full_url` and `req.path`; header names are written in lower case,
 * because their maps are plain ones; a pattern's `(?i)` is JavaScript's `i` where the engine is JavaScript's.
 */
import { celEnv, isCelError, parse as parseBuf, plan } from "@bufbuild/cel";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Environment } from "@marcbachmann/cel-js";
import * as celJs from "cel-js";
import { RE2JS } from "re2js";

/**
 * @typedef {(typeof import("./cel-requests.mjs").REQUESTS)[number]} Request
 * @typedef {{ int: (value: number) => unknown, time: (ms: number) => unknown }} Conventions
 * @typedef {(variables: Record<string, any>) => unknown} Run
 */

/** The peers' names for variables. @param {string} source */
const renamed = (source) =>
	source
		.replaceAll(/\breq\.url\.(path|query|query_params)\b/g, "req.$1")
		.replaceAll(/\breq\.url\b/g, "req.full_url")
		.replaceAll("'Authorization'", "'authorization'");

/**
 * Variables for a peer; `int` makes its whole numbers, `time` its moments.
 * @param {Request} request @param {Conventions} conventions
 */
export const variablesFor = (request, { int, time }) => {
	const headers = Object.fromEntries(
		request.requestHeaders.names().map((name) => [name, [...request.requestHeaders.lines(name)]]),
	);
	return {
		req: {
			method: request.method,
			host: request.host,
			full_url: request.url.full,
			path: request.url.path,
			query: request.url.query,
			query_params: Object.fromEntries(
				[...new URLSearchParams(request.url.query)].map(([name, value]) => [name, [value]]),
			),
			content_length: int(request.requestContentLength),
			user_agent: headers["user-agent"]?.[0] ?? "",
			headers,
		},
		conn: { client_ip: request.clientIp, geo: { country_code: request.geo.countryCode } },
		res: { status_code: int(request.responseStatusCode) },
		time: { now: time(request.nowMs) },
	};
};

/** Patterns made once: the engine is asked for the same one at every evaluation. */
/** @type {Map<string, RE2JS>} */
const patterns = new Map();
const re2 = {
	/** @param {string} source */
	compile: (source) => {
		const known = patterns.get(source) ?? RE2JS.compile(source);
		patterns.set(source, known);
		return known;
	},
};

/**
 * Has no methods of texts, but takes functions.
 * @type {Record<string, (text: string, part: string) => boolean>}
 */
const celJsFunctions = {
	startsWith: (text, part) => text.startsWith(part),
	endsWith: (text, part) => text.endsWith(part),
	contains: (text, part) => text.includes(part),
};
/** @param {string} source */
const asFunctions = (source) =>
	source.replaceAll(/([\w.]+)\.(startsWith|endsWith|contains)\(/g, "$2($1, ");

const bufEnvironment = celEnv({ re2 });
const marcbachmann = new Environment({ unlistedVariablesAreDyn: true });

/**
 * A library. A rule's `peers` has its own words where the renamed ones won't do; null: it has no way to say it.
 * @param {string} name
 * @param {Conventions} conventions
 * @param {(source: string) => Run} compile to what the expression yields; throws what the peer throws
 */
const peer = (name, { int, time }, compile) => ({
	name,
	int,
	time,
	/** @param {import("./cel-rules.mjs").Rule} rule */
	compile: (rule) => {
		const own = rule.peers?.[name];
		return own === null ? undefined : compile(own ?? renamed(rule.expression));
	},
});

export const PEERS = [
	peer("@marcbachmann/cel-js", { int: BigInt, time: (ms) => new Date(ms) }, (source) =>
		marcbachmann.parse(source),
	),
	peer("@bufbuild/cel", { int: BigInt, time: timestampFromMs }, (source) => {
		const run = plan(bufEnvironment, parseBuf(source));
		return (variables) => {
			const result = run(variables);
			if (isCelError(result)) throw result;
			return result;
		};
	}),
	peer("cel-js", { int: Number, time: () => null }, (source) => {
		const parsed = celJs.parse(asFunctions(source));
		if (!parsed.isSuccess) throw new Error(parsed.errors.join("; "));
		return (variables) => celJs.evaluate(parsed.cst, variables, celJsFunctions);
	}),
];
