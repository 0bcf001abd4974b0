import { expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { countedSince } from "../../../src/process/supervisor/counter-sums.ts";
import { handedTraffic, resumeTraffic } from "../../../src/telemetry/traffic/handed-traffic.ts";
import { trafficMetrics } from "../../../src/telemetry/traffic/traffic-series.ts";
import { TrafficTotals } from "../../../src/telemetry/traffic/traffic-totals.ts";
import { WorkerTraffic } from "../../../src/telemetry/traffic/worker-traffic.ts";

/** Ticks that have not come: what began then takes no time, which is the same each time. */
const LATER = Number.MAX_SAFE_INTEGER;

/** What some requests, a rule and a backend came to. */
function counted(totals: TrafficTotals, route: string): void {
	const worker = new WorkerTraffic();
	const owner = { edgeId: "e", routeId: route, row: -1, policy: {} };
	const times = { route: owner, receivedTicks: LATER, passedTicks: LATER };
	worker.responded(times);
	worker.ended(times, 200, false);
	worker.stood(owner, 429, 3);
	worker.ended({ ...times, route: undefined, passedTicks: 0 }, 404, false);
	const change = worker.take();
	const { proxied, answered, policy, upstream } = change.durations;
	const lasted = { seconds: 2e-9 };
	const of = { edge: "e", route, phase: "inbound", rule: 1 } as const;
	const backend = { address: "http://a", connections: 0, idle: 0, setAsideMs: 0 };
	totals.add(worker, {
		...change,
		durations: {
			proxied: { ...proxied, ...lasted },
			answered: { ...answered, ...lasted },
			policy: { ...policy, ...lasted },
			upstream: { ...upstream, ...lasted },
		},
		rules: [
			{ ...of, name: "two\nlines", matched: 4, refused: 3 },
			{ ...of, name: "", matched: 1, refused: 0 },
		],
		backends: [{ ...backend, requests: 2, failures: { connect: 1 } }],
	});
	totals.forget(worker);
}

/** As `/metrics` has it. */
const told = (totals: TrafficTotals) => trafficMetrics(totals, 0);
/** Without seconds, whose sums depend on the order. */
const counts = (totals: TrafficTotals) =>
	Object.entries(told(totals)).filter(([name]) => !/_sum|seconds_total/.test(name));
/** As it goes from one process to another. */
const sent = <T>(value: T): T => JSON.parse(JSON.stringify(value));

it("goes on with every number that was told, and what has come since", () => {
	const before = new TrafficTotals(() => 2);
	for (const route of ["a", "b", "c"]) counted(before, route);
	const [after, handed] = [new TrafficTotals(() => 2), handedTraffic(before)];
	resumeTraffic(after, sent(handed));
	expect(told(after)).toEqual(told(before));
	expect(told(after)).toMatchObject({
		'weir_route_requests_total{edge="e",route="a",class="4xx"}': 3,
		'weir_rule_refusals_total{edge="e",route="a",phase="inbound",rule="1",name="two\\nlines"}': 3,
		'weir_backend_failures_total{address="http://a",reason="connect"}': 3,
		weir_upstream_duration_seconds_count: 3,
	});
	// Here as well as there.
	for (const totals of [before, after]) counted(totals, "a");
	counted(before, "c");
	resumeTraffic(after, sent(countedSince(handedTraffic(before), handed)));
	const both = new TrafficTotals(() => 2);
	for (const route of ["a", "b", "c", "a", "a", "c"]) counted(both, route);
	expect(counts(after)).toEqual(counts(both));
});

it("has series for routes that had some, whatever others came first, and for those that were busy", () => {
	const before = new TrafficTotals(() => 1);
	for (let times = 0; times < 3; times++) counted(before, "a");
	const after = new TrafficTotals(() => 1);
	counted(after, "b");
	resumeTraffic(after, handedTraffic(before));
	const shown = () => Array.from(after.shown.routes(), ({ route }) => route).filter(Boolean);
	expect(shown()).toEqual(["b", "a"]);
	after.shown.look(2 * LIMITS.shownRoutesLookMs);
	expect(shown()).toEqual(["a"]);
});

it("is bounded, and leaves out what nobody understands", () => {
	const before = new TrafficTotals(() => 2);
	counted(before, "a");
	const some = handedTraffic(before, 200);
	expect(Object.keys(some).join("").length).toBeLessThanOrEqual(200);
	expect(some).toMatchObject({ "duration_nanoseconds\nproxied": expect.any(Number) });
	expect(handedTraffic(before)).toMatchObject(some);
	const after = new TrafficTotals(() => 2);
	resumeTraffic(after, {
		"": 1,
		later: 1,
		"durations\nlater\n3": 1,
		"durations\nproxied\nx": 1,
		"later\ne\nr": 1,
	});
	expect(told(after)).toEqual(told(new TrafficTotals(() => 2)));
});
