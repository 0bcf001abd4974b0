/** Contract 6: what goes upstream of a header, and what is said of who sent it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Exchange } from "../../../src/edge/exchange.ts";
import { UNKNOWN_PLACE } from "../../../src/edge/geo.ts";
import { upstreamHeader } from "../../../src/edge/proxying/upstream-header.ts";
import { TrustedProxies } from "../../../src/edge/request/client-address.ts";
import { HeaderReader } from "../../../src/edge/request/header-reader.ts";
import { Services } from "../../../src/edge/services.ts";
import { HOP_BY_HOP } from "../../../src/http/fields.ts";
import { LibraryConnection } from "../../../src/http/library-connection.ts";
import type { HttpResponse } from "../../../src/http/uws.ts";
import type { Log } from "../../../src/telemetry/log.ts";
import { Counter, Metrics } from "../../../src/telemetry/metrics.ts";
import { listenerWith } from "../../listener.ts";
import { accessLogTo, quietCarrier } from "../../observing.ts";
import { NO_EVALUATOR } from "../manual-evaluator.ts";

const PEER = "192.0.2.7";
const response = {
	getRemoteAddress: () => new Uint8Array(PEER.split(".").map(Number)).buffer,
} as unknown as HttpResponse;

type Line = readonly [name: string, value: string];

function exchangeOf(lines: readonly Line[], trusted = false, carrier = quietCarrier()): Exchange {
	const services = new Services({
		metrics: new Metrics(),
		log: {} as Log,
		geo: { lookup: () => UNKNOWN_PLACE },
		trustedProxies: new TrustedProxies(trusted ? [PEER] : []),
		evaluator: NO_EVALUATOR,
		accessLog: accessLogTo({} as Log),
		carrier,
	});
	const listener = listenerWith({ port: 8443 });
	const listenerContext = { listener, scheme: "https", port: 8443, sni: "" } as const;
	const header = new HeaderReader("drop", new Counter());
	for (const [name, value] of lines) header.add(name, value);
	const head = {
		method: "GET",
		rawPath: "/",
		rawQuery: undefined,
		lines: header.takeLines(),
		bodyLength: 0,
		host: header.host,
		authority: { host: "h.example", port: 99 },
		path: "/",
		ascii: header.ascii,
		upgrade: header.upgrade,
		via: header.via,
	};
	const client = new LibraryConnection(response, undefined);
	return new Exchange(response, listenerContext, head, services, client);
}

function forwarded(exchange: Exchange, hostHeader?: string): Line[] {
	const lines = upstreamHeader(exchange, hostHeader).split("\r\n");
	// Each line ends, the last one too.
	expect(lines.pop()).toBe("");
	return lines.map((line) => {
		const colon = line.indexOf(": ");
		return [line.slice(0, colon), line.slice(colon + 2)];
	});
}
const valuesOf = (lines: readonly Line[], wanted: string): string[] =>
	lines.filter(([name]) => name === wanted).map(([, value]) => value);
const bytes = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

const HOST: Line = ["host", "h.example:99"];
const NOT_PASSED = [...HOP_BY_HOP, "content-length", "expect", "http2-settings", "x-weir-explain"];

describe("upstreamHeader", () => {
	it("keeps lines, order and duplicates but for what is the connection's own or named there", () => {
		const passing = fc.constantFrom("x-a", "x-b", "cookie", "via", "forwardee");
		const line = fc.tuple(
			fc.oneof(passing, fc.constantFrom(...NOT_PASSED)),
			fc.string({ unit: "grapheme", maxLength: 4 }),
		);
		const named = fc.subarray(["x-a", "Cookie", "HOST", "nobody"]);
		fc.assert(
			fc.property(fc.array(line), named, (drawn, named) => {
				const others = drawn.filter(([name]) => name !== "connection");
				const lines: Line[] = [HOST, ...others, ["connection", named.join(" , ")]];
				const gone = new Set([...NOT_PASSED, ...named.map((name) => name.toLowerCase())]);
				gone.delete("host");
				expect(forwarded(exchangeOf(lines)).slice(0, -4)).toEqual(
					lines.filter(([name]) => !gone.has(name)).map(([name, text]) => [name, bytes(text)]),
				);
			}),
		);
	});

	const claim = fc.tuple(
		fc.constantFrom("x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "forwarded"),
		fc.string({ unit: fc.constantFrom(..."1é, "), maxLength: 4 }),
	);

	it("says itself who sent it, whatever a client claims", () => {
		fc.assert(
			fc.property(fc.array(claim), (claims) => {
				expect(forwarded(exchangeOf([...claims, HOST]))).toEqual([
					HOST,
					["x-forwarded-for", PEER],
					["x-forwarded-proto", "https"],
					["x-forwarded-host", HOST[1]],
					["via", "1.1 weir"],
				]);
			}),
		);
	});

	it("goes on with what a trusted proxy says: the chain grows, the first other claims stay", () => {
		fc.assert(
			fc.property(fc.array(claim), (claims) => {
				const chain = [...valuesOf(claims, "x-forwarded-for"), PEER].join(", ");
				expect(forwarded(exchangeOf([HOST, ...claims], true))).toEqual([
					HOST,
					...valuesOf(claims, "forwarded").map((text) => ["forwarded", bytes(text)]),
					["x-forwarded-for", bytes(chain)],
					["x-forwarded-proto", bytes(valuesOf(claims, "x-forwarded-proto")[0] ?? "https")],
					["x-forwarded-host", bytes(valuesOf(claims, "x-forwarded-host")[0] ?? HOST[1])],
					["via", "1.1 weir"],
				]);
			}),
		);
	});

	it("names in via the version in which the request came", () => {
		for (const trusted of [false, true]) {
			const exchange = exchangeOf([HOST], trusted);
			Object.defineProperty(exchange.client, "isHttp10", { value: true });
			expect(valuesOf(forwarded(exchange), "via")).toEqual(["1.0 weir"]);
		}
	});

	it("takes the host of a rewrite before the backend's before the client's", () => {
		const exchange = exchangeOf([HOST]);
		expect(valuesOf(forwarded(exchange), "host")).toEqual(["h.example:99"]);
		expect(valuesOf(forwarded(exchange, "backend"), "host")).toEqual(["backend"]);
		exchange.rewriteUrl("https://rewritten/x");
		expect(valuesOf(forwarded(exchange, "backend"), "host")).toEqual(["rewritten"]);
	});
});
