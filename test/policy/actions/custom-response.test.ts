import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { compiled, exchangeOf, type Given, inbound, problemsOf } from "../support.ts";

const policyOf = (config?: object, expressionErrors: "reject" | "skip" = "reject") =>
	compiled(inbound({ type: "custom-response", ...(config && { config }) }), { expressionErrors });

function answer(config?: object, given: Given = {}) {
	const exchange = exchangeOf(given);
	return { outcome: policyOf(config).inbound(exchange), failures: exchange.failures };
}

test("without a config: 200, no content, text", () => {
	expect(answer().outcome).toEqual({
		kind: "respond",
		statusCode: 200,
		headers: [["content-type", "text/plain; charset=utf-8"]],
		content: "",
	});
});

describe("content type", () => {
	test.each([
		[{ content: '{"a":1}' }, "application/json"],
		[{ content: "<html></html>" }, "text/html; charset=utf-8"],
		[{ content: '{"m":"${req.method}"}' }, "application/json"],
		[{ content: "${req.headers['x'][0]}" }, "text/html; charset=utf-8"],
	])("%j: %s", (config, type) => {
		const { outcome } = answer(config, { headers: [["x", "<!doctype html>"]] });
		expect(outcome).toMatchObject({ headers: [["content-type", type]] });
	});

	test("content_type is the header", () => {
		const config = { content: "{}", content_type: "text/${req.method}", headers: { a: "1" } };
		expect(answer(config, { method: "x" }).outcome).toMatchObject({
			headers: [
				["a", "1"],
				["content-type", "text/x"],
			],
		});
	});

	test.each([
		[{ content_type: "a", headers: { "Content-Type": "b" } }, "given twice"],
		[{ content_type: "a\r\nb: c" }, "line break"],
		[{ content_type: "${nothing}" }, "unknown variable"],
		[{ content_type: 1 }, "expected a string"],
	])("%j is refused at content_type", (config, words) => {
		expect(problemsOf(inbound({ type: "custom-response", config }))).toEqual([
			expect.stringMatching(new RegExp(`/config/content_type \\w+: .*${words}`)),
		]);
	});

	test("a given one is kept, whatever its letters", () => {
		const { outcome } = answer({ content: "{}", headers: { "Content-Type": "text/x" } });
		expect(outcome).toMatchObject({ headers: [["Content-Type", "text/x"]] });
	});
});

test("content and header values are filled in, names and order kept", () => {
	const config = {
		status_code: 418,
		content: "${req.method} $${x}",
		headers: { "X-B": "${req.method}!", a: "1" },
	};
	expect(answer(config, { method: "PUT" }).outcome).toEqual({
		kind: "respond",
		statusCode: 418,
		headers: [
			["X-B", "PUT!"],
			["a", "1"],
			["content-type", "text/plain; charset=utf-8"],
		],
		content: "PUT ${x}",
	});
});

test("a response without expressions is made once", () => {
	const policy = policyOf({ content: "x" });
	expect(policy.inbound(exchangeOf())).toBe(policy.inbound(exchangeOf()));
});

test("it replaces a response too, and ends the outbound phase", () => {
	const respond = (content: string) => ({
		actions: [{ type: "custom-response", config: { content } }],
	});
	const policy = compiled({ outbound: [respond("${res.status_code}"), respond("second")] });
	const exchange = exchangeOf({ responseStatus: 502 });
	expect(policy.outbound(exchange)).toMatchObject({ kind: "respond", content: "502" });
});

describe("what can't be made", () => {
	const X = "${req.headers['x'][0]}";
	test("a template that fails ends the request, or under skip the rule", () => {
		for (const config of [{ content: X }, { headers: { a: X } }]) {
			const exchange = exchangeOf();
			expect(policyOf(config).inbound(exchange).kind).toBe("failed");
			expect(policyOf(config, "skip").inbound(exchange).kind).toBe("continue");
			expect(exchange.failures).toHaveLength(2);
		}
	});

	test.each(["a\r\nset-cookie: b", "a\0", "a\u007f", "x".repeat(LIMITS.headerValueBytes + 1)])(
		"the header value $0 is never sent, skipping or not",
		(value) => {
			const exchange = exchangeOf({ headers: [["x", value]] });
			expect(policyOf({ headers: { a: X } }).inbound(exchange).kind).toBe("failed");
			expect(policyOf({ headers: { a: X } }, "skip").inbound(exchange).kind).toBe("failed");
			expect(exchange.failures[0]?.message).toBe('the value of header "a" can\'t be sent');
		},
	);

	test("content that grows beyond its bound", () => {
		const big = "x".repeat(60_000);
		const content = X.repeat(Math.ceil(LIMITS.evaluationTextCharacters / big.length) + 1);
		const { outcome, failures } = answer({ content }, { headers: [["x", big]] });
		expect(outcome.kind).toBe("failed");
		expect(failures[0]?.message).toBe("the text becomes too long");
	});
});
