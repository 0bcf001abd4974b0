/**
 * The rules that `cel.mjs` measures: every expression of the published policies that the tests hold, each
 * with what it is written by hand in JavaScript, and in a peer's own words where renaming won't do.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * @typedef {(typeof import("./cel-requests.mjs").REQUESTS)[number]} Request
 * @typedef {"inbound" | "outbound"} Phase
 * @typedef {{ expressions?: string[] | null }} PolicyRule
 * @typedef {(request: Request) => unknown} ByHand
 * @typedef {{
 *   phase: Phase, expression: string, byHand: ByHand | undefined,
 *   peers: Readonly<Record<string, string | null>> | undefined
 * }} Rule
 */

/** @type {readonly { policy: { inbound?: PolicyRule[] | null, outbound?: PolicyRule[] | null } }[]} */
const published = JSON.parse(
	readFileSync(join(import.meta.dirname, "..", "test", "policy", "published.json"), "utf8"),
);

const COUNTRIES = new Set(["BR", "CN", "CU", "IR", "NG", "RO", "RU", "SD", "SY", "UA"]);
const BOTS = /(chatgpt-user|gptbot)\/\d/i;
const EDGE = /Edg\/\d/i;
const SCRIPT = /<script/i;
const UNTIL_MS = Date.parse("2024-12-31T23:59:59Z");

/** 149.154.160.0/20 and 91.108.4.0/22, of an IPv4 address in canonical text. @param {string} address */
function inTelegram(address) {
	if (!address.startsWith("149.154.") && !address.startsWith("91.108.")) return false;
	const parts = address.split(".");
	const third = Number(parts[2]);
	return parts[0] === "149" ? third >= 160 && third < 176 : third >= 4 && third < 8;
}

/** @param {Request} a @param {string} name */
const line = (a, name) => a.requestHeaders.lines(name)[0];

/**
 * By expression: the limit of what any evaluator could reach.
 * @type {Readonly<Record<string, ByHand>>}
 */
const BY_HAND = {
	"req.method == 'POST' && req.content_length > 10000": (a) =>
		a.method === "POST" && a.requestContentLength > 10_000,
	"conn.geo.country_code in ['BR', 'CN', 'CU', 'IR', 'NG', 'RO', 'RU', 'SD', 'SY', 'UA']": (a) =>
		COUNTRIES.has(a.geo.countryCode),
	"'ChatGPT' in req.headers['user-agent'] || 'GPTBot' in req.headers['user-agent']": (a) => {
		const lines = a.requestHeaders.lines("user-agent");
		return lines.includes("ChatGPT") || lines.includes("GPTBot");
	},
	"res.status_code < 200 || res.status_code > 300": (a) =>
		a.responseStatusCode < 200 || a.responseStatusCode > 300,
	"req.method != 'GET'": (a) => a.method !== "GET",
	"req.url.contains('/api/specific_endpoint')": (a) =>
		a.url.full.includes("/api/specific_endpoint"),
	"!('Authorization' in req.headers)": (a) => a.requestHeaders.lines("authorization").length === 0,
	"req.user_agent.matches('(?i).*(chatgpt-user|gptbot)/\\\\d+.*')": (a) =>
		BOTS.test(line(a, "user-agent") ?? ""),
	"size(req.headers['user-agent'].filter(x, x.matches('(?i).*Edg/\\\\d+.*'))) > 0": (a) =>
		a.requestHeaders.lines("user-agent").filter((x) => EDGE.test(x)).length > 0,
	"conn.client_ip in ['::1', '127.0.0.1']": (a) =>
		a.clientIp === "::1" || a.clientIp === "127.0.0.1",
	"req.url.path.startsWith('/api/v1/')": (a) => a.url.path.startsWith("/api/v1/"),
	"!(hasReqHeader('Authorization') && req.headers['authorization'][0] == 'Bearer my-token')": (a) =>
		line(a, "authorization") !== "Bearer my-token",
	"req.url.path == '/telegram/webhook'": (a) => a.url.path === "/telegram/webhook",
	"!inCidrRanges(conn.client_ip, ['149.154.160.0/20', '91.108.4.0/22'])": (a) =>
		!inTelegram(a.clientIp),
	"req.host.lowerAscii() == 'example.com' && !req.url.path.startsWith('/login/api/') && req.url.query.matches('(?i)<script')":
		(a) =>
			a.host.toLowerCase() === "example.com" &&
			!a.url.path.startsWith("/login/api/") &&
			SCRIPT.test(a.url.query),
	"req.url.path.startsWith('/admin') && !(req.method in ['GET', 'HEAD'] && 'x-role' in req.headers && req.headers['x-role'][0] == 'auditor')":
		(a) =>
			a.url.path.startsWith("/admin") &&
			!((a.method === "GET" || a.method === "HEAD") && line(a, "x-role") === "auditor"),
	"!(has(req.headers.origin) && req.headers.origin.all(o, o.startsWith('https://') && o.endsWith('.example.com')))":
		(a) => {
			const lines = a.requestHeaders.lines("origin");
			return !(
				lines.length > 0 &&
				lines.every((o) => o.startsWith("https://") && o.endsWith(".example.com"))
			);
		},
	"time.now < timestamp('2024-12-31T23:59:59Z')": (a) => a.nowMs < UNTIL_MS,
	"req.url.path.endsWith('.php') || req.url.path.startsWith('/wp-admin') || req.url.path.contains('/.git/') || req.url.path.contains('/.env')":
		({ url: { path } }) =>
			path.endsWith(".php") ||
			path.startsWith("/wp-admin") ||
			path.includes("/.git/") ||
			path.includes("/.env"),
	"'debug' in req.url.query_params && req.url.query_params['debug'][0] == 'true'": (a) =>
		new URLSearchParams(a.url.query).get("debug") === "true",
};

