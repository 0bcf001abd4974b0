/** What is counted and logged of each request, once, and when the edge is idle. */
import { expect, it } from "vitest";
import { UNKNOWN_PLACE } from "../../src/edge/geo.ts";
import { TrustedProxies } from "../../src/edge/request/client-address.ts";
import { type CountedRequest, Services } from "../../src/edge/services.ts";
import type { Log } from "../../src/telemetry/log.ts";
import { Metrics } from "../../src/telemetry/metrics.ts";
import { accessLogTo, quietCarrier } from "../observing.ts";
import { decodedBy } from "../telemetry/encoded.ts";
import { loggedRequest } from "./access/logged.ts";
import { NO_EVALUATOR } from "./manual-evaluator.ts";

function servicesWith(accessLog: boolean) {
	const lines: [string, object][] = [];
	const write: Log["info"] = (fields, message) => lines.push([message, fields]);
	const log: Log = {
		info: write,
		encoded: decodedBy(write),
		warn: write,
		error: write,
		flush: async () => {},
		close: async () => {},
		reopen() {},
	};
	const metrics = new Metrics();
	const geo = { lookup: () => UNKNOWN_PLACE };
	const trustedProxies = new TrustedProxies([]);
	const services = new Services({
		metrics,
		log,
		geo,
		trustedProxies,
		evaluator: NO_EVALUATOR,
		accessLog: accessLogTo(log, accessLog),
		carrier: quietCarrier(),
	});
	return { services, lines, counted: () => metrics.snapshot() };
}

const exchangeWith = (logs: readonly string[] = []): CountedRequest => ({
	...loggedRequest({ logs }),
	over: false,
	bodyBytesIn: 0,
	bytesOut: 0,
	answered() {},
	client: { isFront: true },
	route: undefined,
	receivedTicks: 0,
	passedTicks: 0,
	notes: undefined,
	nowMs: 0,
});

it("counts each request once, by status class, and is idle when none is left", async () => {
	const { services, counted } = servicesWith(false);
	const exchanges = [200, 404, 503, 700].map((status) => [exchangeWith(), status] as const);
	for (const _ of exchanges) services.begin();
	expect(counted().weir_requests_in_flight).toBe(4);
	let isIdle = false;
	const idle = services.idle().then(() => {
		isIdle = true;
	});
	for (const [exchange, status] of exchanges.slice(1)) services.end(exchange, status, false);
	await Promise.resolve();
	expect(isIdle).toBe(false);
	for (const [exchange, status] of exchanges) services.end(exchange, status, false);
	await idle;
	expect(counted()).toEqual({
		weir_requests_in_flight: 0,
		'weir_requests_total{class="2xx"}': 1,
		'weir_requests_total{class="4xx"}': 1,
		'weir_requests_total{class="5xx"}': 1,
		'weir_requests_total{class="other"}': 1,
	});
});

it("counts who left without an answer, and no status for them", () => {
	const { services, counted } = servicesWith(false);
	services.begin();
	services.end(exchangeWith(), 200, true);
	expect(counted()).toEqual({ weir_requests_in_flight: 0, weir_client_aborts_total: 1 });
});

it("logs requests that logged something, and all with access logging on", () => {
	for (const [accessLog, expected] of [
		[false, 1],
		[true, 3],
	] as const) {
		const { services, lines } = servicesWith(accessLog);
		for (const logs of [["a", "b"], []]) {
			services.begin();
			services.end(exchangeWith(logs), 200, false);
		}
		services.refused(400, {
			requestId: undefined,
			method: "GET",
			rawPath: "/bad",
			clientIp: "192.0.2.1",
			errorCode: "ERR_BAD_REQUEST",
		});
		expect(lines).toHaveLength(expected);
		expect(lines[0]).toMatchObject([
			"request",
			{
				status: 200,
				path: "/x",
				traffic_policy: { logs: [{ metadata: "a" }, { metadata: "b" }] },
			},
		]);
	}
});

it("counts and logs a failed expression with its place", () => {
	const { services, lines, counted } = servicesWith(false);
	const place = {
		phase: "inbound",
		ruleIndex: 2,
		ruleName: "n",
		expressionIndex: 1,
		actionIndex: -1,
	} as const;
	services.reportFailure(exchangeWith(), place, "no such key");
	expect(counted()).toMatchObject({
		'weir_expression_errors_total{edge="e",route="r",phase="inbound",rule="2",expression="1",action=""}': 1,
	});
	const reason = "no such key";
	expect(lines).toEqual([
		[
			"policy expression failed",
			{ edge: "e", route: "r", phase: "inbound", rule: 2, rule_name: "n", expression: 1, reason },
		],
	]);
});

it("counts how policies end requests", () => {
	const { services, counted } = servicesWith(false);
	for (const end of ["deny", "limited", "limited"] as const) services.countOutcome(end);
	expect(counted()).toEqual({
		weir_requests_in_flight: 0,
		'weir_policy_outcomes_total{outcome="deny"}': 1,
		'weir_policy_outcomes_total{outcome="limited"}': 2,
	});
});
