import { describe, expect, it } from "vitest";
import { metricsFormat, renderMetrics } from "../../src/telemetry/exposition.ts";
import { METRIC_FAMILIES } from "../../src/telemetry/metric-families.ts";
import { series } from "../../src/telemetry/metrics.ts";

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

it("prints OpenMetrics: counters' families without their end, an end of all", () => {
	const snapshot = { weir_loops_total: 2, weir_workers: 1, unknown: 3 };
	expect(renderMetrics([snapshot], "openmetrics")).toBe(
		[
			"# HELP weir_loops Requests answered with 508 because a backend leads back to weir.",
			"# TYPE weir_loops counter",
			"weir_loops_total 2",
			"# HELP weir_workers Workers that serve.",
			"# TYPE weir_workers gauge",
			"weir_workers 1",
			"# EOF",
			"",
		].join("\n"),
	);
});

it("has no two families that OpenMetrics would name the same", () => {
	const names = Object.keys(METRIC_FAMILIES).map((name) => name.replace(/_total$/, ""));
	expect(new Set(names).size).toBe(names.length);
});

it("prints the buckets of a histogram in their order", () => {
	const name = "weir_policy_duration_seconds";
	const bucket = (le: string) => `${name}_bucket{le="${le}"}`;
	const snapshot = { [bucket("0.5")]: 1, [bucket("10.0")]: 2, [bucket("+Inf")]: 3 };
	const lines = renderMetrics([{ ...snapshot, [`${name}_sum`]: 4, [`${name}_count`]: 3 }]).split(
		"\n",
	);
	expect(lines.slice(1)).toEqual([
		`# TYPE ${name} histogram`,
		`${bucket("0.5")} 1`,
		`${bucket("10.0")} 2`,
		`${bucket("+Inf")} 3`,
		`${name}_sum 4`,
		`${name}_count 3`,
		"",
	]);
});

describe("what a reader asks for", () => {
	it.each([
		["prometheus", []],
		["prometheus", ["*/*"]],
		["prometheus", ["text/html"]],
		["prometheus", ["application/openmetrics-text;q=0"]],
		["prometheus", ["text/plain, application/openmetrics-text;q=0.5"]],
		["prometheus", ["application/openmetrics-text;version=9.0.0"]],
		["openmetrics", ["application/openmetrics-text"]],
		["openmetrics", ["Application/OpenMetrics-Text; version=1.0.0; charset=utf-8"]],
		[
			"openmetrics",
			[
				"application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
			],
		],
		["openmetrics", ["text/plain;q=0.5", "application/openmetrics-text;q=0.5"]],
	])("%s for %j", (format, lines) => {
		expect(metricsFormat(lines)).toBe(format);
	});
});
