import { expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { TrafficTotals } from "../../../src/telemetry/traffic/traffic-totals.ts";
import {
	type TrafficChange,
	WorkerTraffic,
} from "../../../src/telemetry/traffic/worker-traffic.ts";

const NOTHING: TrafficChange = new WorkerTraffic().take();
const route = (name: string, requests: number) => ({
	edge: "e",
	route: name,
	counts: [0, 0, requests, 0, 0, 0, 0],
	seconds: requests / 10,
});
const rule = { edge: "e", route: "a", phase: "inbound", rule: 1, name: "n" } as const;
const backend = {
	address: "http://a",
	requests: 1,
	connections: 2,
	idle: 1,
	setAsideMs: 5,
	failures: { connect: 1 },
};

it("adds up what all workers tell, and keeps what those have counted that are gone", () => {
	const totals = new TrafficTotals(() => 10);
	const durations = { ...NOTHING.durations, upstream: { seconds: 2, counts: [7, 3] } };
	for (const worker of [1, 2]) {
		totals.add(worker, {
			routes: [route("a", 1), route("b", 2)],
			rules: [{ ...rule, matched: 2, refused: 1 }],
			backends: [backend],
			durations,
		});
	}
	totals.forget(2);
	expect(totals.route("e", "b")).toEqual(route("b", 4));
	expect([...totals.routes()]).toHaveLength(2);
	expect([...totals.rulesOf("e", "a")]).toEqual([{ ...rule, matched: 4, refused: 2 }]);
	expect([...totals.rulesOf("e", "b")]).toEqual([]);
	expect(totals.durations.upstream).toMatchObject({ count: 6, seconds: 4 });
	expect(totals.backends()).toEqual([
		{
			address: "http://a",
			requests: 2,
			failures: { connect: 2 },
			connections: 2,
			idle: 1,
			setAsideMs: 5,
		},
	]);
});

it("counts new addresses in the place of those that are unused, or gone, when there are too many", () => {
	const totals = new TrafficTotals(() => 10);
	const unused = { ...backend, requests: 0, failures: {} };
	const named = (name: string) => (_: unknown, at: number) => ({ address: `http://${name}${at}` });
	const many = Array.from({ length: LIMITS.countedBackends }, named("idle"));
	const idle = many.map((each) => ({ ...unused, ...each }));
	totals.add(1, { ...NOTHING, backends: [...idle, { ...backend, address: "http://used" }] });
	expect(totals.backends().map(({ address }) => address)).toEqual(["http://used"]);
	totals.add(1, { ...NOTHING, backends: [{ ...backend, address: "http://used" }] });
	expect(totals.backends()).toMatchObject([{ requests: 2, connections: 2 }]);
});

it("reads many addresses of many workers quickly", () => {
	const totals = new TrafficTotals(() => 10);
	const backends = Array.from({ length: 50_000 }, (_, at) => ({ ...backend, address: `${at}` }));
	for (let worker = 0; worker < 4; worker++) totals.add(worker, { ...NOTHING, backends });
	const beganMs = performance.now();
	const told = totals.backends();
	// Each address looked for in all that all workers say takes many seconds.
	expect(performance.now() - beganMs).toBeLessThan(1000);
	expect(told).toHaveLength(LIMITS.countedBackends);
	expect(told[0]).toMatchObject({ requests: 4, connections: 8 });
});