/**
 * What a library can't say is null.
 * @type {Readonly<Record<string, Readonly<Record<string, string | null>>>>}
 */
const PEERS = {
	"req.user_agent.matches('(?i).*(chatgpt-user|gptbot)/\\\\d+.*')": {
		"@marcbachmann/cel-js":
			"req.user_agent.lowerAscii().matches('.*(chatgpt-user|gptbot)/\\\\d+.*')",
		"cel-js": null,
	},
	"size(req.headers['user-agent'].filter(x, x.matches('(?i).*Edg/\\\\d+.*'))) > 0": {
		"@marcbachmann/cel-js":
			"size(req.headers['user-agent'].filter(x, x.lowerAscii().matches('.*edg/\\\\d+.*'))) > 0",
		"cel-js": null,
	},
	"!(hasReqHeader('Authorization') && req.headers['authorization'][0] == 'Bearer my-token')":
		everywhere(
			"!('authorization' in req.headers && req.headers['authorization'][0] == 'Bearer my-token')",
		),
	"!inCidrRanges(conn.client_ip, ['149.154.160.0/20', '91.108.4.0/22'])": everywhere(null),
	"req.host.lowerAscii() == 'example.com' && !req.url.path.startsWith('/login/api/') && req.url.query.matches('(?i)<script')":
		{
			"@marcbachmann/cel-js":
				"req.host.lowerAscii() == 'example.com' && !req.path.startsWith('/login/api/') && req.query.lowerAscii().matches('<script')",
			"cel-js": null,
		},
	"time.now < timestamp('2024-12-31T23:59:59Z')": { "cel-js": null },
};

/** @param {string | null} source */
function everywhere(source) {
	return { "@marcbachmann/cel-js": source, "@bufbuild/cel": source, "cel-js": source };
}

/** @param {Phase} phase @param {readonly PolicyRule[] | null} [rules] @returns {Rule[]} */
const rulesOf = (phase, rules) =>
	(rules ?? []).flatMap(({ expressions }) =>
		(expressions ?? []).map((expression) => ({
			phase,
			expression,
			byHand: BY_HAND[expression],
			peers: PEERS[expression],
		})),
	);

export const RULES = published.flatMap(({ policy }) => [
	...rulesOf("inbound", policy.inbound),
	...rulesOf("outbound", policy.outbound),
]);
