/** Expressions that differ in constants only share their code and its compiled function, and nothing else. */
import { expect, test } from "vitest";
import { predicateProgram } from "../../../src/cel/compile.ts";
import { openPredicate, type PredicateProgram } from "../../../src/cel/program.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { ATTRIBUTES } from "../attributes.ts";

function programOf(source: string): PredicateProgram {
	const program = predicateProgram(source, "inbound");
	if (!program.ok) throw new Error(JSON.stringify(program.error));
	return program.value;
}

const shapeOf = (source: string): unknown => programOf(source).code.shape;

test.each([
	["req.method == 'GET'", "req.method == 'POST'"],
	["req.headers['x-a'].exists(v, v == 'b')", "req.headers['x-a'].exists(v, v == 'd')"],
	[
		"req.url.path.startsWith('/a') && !(req.host in ['a', 'b'])",
		"req.url.path.startsWith('/') && !(req.host in ['c', 'd'])",
	],
	["req.user_agent.matches('a+b')", "req.user_agent.matches('c|d')"],
])("%s and %s have one shape", (left, right) => {
	expect(shapeOf(left)).toBe(shapeOf(right));
});

test.each([
	["req.method == 'GET'", "req.host == 'GET'"],
	["req.method == 'GET'", "req.method != 'GET'"],
	["req.content_length > 1", "req.content_length >= 1"],
	["req.url.path.startsWith('/a')", "req.url.path.endsWith('/a')"],
])("%s and %s have not", (left, right) => {
	expect(shapeOf(left)).not.toBe(shapeOf(right));
});

test("predicates of one shape keep apart what they were written with", () => {
	const values = ["GET", "POST", "nothing"].map((method) =>
		openPredicate(programOf(`req.method == '${method}'`)).evaluate(ATTRIBUTES),
	);
	expect(values).toEqual(["GET", "POST", "nothing"].map((method) => method === ATTRIBUTES.method));
	expect(values).toContain(true);
});

test("a shape that is long is not kept, and its expression works all the same", () => {
	const long = Array.from({ length: 900 }, (_, n) => `req.method != 'm${n}'`).join(" && ");
	const program = programOf(`${long} && req.content_length >= 0`);
	const { body, result } = program.code.shape;
	const isLong = body.length + result.length > LIMITS.sharedShapeCharacters;
	expect(isLong).toBe(true);
	expect(shapeOf(program.source)).not.toBe(program.code.shape);
	expect(openPredicate(program).evaluate(ATTRIBUTES)).toBe(true);
});

test("shapes are kept up to the bound, and forgotten beyond twice as many", () => {
	// Of an expression that no other test compiles: a mould would keep a shape that is forgotten here.
	const shape = (): unknown => shapeOf("req.content_length == 7654321");
	const first = shape();
	const operators = [">", ">=", "<", "<="];
	for (let n = 0; n < 3 * LIMITS.sharedShapes + 8; n++) {
		// what is looked at is met, so that the bound counts from here
		if (n === LIMITS.sharedShapes - 1) expect(shape()).toBe(first);
		const each = Array.from({ length: 7 }, (_, at) => operators[(n >> (2 * at)) & 3]);
		programOf(each.map((operator, at) => `req.content_length ${operator} ${at}`).join(" || "));
	}
	expect(shape()).not.toBe(first);
});
