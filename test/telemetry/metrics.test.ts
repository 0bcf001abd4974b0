import { expect, it } from "vitest";
import { Metrics, renderMetrics, series } from "../../src/telemetry/metrics.ts";

it("adds up snapshots and prints Prometheus text, families in order, labels escaped", () => {
	const odd = series("weir_rate_limit_exceeded_total", {
		edge: 'a"b\\c\nd',
		route: "",
		rule: "0",
		name: "",
		enforced: "true",
	});
	const text = renderMetrics([
		{ weir_workers: 2, 'weir_requests_total{class="2xx"}': 1, [odd]: 1 },
		{ 'weir_requests_total{class="2xx"}': 2, 'weir_requests_total{class="4xx"}': 5 },
	]);
	expect(text).toBe(
		[
			"# HELP weir_requests_total Requests answered, by status class.",
			"# TYPE weir_requests_total counter",
			'weir_requests_total{class="2xx"} 3',
			'weir_requests_total{class="4xx"} 5',
			"# HELP weir_rate_limit_exceeded_total Requests over a rate-limit, by edge, route, rule (from 0), name of the limit and whether it was enforced.",
			"# TYPE weir_rate_limit_exceeded_total counter",
			'weir_rate_limit_exceeded_total{edge="a\\"b\\\\c\\nd",route="",rule="0",name="",enforced="true"} 1',
			"# HELP weir_workers Workers that serve.",
			"# TYPE weir_workers gauge",
			"weir_workers 2",
			"",
		].join("\n"),
	);
});

it("counts from nothing", () => {
	const metrics = new Metrics();
	metrics.add("weir_client_aborts_total");
	metrics.add("weir_client_aborts_total", 2);
	metrics.set("weir_workers", 4);
	expect(metrics.snapshot()).toEqual({ weir_client_aborts_total: 3, weir_workers: 4 });
	expect(series("weir_client_aborts_total", {})).toBe("weir_client_aborts_total");
});

it("a counter held by who counts is the same as its name, and appears with its first count", () => {
	const metrics = new Metrics();
	const counter = metrics.counter("weir_client_aborts_total");
	expect(metrics.snapshot()).toEqual({});
	counter.value++;
	metrics.add("weir_client_aborts_total", 2);
	expect(metrics.counter("weir_client_aborts_total")).toBe(counter);
	expect(metrics.snapshot()).toEqual({ weir_client_aborts_total: 3 });
});

it("a gauge is read when it is asked for", () => {
	const metrics = new Metrics();
	let workers = 1;
	metrics.gauge("weir_workers", () => workers);
	workers = 0;
	expect(metrics.snapshot()).toEqual({ weir_workers: 0 });
});
