import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import {
	configurationOf,
	type Limit,
	limitOf,
} from "../../../../src/policy/actions/rate-limit/limit.ts";
import {
	identityOf,
	OpenedLimiter,
} from "../../../../src/policy/actions/rate-limit/opened-limiter.ts";
import { Compiler } from "../../../../src/policy/programs/compiler.ts";
import { CountingLimiters, openingContext } from "../../support.ts";

const limitWith = (config: object): Limit =>
	limitOf({ capacity: 9, rate: "60s", ...config }, new Compiler(), []);

// When limiters are opened and released: run.test.ts beside this file.
test("an identity tells of costs only where there are any", () => {
	const identity = (config: object) => {
		const limit = limitWith(config);
		return identityOf(limit, { edgeId: "e", routeId: "r" }, configurationOf(limit), 3);
	};
	const plain = {
		edgeId: "e",
		routeId: "r",
		configuration: '["sliding_window",9,"1m",[],""]',
		ordinal: 3,
		capacity: 9,
		windowMs: 60_000,
	};
	expect(identity({})).toEqual(plain);
	expect(identity({ cost: 4 })).toEqual({
		...plain,
		configuration: '["sliding_window",9,"1m",[],"",4,null]',
		costMax: 4,
	});
});

test("property: each is told from those that are configured alike by its place, in whatever order they are asked", () => {
	const configs = fc.array(fc.constantFrom({}, { name: "a" }, { name: "b" }), { minLength: 1 });
	fc.assert(
		fc.property(configs, fc.array(fc.nat()), (all, asked) => {
			const limiters = new CountingLimiters();
			const context = openingContext(limiters);
			const opened = all.map((config) => new OpenedLimiter(limitWith(config), context));
			const order = [...new Set(asked.map((each) => each % all.length))];
			for (const at of order) opened[at]?.get();
			expect(limiters.opened.map(({ configuration, ordinal }) => [configuration, ordinal])).toEqual(
				order.map((at) => [
					configurationOf(limitWith(all[at] ?? {})),
					all.slice(0, at).filter((each) => each === all[at]).length,
				]),
			);
		}),
	);
});

test("thousands of one policy are all numbered by the first that is asked", () => {
	const limiters = new CountingLimiters();
	const context = openingContext(limiters);
	const opened = Array.from(
		{ length: 2000 },
		(_, n) => new OpenedLimiter(limitWith({ name: `${n % 3}` }), context),
	);
	const reading = vi.spyOn(OpenedLimiter.prototype, "configuration", "get");
	onTestFinished(() => reading.mockRestore());
	for (const each of opened) each.get();
	// once for its number, once for what it is known by
	expect(reading).toHaveBeenCalledTimes(2 * opened.length);
	expect(limiters.opened.at(-1)?.ordinal).toBe(Math.floor(1999 / 3));
});
