/** What a limit decided is told as it was before the request: with what the request itself took. */
import { expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import type { RateLimiter } from "../../../src/policy/admission.ts";
import { questionKey } from "../../../src/policy/trace/asked-limits.ts";
import { NotedLimits } from "../../../src/policy/trace/noted-limits.ts";

const identity = {
	...{ edgeId: "e", routeId: "r", configuration: "c", ordinal: 0 },
	...{ capacity: 5, windowMs: 60_000 },
};

/** One with so much room. */
function limiterWith(capacity: number): RateLimiter {
	let remaining = capacity;
	const decide: RateLimiter["decide"] = (purpose, cost) => {
		if (remaining < cost) return 1000;
		if (purpose === "charge") remaining -= cost;
		return 0;
	};
	return {
		decide,
		admit: (parts) => decide("charge", 1, parts),
		get room() {
			return { remaining, freesMs: remaining === capacity ? 0 : 500 };
		},
	};
}

it("notes each decision by its question, with the room before it", () => {
	const noted = new NotedLimits();
	const limiter = noted.over(limiterWith(3), identity);
	expect(limiter.admit(["a"])).toBe(0);
	expect(limiter.decide("charge", 2, ["b"])).toBe(0);
	expect(limiter.room.remaining).toBe(0);
	expect(limiter.decide("ask", 1, ["c"])).toBe(1000);
	const key = (parts: readonly string[], cost: number) => questionKey({ identity, parts, cost });
	expect(noted.answers).toEqual([
		[key(["a"], 1), { known: true, waitMs: 0, remaining: 3, freesMs: 500 }],
		[key(["b"], 2), { known: true, waitMs: 0, remaining: 2, freesMs: 500 }],
		[key(["c"], 1), { known: true, waitMs: 1000, remaining: 0, freesMs: 500 }],
	]);
});

it("notes so many and no more, and of a question that is asked again the last answer", () => {
	const noted = new NotedLimits();
	const limiter = noted.over(limiterWith(1000), identity);
	for (let key = 0; key < LIMITS.seenLimits + 5; key++) limiter.admit([`${key}`]);
	limiter.admit(["0"]);
	expect(noted.answers).toHaveLength(LIMITS.seenLimits);
	expect(noted.answers[0]?.[1].remaining).toBe(1000 - LIMITS.seenLimits - 5);
});
