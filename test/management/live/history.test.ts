/** The history has the last 15 minutes, oldest first. */
import { expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { History } from "../../../src/management/live/history.ts";

const point = (ts: number) => ({
	...{ ts, requests_per_second: 0, errors_per_second: 0, refusals_per_second: 0 },
	...{ p50_ms: null, p99_ms: null },
});

it("forgets what is older, in order", () => {
	const history = new History();
	expect(history.points).toEqual([]);
	for (let ts = 1; ts <= LIMITS.livePoints + 7; ts++) {
		history.add(point(ts));
		if (ts === 3) expect(history.points.map((each) => each.ts)).toEqual([1, 2, 3]);
	}
	expect(history.points).toHaveLength(900);
	expect(history.points[0]?.ts).toBe(8);
	expect(history.points.at(-1)?.ts).toBe(907);
});
