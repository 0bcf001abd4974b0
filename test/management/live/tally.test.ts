/** What workers report becomes one point of the history, and counts of routes and backends. */
import { expect, it } from "vitest";
import { Tally } from "../../../src/management/live/tally.ts";
import { DurationHistogram } from "../../../src/telemetry/traffic/duration-histogram.ts";
import { NO_DURATIONS, reportedOf, reportOf, trafficOf } from "./source.ts";

const durations = (...milliseconds: readonly number[]) => {
	const histogram = new DurationHistogram(1000);
	for (const each of milliseconds) histogram.observe(each * 1e6);
	return histogram.take();
};
const NOW = 1_000_000;
const route = (name: string, ok: number, failed: number) => ({
	...{ edge: name === "" ? "" : "e", route: name, seconds: 0 },
	counts: [0, 0, ok, 0, 0, failed, 0],
});

it("is empty of nothing", () => {
	expect(new Tally().add([], NOW)).toEqual({
		...{ ts: NOW, requests_per_second: 0, errors_per_second: 0, refusals_per_second: 0 },
		...{ p50_ms: null, p99_ms: null },
	});
});

it("adds up workers, each by its own time", () => {
	const tally = new Tally();
	const traffic = (proxied = NO_DURATIONS) =>
		trafficOf({
			routes: [route("a", 8, 2), route("", 10, 0)],
			rules: [
				{
					...{ edge: "e", route: "a", phase: "inbound" },
					rule: 1,
					name: "n",
					matched: 5,
					refused: 3,
				},
			],
			durations: {
				...{ proxied, answered: durations(1, 1, 1), policy: NO_DURATIONS },
				upstream: NO_DURATIONS,
			},
		});
	const point = tally.add(
		[
			reportedOf({ traffic: [traffic(durations(100))], report: reportOf({ refusals: 3 }) }),
			reportedOf({ index: 1, elapsedMs: 2000, traffic: [traffic()] }),
		],
		NOW,
	);
	expect(point).toMatchObject({
		...{ requests_per_second: 30, errors_per_second: 3, refusals_per_second: 3 },
	});
	expect(point.p50_ms).toBeGreaterThan(0.8);
	expect(point.p50_ms).toBeLessThan(1.3);
	expect(point.p99_ms).toBeGreaterThan(80);
	const counts = tally.routes.of("e/a");
	expect([counts?.requests.total, counts?.errors.total, counts?.refusals.total]).toEqual([
		20, 4, 6,
	]);
	expect([...tally.routes.all.keys()]).toEqual(["e/a"]);
	const document = { inbound: [{ name: "m" }, { name: "n" }], outbound: [] } as never;
	expect(tally.hits.of("e", "a", document).rules).toEqual([
		{ phase: "inbound", index: 0, name: "m", matches: 0, refusals: 0 },
		{ phase: "inbound", index: 1, name: "n", matches: 10, refusals: 6 },
	]);
});
