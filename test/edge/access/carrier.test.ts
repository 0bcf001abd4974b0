/** What names a request to others: whose id it has, and what goes upstream and back of it. */
import { afterEach, expect, it, vi } from "vitest";
import type { Config } from "../../../src/config.ts";
import { Carrier } from "../../../src/edge/access/carrier.ts";
import type { RequestTrace } from "../../../src/edge/access/request-trace.ts";
import { HeaderChanges } from "../../../src/edge/headers/header-changes.ts";
import { FlatHeaders } from "../../../src/edge/request/header-lines.ts";
import { requestIdSettings, tracingSettings } from "../../observing.ts";

afterEach(() => void vi.restoreAllMocks());

const TRACE = "12345678901234567890123456789012";
const SPAN = "1234567890123456";
const PARENT = `00-${TRACE}-${SPAN}-01`;

const carrier = (id: Partial<Config["requestId"]>, tracing: Partial<Config["tracing"]> = {}) =>
	new Carrier({ requestId: requestIdSettings(id), tracing: tracingSettings(tracing) });

function named(fields: readonly string[], peerTrusted = false) {
	const made = {
		head: { lines: new FlatHeaders(fields) },
		loggedIp: "192.0.2.1",
		peerTrusted,
		requestId: "id-1",
		requestChanges: undefined as HeaderChanges | undefined,
		trace: undefined as RequestTrace | undefined,
		changes: HeaderChanges.NONE,
		setOnEveryResponse(changes: HeaderChanges) {
			this.changes = changes;
		},
	};
	return made;
}

it("takes a good id of a trusted proxy, and makes one otherwise", () => {
	const quiet = carrier({});
	const given = (value: string, isTrusted = true, name = "x-request-id") =>
		quiet.idOf(named([name, value], isTrusted));
	expect(given("abc-1")).toBe("abc-1");
	for (const made of [
		given("abc-1", false),
		given("a b"),
		given(""),
		given("abc-1", true, "request-id"),
		quiet.idOf(named(["x-request-id", "a", "x-request-id", "b"], true)),
		quiet.idOf({
			...named(["x-request-id", "a"], true),
			loggedIp: "",
			get peerTrusted(): boolean {
				throw new Error("it has gone");
			},
		}),
	]) {
		expect(made).toMatch(/^[0-9a-f]{32}$/);
	}
	expect(carrier({ header: "cf-ray" }).idOf(named(["cf-ray", "z"], true))).toBe("z");
});

it("leaves everything as it is where neither is on", () => {
	const quiet = carrier({});
	expect([quiet.acts, quiet.sendsId, quiet.onRefusal("id-1")]).toEqual([false, false, undefined]);
});

it("sends the id upstream and back, in place of others", () => {
	const sending = carrier({ send: true });
	const exchange = named(["x-request-id", "client's"]);
	sending.begin(exchange);
	expect(exchange.changes.added).toEqual([["x-request-id", "id-1"]]);
	expect(exchange.changes.without("X-Request-Id: backend's\r\na: 1\r\n")).toBe("a: 1\r\n");
	expect(sending.onward(exchange, "a: 1\r\nx-request-id: client's\r\ntraceparent: x\r\n")).toBe(
		"a: 1\r\ntraceparent: x\r\nx-request-id: id-1\r\n",
	);
	expect(sending.onRefusal("id-9")?.added).toEqual([["x-request-id", "id-9"]]);
	expect(exchange.trace).toBe(undefined);
});

it("continues a trace: the caller's state goes on, its parent gives way to weir's", () => {
	const tracing = carrier({}, { endpoint: "http://c", sampleRatio: 0 });
	const exchange = named(["traceparent", PARENT], true);
	tracing.begin(exchange);
	const { trace } = exchange;
	expect(trace).toMatchObject({ traceId: TRACE, parentSpanId: SPAN, isSampled: true });
	const lines = `traceparent: ${PARENT}\r\ntracestate: a=1\r\nx-request-id: c\r\n`;
	expect(tracing.onward(exchange, lines)).toBe(
		`tracestate: a=1\r\nx-request-id: c\r\ntraceparent: 00-${TRACE}-${trace?.upstreamSpanId}-01\r\n`,
	);
});

it("begins another trace where the parent is no good one, without its state", () => {
	const tracing = carrier({}, { endpoint: "http://c" });
	const exchange = named(["traceparent", "rubbish", "tracestate", "a=1"], true);
	tracing.begin(exchange);
	expect(tracing.onward(exchange, "traceparent: rubbish\r\ntracestate: a=1\r\nb: 2\r\n")).toBe(
		`b: 2\r\ntraceparent: ${exchange.trace?.field}\r\n`,
	);
});

it("follows the decision of a trusted proxy, and of nobody else", () => {
	const sampled = (ratio: number, flags: string, isTrusted: boolean): boolean | undefined => {
		const exchange = named(["traceparent", `00-${TRACE}-${SPAN}-${flags}`], isTrusted);
		carrier({}, { endpoint: "http://c", sampleRatio: ratio }).begin(exchange);
		return exchange.trace?.isSampled;
	};
	expect([sampled(0, "01", true), sampled(1, "00", true)]).toEqual([true, false]);
	expect([sampled(0, "01", false), sampled(1, "00", false)]).toEqual([false, true]);
	vi.spyOn(Math, "random").mockReturnValue(0.3);
	expect([sampled(0.3, "01", false), sampled(0.31, "00", false)]).toEqual([false, true]);
});
