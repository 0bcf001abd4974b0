/** The strings extension over characters, held against plain models. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { compileExpression } from "../../../src/cel/compile.ts";
import { EvaluationFailure } from "../../../src/cel/expression.ts";
import { described } from "../values.ts";

function value(source: string): string {
	const compiled = compileExpression(source, "inbound", () => undefined);
	if (!compiled.ok) throw new Error(`${source}: ${compiled.error[0]?.message}`);
	const result = compiled.value.evaluate(undefined);
	return result instanceof EvaluationFailure ? `failure: ${result.message}` : described(result);
}

const text = fc.string({ unit: fc.constantFrom("a", "b", ",", "é", "😀") });
const quote = JSON.stringify;

test("property: indices count characters", () => {
	fc.assert(
		fc.property(text, text, fc.nat(12), fc.nat(12), (subject, part, first, second) => {
			const characters = [...subject];
			const found = subject.indexOf(part);
			const [start, end] = [Math.min(first, second), Math.max(first, second)];
			expect(value(`${quote(subject)}.size()`)).toBe(`int ${characters.length}`);
			expect(value(`${quote(subject)}.indexOf(${quote(part)})`)).toBe(
				`int ${found < 0 ? -1 : [...subject.slice(0, found)].length}`,
			);
			const slice = value(`${quote(subject)}.substring(${start}, ${end})`);
			if (end > characters.length) expect(slice).toContain("failure: index");
			else expect(slice).toBe(`string ${quote(characters.slice(start, end).join(""))}`);
		}),
	);
});

test("property: split and join undo each other, replace is both", () => {
	fc.assert(
		fc.property(
			text,
			text,
			text,
			fc.integer({ min: -1, max: 4 }),
			(subject, part, other, count) => {
				fc.pre(part !== "");
				const [s, p, o] = [subject, part, other].map((each) => quote(each));
				expect(value(`${s}.split(${p}).join(${p})`)).toBe(`string ${s}`);
				expect(value(`${s}.split(${p}, ${count}).join(${p})`)).toBe(
					count === 0 ? 'string ""' : `string ${s}`,
				);
				expect(value(`${s}.replace(${p}, ${o})`)).toBe(
					`string ${quote(subject.replaceAll(part, () => other))}`,
				);
			},
		),
	);
});

test.each([
	["'abcabc'.replace('b', 'x', 1)", 'string "axcabc"'],
	["'abc'.replace('', '-')", 'string "-a-b-c-"'],
	["'abc'.replace('', '-', 2)", 'string "-a-bc"'],
	["'a,b,c'.split(',', 2)", '[string "a", string "b,c"]'],
	["'a😀'.split('')", '[string "a", string "😀"]'],
	["'abcb'.lastIndexOf('b', 2)", "int 1"],
	["'ab'.charAt(2)", 'string ""'],
	["'ab'.charAt(3)", "failure: index 3 is outside of the text's 2 characters"],
	["'ab'.substring(2, 1)", "failure: the end 1 is before the start 2"],
	["'\\u00a0 a b\\u3000\\n'.trim()", 'string "a b"'],
	["' \\n '.trim()", 'string ""'],
	["'ÄbC'.lowerAscii() + 'äbC'.upperAscii()", 'string "ÄbcäBC"'],
	["'a😀'.reverse()", 'string "😀a"'],
	["['a', 'b'].join()", 'string "ab"'],
	["dyn(['a', 1]).join('')", "failure: join takes a list of strings only"],
	["'%d of %s'.format([1, ['a']])", 'string "1 of [a]"'],
])("%s", (source, expected) => {
	expect(value(source)).toBe(expected);
});
