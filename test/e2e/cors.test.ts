/**
 * The cors action before pages as a browser lets them ask (Fetch standard, "CORS protocol"): what is simple is sent at
 * once, all else after a preflight, and a page gets an answer only where the fields allow it. Answers that the edge makes
 * itself are for the page to read, too: what is refused, limited, broken.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	type Answer,
	type Server,
	send,
	startServer,
	startUpstream,
	type TestUpstream,
} from "./harness.ts";

interface Asked {
	readonly method?: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly credentials?: boolean;
}
/** What a page sees; undefined: a network error. */
type Seen = { readonly status: number; readonly headers: readonly string[] } | undefined;

const SIMPLE_METHODS = ["GET", "HEAD", "POST"];
const SIMPLE_HEADERS = ["accept", "accept-language", "content-language"];
const ALWAYS_SHOWN = [
	"cache-control",
	"content-language",
	"content-length",
	"content-type",
	"expires",
];
const listOf = (text: string | string[] | undefined): readonly string[] =>
	String(text ?? "")
		.split(",")
		.map((each) => each.trim())
		.filter(Boolean);

let server: Server;
const go = (path: string, method: string, headers: Readonly<Record<string, string>>) =>
	send(server.port, path, { method, headers: { host: "api.example", ...headers } });

function allows(origin: string, credentials: boolean, { headers }: Answer): boolean {
	const allowed = headers["access-control-allow-origin"];
	if (allowed === "*") return !credentials;
	if (allowed !== origin) return false;
	return !credentials || headers["access-control-allow-credentials"] === "true";
}

async function fetches(origin: string, path: string, asked: Asked = {}): Promise<Seen> {
	const { method = "GET", headers = {}, credentials = false } = asked;
	const unsafe = Object.keys(headers)
		.filter((name) => !SIMPLE_HEADERS.includes(name))
		.sort();
	if (!SIMPLE_METHODS.includes(method) || unsafe.length > 0) {
		const asks = unsafe.length === 0 ? {} : { "access-control-request-headers": unsafe.join(",") };
		const preflight = await go(path, "OPTIONS", {
			origin,
			"access-control-request-method": method,
			...asks,
		});
		if (!allows(origin, credentials, preflight)) return undefined;
		if (preflight.status < 200 || preflight.status > 299) return undefined;
		const methods = listOf(preflight.headers["access-control-allow-methods"]);
		const isAny = methods.includes("*") && !credentials;
		if (!isAny && ![...SIMPLE_METHODS, ...methods].includes(method)) return undefined;
		const allowed = listOf(preflight.headers["access-control-allow-headers"]);
		const isAllowed = (name: string) =>
			allowed.includes(name) || (allowed.includes("*") && !credentials && name !== "authorization");
		if (!unsafe.every(isAllowed)) return undefined;
	}
	const answer = await go(path, method, { ...headers, origin });
	if (!allows(origin, credentials, answer)) return undefined;
	const exposed = listOf(answer.headers["access-control-expose-headers"]);
	const shown = Object.keys(answer.headers).filter(
		(name) => ALWAYS_SHOWN.includes(name) || exposed.includes(name) || exposed.includes("*"),
	);
	return { status: answer.status, headers: shown };
}

const SHOP = "https://shop.example";
const FULL = {
	allow_origins: [SHOP, "https://*.shop.example", "http://localhost:3000"],
	allow_methods: ["PUT", "DELETE"],
	allow_headers: ["content-type", "authorization"],
	expose_headers: ["x-total"],
	allow_credentials: true,
	max_age_seconds: 600,
};
const on = (path: string, type: string, config: object = {}) => ({
	expressions: [`req.url.path == '${path}'`],
	actions: [{ type, config }],
});
const policyOf = (config: object) => ({
	inbound: [
		{ actions: [{ type: "cors", config }] },
		on("/denied", "deny"),
		on("/limited", "rate-limit", { capacity: 1, rate: "24h" }),
		on("/told", "rate-limit", { name: "told", capacity: 9, rate: "24h", headers: "ietf" }),
		on("/told", "rate-limit", { capacity: 9, rate: "24h", headers: "legacy" }),
		on("/members", "basic-auth", { credentials: ["ada:correct horse"] }),
		on("/far", "restrict-ips", { allow: ["203.0.113.0/24"] }),
		on("/moved", "redirect", { to: "/there" }),
		on("/made", "custom-response", { content: "made" }),
		{
			expressions: ["req.url.path == '/fails'", "req.headers['x-none'][0] == 'a'"],
			actions: [{ type: "log" }],
		},
	],
	outbound: [
		{
			expressions: ["req.url.path == '/fails-late'", "res.headers['x-none'][0] == 'a'"],
			actions: [{ type: "log" }],
		},
		{
			expressions: ["req.url.path == '/replaced'"],
			actions: [{ type: "custom-response", config: { content: "other" } }],
		},
	],
});

