/** Numbers as they are written, and what they stand for. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { INT_MIN_MAGNITUDE, readNumber } from "../../../src/cel/parse/number.ts";

const read = (source: string): unknown => {
	const token = readNumber(source, 0);
	return "code" in token ? token.message : [token.kind, token.value, token.end];
};

test.each([
	["0", ["int", 0n, 1]],
	["007 ", ["int", 7n, 3]],
	["12u", ["uint", 12n, 3]],
	["0xfFu", ["uint", 255n, 5]],
	["0X10", ["int", 16n, 4]],
	["1.5e-3", ["double", 0.0015, 6]],
	[".5", ["double", 0.5, 2]],
	["1e3", ["double", 1000, 3]],
	["1.a", ["int", 1n, 1]],
	["1..", ["int", 1n, 1]],
	["9223372036854775808", ["int", INT_MIN_MAGNITUDE, 19]],
	["9223372036854775809", "9223372036854775809 does not fit into an int"],
	["18446744073709551616u", "18446744073709551616u does not fit into a uint"],
	["1e999", "1e999 does not fit into a double"],
	["0x", '"0x" is no number'],
	["1_0", '"1_" is no number'],
	["1.5u", '"1.5u" is no number'],
])("%s", (source, expected) => {
	expect(read(source)).toEqual(expected);
});

test("property: what is written is what is read", () => {
	fc.assert(
		fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), (value) => {
			expect(read(`${value}`)).toEqual(["int", value, `${value}`.length]);
			const hex = `0x${value.toString(16)}u`;
			expect(read(hex)).toEqual(["uint", value, hex.length]);
		}),
	);
	fc.assert(
		fc.property(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), (value) => {
			const text = value.toExponential();
			expect(read(text)).toEqual(["double", value, text.length]);
		}),
	);
});
