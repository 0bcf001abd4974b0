import { expect, test } from "vitest";
import type { PredicateProgram } from "../../../src/cel/program.ts";
import { Compiler } from "../../../src/policy/programs/compiler.ts";
import { makeProgram } from "../../../src/policy/programs/program.ts";

test("each text is compiled once per phase", () => {
	const compiler = new Compiler();
	const first = compiler.predicate("req.method == 'GET'", "inbound");
	expect(compiler.predicate("req.method == 'GET'", "inbound")).toBe(first);
	expect(compiler.predicate("req.method == 'GET'", "outbound")).not.toBe(first);
	expect(compiler.template("x", "inbound")).toBe(compiler.template("x", "inbound"));
});

test.each([1, 8, 9, 30])("also where there are %i texts", (count) => {
	const compiler = new Compiler();
	const all = Array.from({ length: count }, (_, n) => `req.host == 'h${n}'`).flatMap((source) =>
		(["inbound", "outbound"] as const).map((phase) => [source, phase] as const),
	);
	const first = all.map(([source, phase]) => compiler.predicate(source, phase));
	expect(new Set(first).size).toBe(2 * count);
	for (const [at, [source, phase]] of all.entries())
		expect(compiler.predicate(source, phase)).toBe(first[at]);
});

test("what was compiled elsewhere is not compiled again", () => {
	const wanted = { kind: "predicate", source: "req.method == 'GET'", phase: "inbound" } as const;
	const made = makeProgram(wanted);
	if (made === undefined) throw new Error("not made");
	const compiler = new Compiler();
	// Told from one of its own by the wrong guard.
	const program = { ...made.program, constant: true, guards: [] };
	compiler.adopt({ ...wanted, program: program as PredicateProgram });
	expect(compiler.predicate(wanted.source, "inbound")).toMatchObject({ value: { constant: true } });
	expect(compiler.predicate(wanted.source, "outbound")).toMatchObject({
		value: { constant: undefined },
	});
});

test("whether an expression may have to wait is known, wherever it was compiled", () => {
	const heavy = "req.headers.exists(a, req.headers.exists(b, req.headers.exists(c, a + b == c)))";
	const source = `\${${heavy}}`;
	const mayWait = (compile: (compiler: Compiler) => unknown): boolean => {
		const compiler = new Compiler();
		compile(compiler);
		return compiler.mayWait;
	};
	expect(mayWait((compiler) => compiler.predicate("req.method == 'GET'", "inbound"))).toBe(false);
	expect(mayWait((compiler) => compiler.template("${req.method}", "inbound"))).toBe(false);
	expect(mayWait((compiler) => compiler.pattern("["))).toBe(false);
	expect(mayWait((compiler) => compiler.pattern("(.*)/x"))).toBe(true);
	expect(mayWait((compiler) => compiler.predicate(heavy, "inbound"))).toBe(true);
	expect(mayWait((compiler) => compiler.template(source, "inbound"))).toBe(true);
	const made = makeProgram({ kind: "template", source, phase: "inbound" });
	expect(mayWait((compiler) => made && compiler.adopt(made))).toBe(true);
});
