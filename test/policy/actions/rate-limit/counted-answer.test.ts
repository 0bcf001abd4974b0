import { expect, test } from "vitest";
import { compiled, exchangeOf, inbound } from "../../support.ts";

const policyOf = (config: object = {}) =>
	compiled(
		inbound({
			type: "rate-limit",
			config: { capacity: 2, rate: "60s", count: "res.status_code == 401", ...config },
		}),
	);

/** One request with this answer. @returns what became of it */
function request(policy: ReturnType<typeof policyOf>, responseStatus: number): string {
	const exchange = exchangeOf({ responseStatus });
	const { kind } = policy.inbound(exchange);
	for (const task of exchange.answerTasks) expect(task.run(exchange)).toBeUndefined();
	return kind;
}

test("requests are counted by their answers, and rejected when so many were", () => {
	const policy = policyOf();
	for (let time = 0; time < 5; time++) expect(request(policy, 200)).toBe("continue");
	expect(request(policy, 401)).toBe("continue");
	expect(request(policy, 200)).toBe("continue");
	expect(request(policy, 401)).toBe("continue");
	expect(request(policy, 200)).toBe("limited");
});

test("those under way may exceed the capacity, and all of them count", () => {
	const policy = policyOf({ capacity: 1 });
	const under = [1, 2, 3].map(() => exchangeOf({ responseStatus: 401 }));
	for (const exchange of under) expect(policy.inbound(exchange).kind).toBe("continue");
	for (const exchange of under) for (const task of exchange.answerTasks) task.run(exchange);
	expect(request(policy, 200)).toBe("limited");
});

test("one whose expression fails counts", () => {
	const policy = policyOf({ capacity: 1, count: "res.headers['x'][9] == 'y'" });
	const exchange = exchangeOf({ responseStatus: 200 });
	policy.inbound(exchange);
	for (const task of exchange.answerTasks) task.run(exchange);
	expect(exchange.failures).toHaveLength(1);
	expect(policy.inbound(exchangeOf()).kind).toBe("limited");
});
