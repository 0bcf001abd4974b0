import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Counters } from "../../src/limiter/binding.ts";
import { SharedCounts } from "../../src/limiter/counted-limits.ts";
import { NativeLimiters } from "../../src/limiter/limiters.ts";
import { clockAt, identity, temporaryFolder } from "./support.ts";

const KEYS = 100;
const NOW = 1_000_000;

describe("counts that are looked at from outside", () => {
	const path = join(temporaryFolder(), "counters");
	const clock = clockAt(NOW);
	const keeper = new Counters({ path, owner: true, clock });
	const worker = () =>
		new NativeLimiters({ counters: new Counters({ path, clock }), keysMax: KEYS });
	const counts = new SharedCounts(keeper, () => KEYS);
	const weighed = identity({ capacity: 10, costMax: 10, configuration: "weighed" });

	it("are none where no request has come, and looking makes none", () => {
		expect(counts.look(identity({ edgeId: "nobody" }), () => true)).toBeUndefined();
		expect(keeper.statistics().limiters).toBe(0);
	});

	it("are those of all workers", () => {
		const [one, two] = [worker(), worker()];
		expect(one.open(weighed).decide("charge", 4, ["a"])).toBe(0);
		expect(two.open(weighed).decide("charge", 3, ["a"])).toBe(0);
		expect(two.open(weighed).decide("charge", 4, ["a"])).toBe(60_000);
		expect(two.open(weighed).room).toMatchObject({ remaining: 3, freesMs: 60_000 });
		one.report();
		two.report();
		expect(counts.look(weighed, (limit) => limit.totals())).toEqual({
			live: 1,
			admitted: 2,
			rejected: 1,
		});
		const used = counts.look(weighed, (limit) => {
			limit.decide("look", 1, ["a"]);
			return limit.room.remaining;
		});
		expect(used).toBe(3);
		expect(counts.look(weighed, (limit) => limit.totals().admitted)).toBe(2);
	});

	it("are forgotten for all when one key is", () => {
		const other = worker().open(weighed);
		expect(other.decide("charge", 10, ["b"])).toBe(0);
		expect(counts.look(weighed, (limit) => [limit.forget(["b"]), limit.forget(["b"])])).toEqual([
			true,
			false,
		]);
		expect(other.decide("charge", 10, ["b"])).toBe(0);
	});

	it("with other bounds are others", () => {
		const others = new SharedCounts(keeper, () => KEYS + 8);
		expect(others.look(weighed, () => true)).toBeUndefined();
	});
});
