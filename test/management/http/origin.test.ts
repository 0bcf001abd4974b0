/** Which web pages may use the API (contract 2, "Browsers"): those that it serves itself, and no others. */
import { describe, expect, it } from "vitest";
import { KnownHosts } from "../../../src/management/http/known-hosts.ts";
import { checkOrigin, type Scheme } from "../../../src/management/http/origin.ts";
import type { ApiRequest } from "../../../src/management/http/request.ts";
import { expectError, startApi } from "../api.ts";

const hosts = new KnownHosts(["weir.example"]);

function check(
	fields: Readonly<Record<string, string | readonly string[]>>,
	{ method = "GET", scheme = "http" as Scheme, host = "localhost", port = 4040 } = {},
): void {
	const headers = (name: string) => [fields[name] ?? []].flat();
	checkOrigin({ method, headers } as unknown as ApiRequest, scheme, { host, port }, hosts);
}

const REFUSED = /^The request comes from a web page of .*only pages that this API serves/;

describe("a request", () => {
	it.each([
		["of a program", {}],
		["of the API's own page", { origin: "http://localhost:4040", "sec-fetch-site": "same-origin" }],
		["of an old browser", { origin: "http://LOCALHOST.:4040" }],
		["of somebody who typed the address", { "sec-fetch-site": "none" }],
		[
			"through a proxy with TLS",
			{ origin: "https://weir.example", "sec-fetch-site": "same-origin" },
		],
	])("%s passes", (_name, fields) => {
		expect(() => check(fields)).not.toThrow();
	});

	it.each([
		["another port", { origin: "http://localhost:3000" }],
		["another scheme", { origin: "https://localhost:4040" }],
		["another host", { origin: "http://127.0.0.1:4040" }],
		["the default port", { origin: "http://localhost" }],
		["a foreign site", { origin: "https://evil.example" }],
		["a site that looks like it", { origin: "http://localhost:4040.evil.example" }],
		["a sandbox or a file", { origin: "null" }],
		["nothing", { origin: "" }],
		["no origin", { origin: "http://localhost:4040/" }],
		["a user", { origin: "http://a@localhost:4040" }],
		["another scheme's app", { origin: "chrome-extension://abcdef" }],
		["several", { origin: ["http://localhost:4040", "http://evil.example"] }],
		["a page elsewhere, without an origin", { "sec-fetch-site": "cross-site" }],
		["another port, without an origin", { "sec-fetch-site": "same-site" }],
		["a spelling that no browser has", { "sec-fetch-site": "Same-Origin" }],
		["two sites", { "sec-fetch-site": ["same-origin", "cross-site"] }],
		[
			"an own origin that the browser denies",
			{ origin: "http://localhost:4040", "sec-fetch-site": "cross-site" },
		],
		[
			"a foreign origin that claims to be the same",
			{ origin: "https://evil.example", "sec-fetch-site": "same-origin" },
		],
	])("of %s is refused", (_name, fields) => {
		expect(() => check(fields)).toThrow(REFUSED);
	});

	it("has the default port of its scheme where none is written", () => {
		const own = { host: "weir.example" } as const;
		const at = (scheme: Scheme, port: number) => ({ ...own, scheme, port });
		expect(() => check({ origin: "https://weir.example" }, at("https", 443))).not.toThrow();
		expect(() => check({ origin: "https://weir.example:443" }, at("https", 443))).not.toThrow();
		expect(() => check({ origin: "http://weir.example" }, at("http", 80))).not.toThrow();
		expect(() => check({ origin: "http://weir.example" }, at("https", 443))).toThrow(REFUSED);
	});

	it("that follows a link from elsewhere passes, but no form, frame, image or script", () => {
		const link = {
			...{ "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
			"sec-fetch-dest": "document",
		};
		expect(() => check(link)).not.toThrow();
		expect(() => check(link, { method: "POST" })).toThrow(REFUSED);
		expect(() => check({ ...link, "sec-fetch-dest": "iframe" })).toThrow(REFUSED);
		expect(() => check({ ...link, "sec-fetch-mode": "no-cors" })).toThrow(REFUSED);
		expect(() => check({ ...link, origin: "https://evil.example" })).toThrow(REFUSED);
	});
});

describe("the API", () => {
	it.each(["GET", "PUT", "DELETE", "OPTIONS"])(
		"refuses %s of a foreign page, with or without a key, and offers no CORS",
		async (method) => {
			const api = await startApi();
			const headers = {
				...{ origin: "https://evil.example", "access-control-request-method": "PUT" },
				"access-control-request-headers": "authorization",
			};
			for (const key of [api.key, null]) {
				const answer = await api.send(method, "/edges/https/e", { headers, key });
				expectError(answer, 403, "ERR_CROSS_ORIGIN");
				expect(answer.json.msg).toContain('of the origin "https://evil.example"');
			}
		},
	);

	it("never says access-control, and keeps answers out of caches and from being sniffed", async () => {
		const api = await startApi();
		const own = { origin: `http://127.0.0.1:${api.port}`, "sec-fetch-site": "same-origin" };
		const put = { body: { hostports: ["a.example"] }, headers: own };
		const answers = [
			await api.send("PUT", "/edges/https/e", put),
			await api.send("GET", "/edges/https/e", { headers: own }),
			await api.send("GET", "/healthz", { key: null, headers: own }),
			await api.send("GET", "/metrics"),
			await api.send("OPTIONS", "/edges/https/e", { headers: own }),
			await api.send("GET", "/nothing", { key: null }),
			await api.send("DELETE", "/edges/https/e", { headers: own }),
		];
		expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200, 405, 401, 204]);
		for (const { status, headers } of answers) {
			expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
			expect(headers.get("cache-control")).toBe("no-store");
			expect(headers.get("x-content-type-options")).toBe(status === 204 ? null : "nosniff");
		}
	});
});