describe.each(["on", "off"])("front: %s", (front) => {
	let upstream: TestUpstream;
	beforeAll(async () => {
		upstream = await startUpstream();
		upstream.headers = {
			"content-type": "text/plain",
			"x-total": "7",
			"x-own": "8",
			"access-control-allow-origin": "https://backend.example",
			"access-control-allow-credentials": "true",
		};
		server = await startServer({ workers: 1, config: { front } });
		await server.route(upstream.port);
		await server.policy(policyOf(FULL));
	}, 30_000);
	afterAll(async () => {
		await server?.cleanUp();
		await upstream?.close();
	});

	it.each<[string, Asked, number | undefined]>([
		[SHOP, {}, 200],
		[SHOP, { credentials: true }, 200],
		["https://www.shop.example", { method: "PUT", credentials: true }, 200],
		["https://a.b.shop.example", { method: "DELETE", headers: { authorization: "a" } }, 200],
		[
			"http://localhost:3000",
			{ method: "POST", headers: { "content-type": "application/json" } },
			200,
		],
		[SHOP, { method: "PATCH" }, undefined],
		[SHOP, { headers: { "x-other": "1" } }, undefined],
		["http://shop.example", {}, undefined],
		["https://shop.example:8443", {}, undefined],
		["https://evilshop.example", {}, undefined],
		["https://shop.example.evil.example", { method: "PUT" }, undefined],
		["https://.shop.example", {}, undefined],
		["https://backend.example", {}, undefined],
		["null", {}, undefined],
	])("a page of %s asks %j: %s", async (origin, asked, status) => {
		const seen = await fetches(origin, "/", asked);
		expect(seen?.status).toBe(status);
		if (seen !== undefined)
			expect([seen.headers.includes("x-total"), seen.headers.includes("x-own")]).toEqual([
				true,
				false,
			]);
	});

	it.each([
		["/denied", 403],
		["/members", 401],
		["/far", 403],
		["/moved", 302],
		["/made", 200],
		["/replaced", 200],
		["/fails", 500],
		["/fails-late", 500],
		["/limited", 429],
		["/told", 200],
	])("the page may read what %s comes to", async (path, status) => {
		if (status === 429) await fetches(SHOP, path);
		expect((await fetches(SHOP, path, { credentials: true }))?.status).toBe(status);
		expect(await fetches("https://elsewhere.example", path)).toBeUndefined();
	});

	it("preflights reach no backend, and bring no credentials to those who ask for them", async () => {
		const before = upstream.seen.length;
		const preflight = await go("/members", "OPTIONS", {
			origin: SHOP,
			"access-control-request-method": "PUT",
		});
		expect([preflight.status, preflight.body, preflight.headers.vary]).toEqual([204, "", "origin"]);
		expect(preflight.headers["access-control-max-age"]).toBe("600");
		expect(upstream.seen.length).toBe(before);
	});

	it("a preflight that a rate-limit has admitted tells of it, as other answers do", async () => {
		const limit = { name: "before", capacity: 3, rate: "24h", headers: "ietf" };
		const { inbound } = policyOf(FULL);
		await server.policy({ inbound: [on("/first", "rate-limit", limit), ...inbound] });
		const headers = { origin: SHOP, "access-control-request-method": "PUT" };
		const preflight = await go("/first", "OPTIONS", headers);
		expect(preflight.status).toBe(204);
		expect(preflight.headers["access-control-allow-methods"]).toBe("PUT, DELETE");
		expect(preflight.headers.ratelimit).toMatch(/^"before";r=2;t=\d+$/);
		const elsewhere = await go("/first", "OPTIONS", { ...headers, origin: "https://a.example" });
		expect([elsewhere.status, elsewhere.headers["access-control-allow-origin"]]).toEqual([
			204,
			undefined,
		]);
		expect(elsewhere.headers.ratelimit).toMatch(/^"before";r=1;/);
		await server.policy(policyOf(FULL));
	});

	it("an OPTIONS that is no preflight, and a request without origin, pass untouched", async () => {
		const options = await go("/", "OPTIONS", { origin: SHOP });
		expect([options.status, options.body]).toEqual([200, "upstream"]);
		const plain = await go("/", "GET", {});
		expect(plain.headers["access-control-allow-origin"]).toBe("https://backend.example");
		expect(plain.headers.vary).toBeUndefined();
	});

	it("an upgrade, and a backend that is gone", async () => {
		const upgrade = await go("/", "GET", {
			origin: SHOP,
			connection: "upgrade",
			upgrade: "websocket",
		});
		expect([upgrade.status, upgrade.headers["access-control-allow-origin"]]).toEqual([426, SHOP]);
		await server.route(1);
		expect((await fetches(SHOP, "/"))?.status).toBe(502);
		await server.route(upstream.port);
	});

	it("* for everybody, without credentials", async () => {
		await server.policy(
			policyOf({ allow_origins: ["*"], allow_methods: ["*"], allow_headers: ["*"] }),
		);
		expect(
			(await fetches("https://any.example", "/", { method: "PATCH", headers: { "x-a": "1" } }))
				?.status,
		).toBe(200);
		expect(await fetches("https://any.example", "/", { credentials: true })).toBeUndefined();
		expect((await fetches("null", "/"))?.status).toBe(200);
		await server.policy(policyOf(FULL));
	});
});
