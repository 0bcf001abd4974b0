/** Where a guard of an expensive predicate does not hold, it is false at once: never a suspension. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkExpression, predicateProgram } from "../../../src/cel/compile.ts";
import type { Guard } from "../../../src/cel/expression.ts";
import { isPlain } from "../../../src/cel/guard/plain.ts";
import { openPredicate } from "../../../src/cel/program.ts";
import { ATTRIBUTES } from "../attributes.ts";

const HUGE = {
	...ATTRIBUTES,
	url: { ...ATTRIBUTES.url, query: Array.from({ length: 8000 }, (_, at) => `k${at}=v`).join("&") },
};

/** Suspended on a huge query, in forms with and without statements, that can fail and can't. */
const EXPENSIVE = [
	"req.url.query_params.exists(k, k == 'z')",
	"req.url.query.split('&').map(x, x + x)[7000] == 'z'",
	"req.url.query.split('&').exists(a, req.url.query.split('&').exists(b, a + b == 'z'))",
];
const PLAIN = [
	"req.method == 'GET'",
	"req.host in ['a.test', 'b.test']",
	"(req.url.path == '/x' || req.url.path.startsWith('/y/'))",
	"'PUT' == req.method",
];

const operand = fc.oneof(fc.constantFrom(...EXPENSIVE), fc.constantFrom(...PLAIN));
const { condition } = fc.letrec<{ condition: string }>((tie) => ({
	condition: fc.oneof(
		{ maxDepth: 2 },
		operand,
		fc
			.tuple(
				fc.array(tie("condition"), { minLength: 2, maxLength: 3 }),
				fc.constantFrom(" && ", " || "),
			)
			.map(([parts, operator]) => `(${parts.join(operator)})`),
	),
}));

function holds({ attribute, test: how, values }: Guard): boolean {
	const value = { method: HUGE.method, host: HUGE.host, path: HUGE.url.path }[attribute];
	return values.some((each) => (how === "equals" ? value === each : value.startsWith(each)));
}

test("property: false at once, or no guard", () => {
	let guarded = 0;
	fc.assert(
		fc.property(condition, (source) => {
			const program = predicateProgram(source, "inbound");
			if (!program.ok || program.value.guards.every(holds)) return;
			guarded++;
			expect(openPredicate(program.value).evaluate(HUGE), source).toBe(false);
		}),
		{ numRuns: 300 },
	);
	expect(guarded).toBeGreaterThan(20);
});

test.each([
	["req.method == 'GET'", true],
	["req.url.path.startsWith('/a') || req.host != 'b'", true],
	["req.method in ['A', 'B']", true],
	["req.method in req.headers.allow", false],
	["req.method == req.host + 'x'", false],
	["req.method.startsWith(req.url.path)", true],
	["!(req.method == 'GET')", false],
	["req.method.matches('^G')", false],
])("%s is plain: %s", (source, plain) => {
	const checked = checkExpression(source, "inbound", () => undefined);
	if (!checked.ok) throw new Error(JSON.stringify(checked.error));
	expect(isPlain(checked.value.expr)).toBe(plain);
});
