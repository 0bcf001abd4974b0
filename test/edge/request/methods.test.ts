/** Contract 6, methods: by example, and each standard one in every case. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { ALLOWED_METHODS, methodMistake } from "../../../src/edge/request/methods.ts";

const STANDARD = [...ALLOWED_METHODS.split(", "), "TRACE", "CONNECT"];

it("lets standard methods and unknown tokens pass, but for tunnels and, unless allowed, TRACE", () => {
	for (const method of [...ALLOWED_METHODS.split(", "), "PROPFIND", "propfind", "M-SEARCH", "g"]) {
		expect([method, methodMistake(method, false)]).toEqual([method, undefined]);
	}
	expect(methodMistake("TRACE", false)).toBe("trace");
	expect(methodMistake("TRACE", true)).toBeUndefined();
	expect(methodMistake("CONNECT", true)).toBe("connect");
	for (const method of ["", "GE(T", "GET ", "G\u00cbT"]) {
		expect(methodMistake(method, false)).toBe("no token");
	}
});

it("refuses a standard method in any other case", () => {
	const cases = fc.infiniteStream(fc.boolean());
	fc.assert(
		fc.property(fc.constantFrom(...STANDARD), cases, (method, lower) => {
			const spelled = [...method]
				.map((letter) => (lower.next().value === true ? letter.toLowerCase() : letter))
				.join("");
			if (spelled === method) return;
			expect(methodMistake(spelled, true)).toBe("case");
		}),
	);
});
