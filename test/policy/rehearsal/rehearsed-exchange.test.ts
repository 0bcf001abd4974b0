/** The request of a test is read as a live one is, and changed within the same bounds. */
import { expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { RehearsedExchange } from "../../../src/policy/rehearsal/rehearsed-exchange.ts";

const exchangeOf = (request: object) => new RehearsedExchange({ request }, 1_700_000_000_000);

it("fills in what a test leaves out", () => {
	const exchange = exchangeOf({});
	expect(exchange.method).toBe("GET");
	expect(exchange.url.full).toBe("http://localhost/");
	expect(exchange.requestHeaders.lines("host")).toEqual(["localhost"]);
	expect(exchange.clientIp).toBe("192.0.2.1");
	expect(exchange.nowMs).toBe(1_700_000_000_000);
});

it("reads length, host, port and scheme as a live request's", () => {
	const exchange = exchangeOf({
		url: "/a",
		headers: { Host: "Shop.Example:8443", "Content-Length": "12" },
	});
	expect(exchange.host).toBe("shop.example");
	expect(exchange.endpointPort).toBe(8443);
	expect(exchange.requestContentLength).toBe(12);
	expect(exchangeOf({ body_length: -1 }).requestContentLength).toBe(-1);
	expect(exchangeOf({ url: "https://h/" }).endpointProtocol).toBe("https");
});

it("changes the host as the edge does: a header beats the URL, until the URL is given another host", () => {
	const exchange = exchangeOf({ url: "http://a/x" });
	expect(exchange.addHeaders("inbound", [["Host", "b c"]])).toBe(false);
	expect(exchange.addHeaders("inbound", [["Host", "b"]])).toBe(true);
	expect([exchange.host, exchange.hostLine]).toEqual(["b", "b"]);
	expect(exchange.rewriteUrl("http://c/y")).toBe(true);
	expect([exchange.host, exchange.hostLine]).toEqual(["a", "c"]);
	expect(exchange.rewriteUrl("nonsense")).toBe(false);
});

it("has room for as much as the edge has", () => {
	const exchange = exchangeOf({});
	const line = ["x", "v".repeat(LIMITS.headerValueBytes)] as const;
	const fits = Math.floor(LIMITS.addedHeaderBytes / LIMITS.headerValueBytes) - 1;
	for (let at = 0; at < fits; at++) expect(exchange.addHeaders("outbound", [line])).toBe(true);
	expect(exchange.addHeaders("outbound", Array(2).fill(line))).toBe(false);
	const many = Array(LIMITS.requestHeaderLines).fill(["x", "v"]);
	expect(exchange.addHeaders("inbound", many)).toBe(false);
});

it("changes nothing for a rule that only reports", () => {
	const exchange = exchangeOf({ headers: { x: "1" } });
	exchange.report = { acted: false };
	exchange.removeHeaders("inbound", ["x"]);
	exchange.addHeaders("inbound", [["y", "2"]]);
	exchange.setOnResponse([["z", "3"]], []);
	expect(exchange.rewriteUrl("http://h/other")).toBe(true);
	expect(exchange.report.acted).toBe(true);
	expect(exchange.requestHeaders.names()).toEqual(["x", "host"]);
	expect(exchange.url.path).toBe("/");
	expect(exchange.withStanding([]).names()).toEqual([]);
});
