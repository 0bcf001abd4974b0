/** What a program says of its expression, and what it becomes. */
import { expect, test } from "vitest";
import { predicateProgram } from "../../src/cel/compile.ts";
import { EvaluationFailure, Overrun } from "../../src/cel/expression.ts";
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

test("in its own thread an expression has the time that it is given, whatever it charges", () => {
	const nested = "req.url.query.split('').all(a, req.url.query.split('').all(b, a == b))";
	const fully = (length: number, looks: number) => {
		const url = { ...ATTRIBUTES.url, query: "q".repeat(length) };
		const expression = new OpenExpression<boolean>(programOf(nested));
		let left = looks;
		const value = expression.evaluateFully({ ...ATTRIBUTES, url }, () => left-- > 0);
		return { value, looked: looks - left };
	};
	expect(fully(60, 1)).toEqual({ value: true, looked: 0 });
	const { value, looked } = fully(1000, 1000);
	expect(value).toBe(true);
	expect(looked).toBeGreaterThan(10);
	expect(fully(1000, 3).value).toEqual(new Overrun("the evaluation takes too long"));
	expect(fully(1000, 3).value).toBeInstanceOf(Overrun);
});

test.each([
	["json.decode(req.url.query) == null", `${"[".repeat(500)}${"]".repeat(500)}`, true],
	["json.decode(req.url.query) == null", "[", false],
	["'a'.matches(req.url.query)", "a".repeat(5000), true],
	["'a'.matches(req.url.query)", "a{999}a{999}a{999}", true],
	["'a'.matches(req.url.query)", "(", false],
])("%s: what is too large of a request, and only that, is an overrun", (source, query, isOver) => {
	const url = { ...ATTRIBUTES.url, query };
	const expression = new OpenExpression<boolean>(programOf(source));
	// A client could else have a rule passed over (`expression_errors: skip`) that a longer text made fail.
	for (let round = 0; round < 2; round++) {
		const failure = expression.evaluateFully({ ...ATTRIBUTES, url }, () => true);
		expect(failure).toBeInstanceOf(EvaluationFailure);
		expect([failure, failure instanceof Overrun]).toEqual([failure, isOver]);
	}
});
