import { expect, test } from "vitest";
import { limitsOf } from "../../src/policy/limits-of.ts";
import { CountingLimiters, compiled, documentOf, exchangeOf } from "./support.ts";

const limit = (config: object = {}): object => ({
	type: "rate-limit",
	config: { capacity: 5, rate: "60s", ...config },
});

test("has the identities under which the compiled policy counts, rules that never apply left out", () => {
	const document = {
		inbound: [
			{ name: "first", actions: [limit(), { type: "log" }, limit({ cost: "${2}" })] },
			{ expressions: ["false"], actions: [limit()] },
			{ expressions: ["1 < 2"], actions: [limit(), limit({ bucket_key: ["size(req.host)"] })] },
		],
	};
	const limiters = new CountingLimiters();
	compiled(document, { limiters }).inbound(exchangeOf());
	const steps = limitsOf(documentOf(document), "edge", "route");
	let step = steps.next();
	let pauses = 0;
	for (; step.done !== true; step = steps.next()) pauses++;
	expect(pauses).toBe(4);
	expect(step.value.map(({ identity }) => identity)).toEqual(limiters.opened);
	expect(step.value.map(({ ruleIndex, actionIndex }) => [ruleIndex, actionIndex])).toEqual([
		[0, 0],
		[0, 2],
		[2, 0],
		[2, 1],
	]);
});
