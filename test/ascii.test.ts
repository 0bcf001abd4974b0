/** Case as protocols know it: of ASCII letters, whatever else a text holds. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { asciiLowerCase, asciiUpperCase } from "../src/ascii.ts";

/** Letters whose other case is ASCII, or longer than they are, to the language. */
const ODD = ["\u212a", "\u017f", "\u0130", "\u0131", "\u00df", "\ufb00", "É", "é", "Σ"];

it("changes ASCII letters and nothing else", () => {
	expect(asciiLowerCase("CHUN\u212aED É")).toBe("chun\u212aed É");
	expect(asciiUpperCase("\u017f\u00dfa-z é")).toBe("\u017f\u00dfA-Z é");
	const text = fc.string({ unit: fc.oneof(fc.constantFrom(...ODD), fc.string({ maxLength: 1 })) });
	fc.assert(
		fc.property(text, (text) => {
			const lower = [...text].map((each) => (/[A-Z]/.test(each) ? each.toLowerCase() : each));
			const upper = [...text].map((each) => (/[a-z]/.test(each) ? each.toUpperCase() : each));
			expect(asciiLowerCase(text)).toBe(lower.join(""));
			expect(asciiUpperCase(text)).toBe(upper.join(""));
		}),
	);
});
