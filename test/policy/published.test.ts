/**
 * Rules that users of such products and of other products with CEL have published, written with this
 * project's variables where they come from elsewhere: they are valid, and do what their authors meant.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Outcome } from "../../src/policy/exchange.ts";
import { places } from "./lint/support.ts";
import { CountingLimiters, compiled, exchangeOf, type Given, problemsOf } from "./support.ts";

interface Published {
	readonly from: string;
	readonly policy: unknown;
	readonly requests: readonly {
		readonly given: Given;
		readonly outcome: string;
		/** log lines of both phases */
		readonly logs?: number;
	}[];
	/** `pointer code` of what their authors should know */
	readonly warnings?: readonly string[];
}

const published: readonly Published[] = JSON.parse(
	readFileSync(join(import.meta.dirname, "published.json"), "utf8"),
);

const textOf = (outcome: Outcome): string =>
	"statusCode" in outcome ? `${outcome.kind} ${outcome.statusCode}` : outcome.kind;

describe.each(published)("$from", ({ policy, requests, warnings = [] }) => {
	test("is valid", () => {
		expect(problemsOf(policy)).toEqual([]);
	});

	test("is warned of what its author should know, and of nothing else", () => {
		const none = { tls: false, geo: false, clientPort: false };
		const all = { tls: true, geo: true, clientPort: true };
		for (const around of [undefined, none, all]) {
			expect(places(policy, around)).toEqual(warnings);
		}
	});

	test("does what it should, request by request", () => {
		const compiledPolicy = compiled(policy, { limiters: new CountingLimiters() });
		for (const { given, outcome, logs } of requests) {
			const exchange = exchangeOf(given);
			expect(textOf(compiledPolicy.inbound(exchange)), JSON.stringify(given)).toBe(outcome);
			if (given.responseStatus !== undefined) compiledPolicy.outbound(exchange);
			if (logs !== undefined) expect(exchange.logs, JSON.stringify(given)).toHaveLength(logs);
			expect(exchange.failures).toEqual([]);
		}
	});
});
