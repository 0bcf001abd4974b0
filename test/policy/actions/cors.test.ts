/** cors (contract 5): preflights are answered, other answers get their headers, and the rest passes untouched. */
import { describe, expect, test } from "vitest";
import { compiled, exchangeOf, inbound, problemsOf } from "../support.ts";

const cors = (config: object) => ({ type: "cors", config });
const FULL = {
	allow_origins: ["https://shop.example", "https://*.shop.example", "http://localhost:3000"],
	allow_methods: ["PUT", "DELETE"],
	allow_headers: ["content-type", "x-a"],
	expose_headers: ["x-b"],
	allow_credentials: true,
	max_age_seconds: 600,
};
const asked = (config: object, origin: string | undefined, method = "GET", asks?: string) => {
	const headers: (readonly [string, string])[] = [];
	if (origin !== undefined) headers.push(["origin", origin]);
	if (asks !== undefined) headers.push(["access-control-request-method", asks]);
	const exchange = exchangeOf({ method, headers });
	return { outcome: compiled(inbound(cors(config))).inbound(exchange), exchange };
};

describe("a preflight", () => {
	test("of an allowed origin", () => {
		const { outcome, exchange } = asked(FULL, "https://shop.example", "OPTIONS", "PUT");
		expect(outcome).toEqual({
			kind: "preflight",
			headers: [
				["access-control-allow-origin", "https://shop.example"],
				["access-control-allow-credentials", "true"],
				["vary", "origin"],
				["access-control-allow-methods", "PUT, DELETE"],
				["access-control-allow-headers", "content-type, x-a"],
				["access-control-max-age", "600"],
			],
		});
		expect(exchange.onResponse).toEqual([]);
	});
	test("of another origin gets nothing that allows it", () => {
		const { outcome } = asked(FULL, "https://evil.example", "OPTIONS", "PUT");
		expect(outcome).toEqual({ kind: "preflight", headers: [["vary", "origin"]] });
	});
	test("is only an OPTIONS with both fields", () => {
		expect(asked(FULL, "https://shop.example", "OPTIONS").outcome.kind).toBe("continue");
		expect(asked(FULL, "https://shop.example", "PUT", "PUT").outcome.kind).toBe("continue");
		expect(asked(FULL, undefined, "OPTIONS", "PUT").outcome.kind).toBe("continue");
	});
});

describe("another request", () => {
	test("of an allowed origin", () => {
		const { outcome, exchange } = asked(FULL, "https://a.b.shop.example", "PUT");
		expect(outcome.kind).toBe("continue");
		expect(exchange.onResponse).toEqual([
			"-access-control-*",
			"access-control-allow-origin: https://a.b.shop.example",
			"access-control-allow-credentials: true",
			"vary: origin",
			"access-control-expose-headers: x-b",
		]);
	});
	test("of another origin loses what the backend allows", () => {
		const { exchange } = asked(FULL, "https://evil.example");
		expect(exchange.onResponse).toEqual(["-access-control-*", "vary: origin"]);
	});
	test("without an origin passes untouched", () => {
		expect(asked(FULL, undefined).exchange.onResponse).toEqual([]);
	});
	test("of any origin, where all may", () => {
		const { exchange } = asked({ allow_origins: ["*"] }, "https://who.example");
		expect(exchange.onResponse).toEqual(["-access-control-*", "access-control-allow-origin: *"]);
	});
});

test.each([
	["https://shop.example", true],
	["HTTPS://Shop.Example", true],
	["https://a.shop.example", true],
	["http://localhost:3000", true],
	["http://localhost", false],
	["http://shop.example", false],
	["https://shop.example.evil.example", false],
	["https://evilshop.example", false],
	["https://.shop.example", false],
	["https://a/b.shop.example", false],
	["https://evil.example#.shop.example", false],
	["null", false],
	["", false],
])("%j may: %s", (origin, may) => {
	const allowed = asked(FULL, origin).exchange.onResponse.some((line) =>
		line.includes("allow-origin"),
	);
	expect(allowed).toBe(may);
});

test("under a rule that only reports nothing is set", () => {
	const policy = compiled({ inbound: [{ enforce: false, actions: [cors(FULL)] }] });
	const exchange = exchangeOf({ headers: [["origin", "https://shop.example"]] });
	policy.inbound(exchange);
	expect([exchange.onResponse, exchange.reported]).toEqual([[], ["0 cors"]]);
});

test.each<[object, string]>([
	[{}, "config/allow_origins required"],
	[{ allow_origins: [] }, "config/allow_origins too_small"],
	[{ allow_origins: ["shop.example"] }, "config/allow_origins/0 invalid_origin"],
	[{ allow_origins: ["https://shop.example/"] }, "config/allow_origins/0 invalid_origin"],
	[{ allow_origins: ["https://shop.example:443"] }, "config/allow_origins/0 invalid_origin"],
	[{ allow_origins: ["https://a.*.example"] }, "config/allow_origins/0 invalid_origin"],
	[{ allow_origins: ["https://*shop.example"] }, "config/allow_origins/0 invalid_origin"],
	[
		{ allow_origins: ["*"], allow_credentials: true },
		"config/allow_origins/0 wildcard_with_credentials",
	],
	[
		{ allow_origins: ["https://a.example"], allow_headers: ["*"], allow_credentials: true },
		"config/allow_headers/0 wildcard_with_credentials",
	],
	[{ allow_origins: ["*"], allow_methods: ["GET POST"] }, "config/allow_methods/0 invalid_header"],
	[{ allow_origins: ["*"], expose_headers: ["a\r\nb"] }, "config/expose_headers/0 invalid_header"],
	[{ allow_origins: ["*"], max_age_seconds: 7201 }, "config/max_age_seconds"],
])("%j is refused", (config, problem) => {
	const found = problemsOf(inbound(cors(config)));
	expect(found).toHaveLength(1);
	expect(found[0]).toContain(`/inbound/0/actions/0/${problem}`);
});
