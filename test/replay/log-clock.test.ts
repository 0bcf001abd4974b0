/** The counters of the data path, by the log's clock. */
import { expect, it } from "vitest";
import { LogClock } from "../../src/replay/log-clock.ts";

const identity = {
	...{ edgeId: "e", routeId: "r", configuration: "{}", ordinal: 0 },
	...{ capacity: 1, windowMs: 1000 },
};

it("slides with the log, and never back", () => {
	const clock = new LogClock(16);
	const limiter = clock.limiters.open(identity);
	const at = (ms: number): number => {
		clock.set(1_700_000_000_000 + ms);
		return limiter.admit(["k"]);
	};
	expect([at(0), at(400), at(999), at(1000), at(500), at(2000)]).toEqual([0, 600, 1, 0, 1000, 0]);
	expect(clock.evicted).toBe(0);
	clock.close();
});

it("forgets keys as the server would", () => {
	const clock = new LogClock(16);
	const limiter = clock.limiters.open({ ...identity, capacity: 5 });
	clock.set(1_700_000_000_000);
	for (let key = 0; key < 500; key++) limiter.admit([`${key}`]);
	expect(clock.evicted).toBeGreaterThan(0);
	clock.close();
});
