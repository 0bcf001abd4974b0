/** Lists of etags are read as RFC 9110 writes them, in linear time; comparison is strong or weak as it says. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holds, matchesWeakly, parseEtags } from "../../src/store/precondition.ts";

describe("parseEtags", () => {
	it.each([
		["*", "*"],
		[" * ", "*"],
		['"a"', ['"a"']],
		['W/"a" , "b,c"', ['W/"a"', '"b,c"']],
		['""', ['""']],
		['"a",,"b", ', ['"a"', '"b"']],
	])("%s", (text, etags) => {
		expect(parseEtags(text)).toEqual(etags);
	});

	it("reads back every list", () => {
		const etag = fc
			.tuple(fc.boolean(), fc.stringMatching(/^[!#-~]*$/))
			.map(([weak, text]) => `${weak ? "W/" : ""}"${text}"`);
		fc.assert(
			fc.property(fc.array(etag, { minLength: 1 }), (etags) => {
				expect(parseEtags(etags.join(","))).toEqual(etags);
				expect(parseEtags(etags.join("\t, "))).toEqual(etags);
			}),
		);
	});

	it("refuses everything else, also when it is long", () => {
		for (const text of ["", "a", '"', '"a', '"a" "b"', ",", ", ,", 'w/"a"', '"a b"']) {
			expect(parseEtags(text), text).toBeUndefined();
		}
		expect(parseEtags(`${'"a",'.repeat(100_000)}x`)).toBeUndefined();
	});
});

describe("holds", () => {
	it("is always true without conditions", () => {
		expect(holds({}, undefined)).toBe(true);
		expect(holds({}, '"a"')).toBe(true);
	});

	it("compares if-match strongly and if-none-match weakly", () => {
		expect(holds({ ifMatch: ['"a"'] }, '"a"')).toBe(true);
		expect(holds({ ifMatch: ['W/"a"'] }, '"a"')).toBe(false);
		expect(holds({ ifMatch: "*" }, undefined)).toBe(false);
		expect(holds({ ifNoneMatch: ['W/"a"'] }, '"a"')).toBe(false);
		expect(holds({ ifNoneMatch: ['"b"'] }, '"a"')).toBe(true);
		expect(holds({ ifNoneMatch: "*" }, '"a"')).toBe(false);
		expect(holds({ ifNoneMatch: "*" }, undefined)).toBe(true);
		expect(holds({ ifMatch: ['"a"'], ifNoneMatch: "*" }, '"a"')).toBe(false);
		expect(matchesWeakly("*", undefined)).toBe(false);
	});
});
