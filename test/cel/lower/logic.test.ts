/**
 * `&&`, `||`, `!`, `?:` and the macros that are made of them: an operand that decides absorbs failures,
 * wherever it stands and in whatever form its code comes.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { resultOf } from "../sources.ts";

type Truth = "true" | "false" | "fails";

/** Operands in all forms: known when compiled, plain, with statements of their own, dyn; some can fail and don't. */
const FORMS: Readonly<Record<Truth, readonly string[]>> = {
	true: [
		"true",
		"req.method == 'POST'",
		"req.headers.accept.exists(x, x == 'text/html')",
		"req.headers.accept[0] == 'text/html'",
		"dyn(req.method == 'POST')",
		"[1, conn.server_port].exists(p, p > 1)",
	],
	false: [
		"false",
		"req.method == 'GET'",
		"req.headers.accept.all(x, x == 'text/html')",
		"req.headers.accept[1] == 'text/html'",
		"dyn(req.method != 'POST')",
		"[1, conn.server_port].all(p, p > 1)",
	],
	fails: [
		"1 / 0 > 1",
		"req.headers.missing[0] == 'x'",
		"req.headers.accept.exists(x, [x][9] == 'x')",
		"dyn('no bool')",
		"[0, 1].all(p, 1 / (p * 0) == 1)",
	],
};

const operand = fc
	.constantFrom<Truth>("true", "false", "fails")
	.chain((truth) => fc.constantFrom(...FORMS[truth]).map((source) => ({ truth, source })));
const operands = fc.array(operand, { minLength: 2, maxLength: 6 });

function joined(truths: readonly Truth[], decisive: Truth): Truth {
	if (truths.includes(decisive)) return decisive;
	if (truths.includes("fails")) return "fails";
	return decisive === "true" ? "false" : "true";
}

const truthOf = (source: string): Truth => {
	const result = resultOf(source);
	if (result.startsWith("failure: ")) return "fails";
	expect(["bool true", "bool false"], `${source}: ${result}`).toContain(result);
	return result === "bool true" ? "true" : "false";
};

test("property: a chain decides as its operands do, in any order", () => {
	fc.assert(
		fc.property(operands, fc.constantFrom("||", "&&"), (chain, operator) => {
			const source = chain.map((each) => each.source).join(` ${operator} `);
			const truths = chain.map(({ truth }) => truth);
			expect(truthOf(source), source).toBe(joined(truths, operator === "||" ? "true" : "false"));
		}),
		{ numRuns: 200 },
	);
});

test("property: so do chains within chains", () => {
	fc.assert(
		fc.property(
			fc.array(operands, { minLength: 2, maxLength: 3 }),
			fc.boolean(),
			(groups, isOr) => {
				const [outer, inner] = isOr ? (["||", "&&"] as const) : (["&&", "||"] as const);
				const decisive = { "||": "true", "&&": "false" } as const;
				const source = groups
					.map((group) => `(${group.map((each) => each.source).join(` ${inner} `)})`)
					.join(` ${outer} `);
				const truths = groups.map((group) =>
					joined(
						group.map(({ truth }) => truth),
						decisive[inner],
					),
				);
				expect(truthOf(source), source).toBe(joined(truths, decisive[outer]));
			},
		),
		{ numRuns: 200 },
	);
});

test("property: ! turns a truth round and ?: takes the branch that its condition names", () => {
	fc.assert(
		fc.property(operand, operand, operand, (condition, yes, no) => {
			const negated = { true: "false", false: "true", fails: "fails" }[condition.truth];
			expect(truthOf(`!(${condition.source})`), condition.source).toBe(negated);
			const source = `(${condition.source}) ? (${yes.source}) : (${no.source})`;
			const chosen = { true: yes.truth, false: no.truth, fails: "fails" }[condition.truth];
			const result = resultOf(source);
			if (chosen === "fails" && result === 'string "no bool"') return;
			expect(truthOf(source), source).toBe(chosen);
		}),
		{ numRuns: 300 },
	);
});

test("property: exists and all absorb failures, exists_one, filter and map do not", () => {
	const elements = fc.array(fc.constantFrom<Truth>("true", "false", "fails"), { maxLength: 5 });
	const code = { true: 1, false: 0, fails: 2 };
	fc.assert(
		fc.property(elements, fc.boolean(), (truths, isDynamic) => {
			const list = `[${truths.map((truth) => code[truth]).join(", ")}]`;
			const range = isDynamic ? `dyn(${list})` : list;
			// 1 is true, 0 is false, 2 fails
			const body = "x == 2 ? 1 / (conn.server_port * 0) == 1 : x == 1";
			expect(truthOf(`${range}.exists(x, ${body})`)).toBe(joined(truths, "true"));
			expect(truthOf(`${range}.all(x, ${body})`)).toBe(joined(truths, "false"));
			const fails = truths.includes("fails");
			const count = truths.filter((truth) => truth === "true").length;
			const one = fails ? "fails" : count === 1 ? "true" : "false";
			expect(truthOf(`${range}.exists_one(x, ${body})`)).toBe(one);
			const size = fails ? "fails" : "true";
			expect(truthOf(`${range}.filter(x, ${body}).size() == ${count}`)).toBe(size);
			expect(truthOf(`${range}.map(x, ${body}).size() == ${truths.length}`)).toBe(size);
			expect(truthOf(`${range}.exists(i, x, i >= 0 && (${body}))`)).toBe(joined(truths, "true"));
		}),
		{ numRuns: 120 },
	);
});
