/**
 * One budget a request in the event loop (`LIMITS.requestInlineNanoseconds`): whatever the rules are and however many,
 * both phases together are charged with no more; the rest is settled elsewhere, and the request is decided as if it
 * had not been. Charges are counted by giving a request more than it could spend.
 */
import { describe, expect, test } from "vitest";
import { copyAttributes } from "../../src/cel/attributes-copy.ts";
import { settle } from "../../src/cel/settle.ts";
import { LIMITS } from "../../src/limits/limits.ts";
import type { Outcome } from "../../src/policy/exchange.ts";
import { compiled, exchangeOf, type FakeExchange } from "./support.ts";

const URL = `http://h/${"x".repeat(60_000)}`;
const RULES = 400;
const rule = (expression: string, type: string, config: object = {}) => ({
	expressions: [expression],
	actions: [{ type, config }],
});

/** what one of them is charged with on that URL is far above what the platform takes */
const LOOKS: Readonly<Record<string, (at: number) => string>> = {
	"texts that are looked for": (at) => `req.url.path.contains('xy${at}')`,
	"patterns that V8 or an automaton runs": (at) => `req.url.path.matches('x[0-9]*y${at}')`,
	"loops over headers": (at) => `req.headers.exists(h, req.headers[h].exists(v, v == '${at}'))`,
};

interface Run {
	readonly outcome: Outcome;
	/** settled elsewhere */
	readonly settlements: number;
	/** nanoseconds charged in the event loop */
	readonly charged: number;
}

function run(document: object, exchange: FakeExchange, budget: number): Run {
	exchange.inlineNanoseconds = budget;
	const policy = compiled(document);
	let settlements = 0;
	const finished = (first: Outcome): Outcome => {
		let outcome = first;
		while (outcome.kind === "suspended") {
			const { source, phase, wants, reads } = outcome.run.suspension;
			const attributes = copyAttributes(exchange, reads);
			settlements++;
			const result = settle({ source, phase, wants, attributes });
			outcome = policy.resume(exchange, outcome.run, result);
		}
		return outcome;
	};
	let outcome = finished(policy.inbound(exchange));
	if (outcome.kind === "continue") outcome = finished(policy.outbound(exchange));
	return { outcome, settlements, charged: budget - exchange.inlineNanoseconds };
}

const headers = Array.from({ length: 90 }, (_, at) => [`h${at}`, "v".repeat(300)] as const);
const exchange = (): FakeExchange => exchangeOf({ url: URL, headers });

describe.each(Object.entries(LOOKS))("hundreds of rules with %s", (_, look) => {
	const looks = Array.from({ length: RULES }, (_, at) => rule(look(at), "log", {}));
	const document = {
		inbound: looks,
		outbound: [...looks, rule("req.method == 'GET'", "custom-response", { status_code: 299 })],
	};

	test("are charged with the budget at most, and the request is answered", () => {
		const { outcome, settlements, charged } = run(
			document,
			exchange(),
			LIMITS.requestInlineNanoseconds,
		);
		expect(outcome).toMatchObject({ kind: "respond", statusCode: 299 });
		expect(charged).toBeLessThanOrEqual(LIMITS.requestInlineNanoseconds);
		expect(settlements).toBeGreaterThan(0);
		expect(settlements).toBeLessThanOrEqual(2 * RULES);
	});

	test("are worth more than that", () => {
		const { outcome, charged } = run(document, exchange(), 1e12);
		expect(outcome).toMatchObject({ kind: "respond", statusCode: 299 });
		expect(charged).toBeGreaterThan(2 * LIMITS.requestInlineNanoseconds);
	});
});

test("a request of ordinary size stays in the event loop, whatever it meets", () => {
	const rules = Array.from({ length: RULES }, (_, at) =>
		rule(
			Object.values(LOOKS)
				.map((each) => each(at))
				.join(" || "),
			"log",
		),
	);
	const document = { inbound: rules };
	const ordinary = exchangeOf({
		url: "http://h/api/v1/items/42?page=3",
		headers: [
			["user-agent", "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"],
			["cookie", "session=0123456789abcdef0123456789abcdef; theme=dark"],
			["accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"],
		],
	});
	const { outcome, settlements } = run(document, ordinary, LIMITS.requestInlineNanoseconds);
	expect(outcome.kind).toBe("continue");
	expect(settlements).toBe(0);
});
