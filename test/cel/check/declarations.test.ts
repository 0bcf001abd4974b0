/** The functions of contract 4 are declared, all of them callable by name. */
import { expect, test } from "vitest";
import { DECLARATIONS, FUNCTION_NAMES } from "../../../src/cel/check/declarations.ts";

test("the contract's own functions are there", () => {
	const names = [
		..."getReqHeader hasReqHeader getReqCookie hasReqCookie getQueryParam hasQueryParam".split(" "),
		..."getResHeader hasResHeader getResCookie hasResCookie inCidrRange inCidrRanges".split(" "),
		..."rand.double rand.int base64.encode base64.decode hash.sha256 json.decode matches".split(
			" ",
		),
	];
	expect(names.filter((name) => !FUNCTION_NAMES.includes(name))).toEqual([]);
});

test("no signature is declared twice, and operators are no names", () => {
	for (const [name, overloads] of DECLARATIONS) {
		const signatures = overloads.map(({ signature }) => signature);
		expect(new Set(signatures).size, name).toBe(signatures.length);
		expect(signatures.every((signature) => signature.includes(name))).toBe(true);
	}
	expect(FUNCTION_NAMES.filter((name) => !/^[a-zA-Z][\w.]*$/.test(name))).toEqual([]);
});
