/** Comparisons of values that the checker knows and of those it doesn't are the same. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { resultOf } from "../sources.ts";

/** Around the ends of what doubles hold exactly, and of int and uint. */
const INTS = [0n, 1n, -1n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)];
const DOUBLES = [0, 1, -0.5, 2 ** 53, -(2 ** 53), 2 ** 63, -(2 ** 63), Number.NaN];

/** Known when compiled, known by its type, known when evaluated. */
const forms = (type: string, text: string): readonly string[] => [
	`${type}('${text}')`,
	`${type}(req.host == 'no' ? '0' : '${text}')`,
	`dyn(${type}('${text}'))`,
];

const operand = fc.oneof(
	fc.constantFrom(...INTS).map((value) => ({ value, forms: forms("int", String(value)) })),
	fc
		.constantFrom(...INTS.filter((value) => value >= 0n))
		.map((value) => ({ value, forms: forms("uint", String(value)) })),
	fc.constantFrom(...DOUBLES).map((value) => ({ value, forms: forms("double", String(value)) })),
);

const holds: Readonly<Record<string, (a: number | bigint, b: number | bigint) => boolean>> = {
	"<": (a, b) => a < b,
	"<=": (a, b) => a <= b,
	">": (a, b) => a > b,
	">=": (a, b) => a >= b,
};

test("property: numbers, an int beside a double as a double", () => {
	fc.assert(
		fc.property(operand, operand, fc.constantFrom(...Object.keys(holds)), (a, b, relation) => {
			const [left, right] =
				typeof a.value === typeof b.value ? [a.value, b.value] : [Number(a.value), Number(b.value)];
			const expected = `bool ${holds[relation]?.(left, right)}`;
			for (const one of a.forms) {
				for (const other of b.forms) {
					expect(resultOf(`${one} ${relation} ${other}`), `${one} ${relation} ${other}`).toBe(
						expected,
					);
				}
			}
		}),
		{ numRuns: 150 },
	);
});

test("property: numbers are equal exactly, whatever their kinds", () => {
	fc.assert(
		fc.property(operand, operand, (a, b) => {
			// biome-ignore lint/suspicious/noDoubleEquals: exact between a bigint and a number
			const isEqual = a.value == b.value;
			// kinds that the checker keeps apart are compared as dyn
			const [one = "", other = ""] = [a.forms[2], b.forms[2]];
			expect(resultOf(`${one} == ${other}`)).toBe(`bool ${isEqual}`);
			expect(resultOf(`${one} != ${other}`)).toBe(`bool ${!isEqual}`);
			expect(resultOf(`dyn(${a.forms[1]}) in [${other}]`)).toBe(`bool ${isEqual}`);
		}),
		{ numRuns: 150 },
	);
});

test.each([
	["req.method == 'POST'", true],
	["req.method != 'POST'", false],
	["req.content_length == 10001", true],
	["10001 != req.content_length", false],
	["int('10001') == req.content_length", true],
	["'\\uffee' < '😀'", true],
	["req.method < 'POST\\u0000'", true],
	["b'a' < b'ab'", true],
	["false < (req.method == 'POST')", true],
	["time.now > req.ts.header_received", true],
	["time.now - req.ts.header_received < duration('1s')", true],
	["[1, conn.server_port] == [1, 443]", true],
	["{'a': conn.server_port} == {'a': 443}", true],
	["dyn(req.method) == 1", false],
	["type(req.method) == string", true],
])("%s is %s", (source, expected) => {
	expect(resultOf(source)).toBe(`bool ${expected}`);
	expect(resultOf(source, undefined, true)).toBe(`bool ${expected}`);
});
