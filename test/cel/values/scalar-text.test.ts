/** What `string()` gives. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { BUDGET } from "../../../src/cel/budget.ts";
import { bytesText, doubleText, scalarText } from "../../../src/cel/values/scalar-text.ts";
import { typeOf } from "../../../src/cel/values/types.ts";
import { Duration, Timestamp, Uint, type Value } from "../../../src/cel/values/value.ts";
import { outcome } from "./samples.ts";

test.each<[Value, string]>([
	["a", "a"],
	[-1n, "-1"],
	[new Uint(2n ** 64n - 1n), "18446744073709551615"],
	[1.5, "1.5"],
	[1, "1"],
	[-0, "-0"],
	[1e21, "1e+21"],
	[-4.5e-3, "-0.0045"],
	[Number.NaN, "NaN"],
	[Number.POSITIVE_INFINITY, "+Inf"],
	[Number.NEGATIVE_INFINITY, "-Inf"],
	[true, "true"],
	[Uint8Array.of(0xc3, 0xa9), "é"],
	[Uint8Array.of(0xef, 0xbb, 0xbf, 0x61), "\ufeffa"],
	[new Timestamp(0, 500_000_000), "1970-01-01T00:00:00.500Z"],
	[new Duration(-1, -500_000_000), "-1.5s"],
	[typeOf(1n), "int"],
])("%s is %s", (value, text) => {
	expect(scalarText(value)).toBe(text);
});

test("property: a double is its text again, bytes of a text are the text", () => {
	fc.assert(
		fc.property(
			fc.double({ noDefaultInfinity: true }),
			fc.string({ unit: "binary" }),
			(value, text) => {
				expect(Number(doubleText(value))).toBe(value);
				expect(bytesText(new TextEncoder().encode(text))).toBe(text);
			},
		),
	);
});

test("what has no text fails, long bytes are paid for", () => {
	expect(outcome(() => bytesText(Uint8Array.of(0, 0xff)))).toBe("failure");
	expect(outcome(() => bytesText(new Uint8Array(1_048_577)))).toBe("failure");
	expect(() => scalarText([])).toThrow(expect.objectContaining({ message: "a list has no text" }));
	expect(outcome(() => scalarText(null))).toBe("failure");
	BUDGET.left = 1000;
	try {
		expect(() => bytesText(new Uint8Array(1000))).toThrow("takes too long");
	} finally {
		BUDGET.left = Number.POSITIVE_INFINITY;
	}
});
