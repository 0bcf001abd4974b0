/** `in` with literals, and chains of equalities, find what is there and nothing else. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { ATTRIBUTES } from "../attributes.ts";
import { resultOf } from "../sources.ts";

const METHODS = ["GET", "POST", "PUT", "DELETE", "HEAD", "PATCH", "OPTIONS"];
const methods = fc.array(fc.constantFrom(...METHODS), { maxLength: 9 });
const withMethod = (method: string): typeof ATTRIBUTES => ({ ...ATTRIBUTES, method });

test("property: texts", () => {
	fc.assert(
		fc.property(methods, fc.constantFrom(...METHODS), (list, method) => {
			const literals = list.map((each) => `'${each}'`);
			const expected = `bool ${list.includes(method)}`;
			const attributes = withMethod(method);
			expect(resultOf(`req.method in [${literals.join(", ")}]`, attributes)).toBe(expected);
			const chain = literals.map((each, at) =>
				at % 2 === 0 ? `req.method == ${each}` : `${each} == req.method`,
			);
			const source = ["req.host == 'no'", ...chain].join(" || ");
			expect(resultOf(source, attributes)).toBe(expected);
		}),
		{ numRuns: 300 },
	);
});

test("property: ints, whether they travel as numbers or not", () => {
	const ints = [0n, 1n, -1n, 443n, 10_001n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n];
	fc.assert(
		fc.property(
			fc.array(fc.constantFrom(...ints), { maxLength: 8 }),
			fc.constantFrom(...ints),
			(list, value) => {
				const expected = `bool ${list.includes(value)}`;
				const literals = `[${list.join(", ")}]`;
				expect(resultOf(`int('${value}' + req.headers.missing.join()) in ${literals}`)).toBe(
					expected,
				);
				const port = `bool ${list.includes(BigInt(ATTRIBUTES.serverPort))}`;
				expect(resultOf(`conn.server_port in ${literals}`)).toBe(port);
			},
		),
		{ numRuns: 300 },
	);
});

test("what fails to be an element fails, even of an empty list", () => {
	expect(resultOf("req.headers.missing[0] in []")).toMatch(/^failure/);
	expect(resultOf("req.host in []")).toBe("bool false");
	expect(resultOf("dyn(1.0) in [1, 2]")).toBe("bool true");
	expect(resultOf("1 in [1, dyn('a')]")).toBe("bool true");
});
