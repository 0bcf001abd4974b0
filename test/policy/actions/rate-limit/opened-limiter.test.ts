import { expect, test } from "vitest";
import { limitOf } from "../../../../src/policy/actions/rate-limit/limit.ts";
import { identityOf } from "../../../../src/policy/actions/rate-limit/opened-limiter.ts";
import { Compiler } from "../../../../src/policy/programs/compiler.ts";

// When limiters are opened and released: run.test.ts beside this file.
test("an identity tells of costs only where there are any", () => {
	const identity = (config: object) =>
		identityOf(limitOf({ capacity: 9, rate: "60s", ...config }, new Compiler(), []), {
			edgeId: "e",
			routeId: "r",
			ordinalOf: () => 3,
		});
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
