/** What a program says of its expression, and what it becomes. */
import { expect, test } from "vitest";
import { predicateProgram } from "../../src/cel/compile.ts";
import { EvaluationFailure } from "../../src/cel/expression.ts";
import { OpenExpression, openPredicate, type PredicateProgram } from "../../src/cel/program.ts";
import { ATTRIBUTES } from "./attributes.ts";

function programOf(source: string): PredicateProgram {
	const program = predicateProgram(source, "inbound");
	if (!program.ok) throw new Error(JSON.stringify(program.error));
	return program.value;
}

test.each([
	["req.method == 'GET'", false, ["method"]],
	["req.headers['A'][0] == 'x'", true, ["requestHeaders:a"]],
	["'a' in req.headers || req.url.path.startsWith('/x')", false, ["requestHeaders:a", "url.path"]],
	["req.headers.exists(h, h == 'x')", false, ["requestHeaders"]],
	["req.content_length + 1 > 0", true, ["requestContentLength"]],
	["conn.server_port + 1 > 0", false, ["serverPort"]],
	[
		"hasReqCookie('a') && req.url.query_params['q'] == []",
		false,
		["requestHeaders:cookie", "url.query"],
	],
	["time.now > timestamp(0)", false, ["nowMs"]],
])("%s", (source, canFail, reads) => {
	const program = programOf(source);
	expect(program.canFail || program.isHeavy).toBe(canFail || program.isHeavy);
	expect([...program.reads].toSorted()).toEqual(reads);
	const predicate = openPredicate(program);
	expect(predicate.source).toBe(source);
	expect(predicate.canFail).toBe(program.canFail);
	expect(predicate.guards).toEqual(program.guards);
});

test("a predicate knows what it would be without a request", () => {
	expect(openPredicate(programOf("1 < 2")).constant).toBe(true);
	expect(openPredicate(programOf("req.method == 'GET' && false")).constant).toBe(false);
	expect(openPredicate(programOf("req.method == 'GET'")).constant).toBeUndefined();
});

test("in its own thread an expression has the whole budget, and fails beyond it", () => {
	const nested = "req.url.query.split('').all(a, req.url.query.split('').all(b, a == b))";
	const fully = (length: number) => {
		const url = { ...ATTRIBUTES.url, query: "q".repeat(length) };
		const expression = new OpenExpression<boolean>(programOf(nested));
		return expression.evaluateFully({ ...ATTRIBUTES, url });
	};
	expect(fully(60)).toBe(true);
	expect(fully(10_000)).toEqual(new EvaluationFailure("the evaluation takes too long"));
});
