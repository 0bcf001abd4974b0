import { expect, it } from "vitest";
import { readTicks } from "../../../src/telemetry/request-clock.ts";
import { WorkerTraffic } from "../../../src/telemetry/traffic/worker-traffic.ts";

const route = (policy: unknown) => ({ edgeId: "e", routeId: "r", row: -1, policy });

it("counts a request by route, and how long its parts took by who answered it", () => {
	const traffic = new WorkerTraffic();
	const receivedTicks = readTicks();
	const proxied = { receivedTicks, passedTicks: readTicks() };
	const answered = { receivedTicks, passedTicks: 0 };
	const unanswered = { receivedTicks, passedTicks: readTicks() };
	readTicks();
	traffic.responded(proxied);
	traffic.ended({ ...proxied, route: route({}) }, 200, false);
	traffic.ended({ ...answered, route: route({}) }, 403, false);
	traffic.ended({ ...unanswered, route: route(undefined) }, 0, true);
	traffic.ended({ ...answered, route: undefined }, 404, false);
	const { routes, durations } = traffic.take();
	expect(routes.map(({ edge, counts }) => [edge, counts])).toEqual([
		["", [0, 0, 0, 0, 1, 0, 0]],
		["e", [0, 0, 1, 0, 1, 0, 1]],
	]);
	const counted = Object.entries(durations).map(([kind, { counts }]) => [
		kind,
		counts.reduce((sum, value, at) => (at % 2 === 1 ? sum + value : sum), 0),
	]);
	expect(Object.fromEntries(counted)).toEqual({ proxied: 2, answered: 2, policy: 2, upstream: 1 });
	for (const { seconds } of Object.values(durations)) {
		expect(seconds).toBeGreaterThan(0);
		expect(seconds).toBeLessThan(1);
	}
	expect(traffic.take().routes).toEqual([]);
});
