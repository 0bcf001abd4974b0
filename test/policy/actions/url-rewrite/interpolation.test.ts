import { expect, test } from "vitest";
import { endOfInterpolation } from "../../../../src/policy/actions/url-rewrite/interpolation.ts";

test.each([
	["${a}", "${a}"],
	["${a}b}", "${a}"],
	["${{'a': 1}['a']} x", "${{'a': 1}['a']}"],
	["${'}'}", "${'}'}"],
	['${"}\\"}"}}', '${"}\\"}"}'],
	["${r'\\'}'}", "${r'\\'}"],
	["${'''it's }'''}", "${'''it's }'''}"],
	['${b"}"}', '${b"}"}'],
	['${rB"\\"}', '${rB"\\"}'],
	["${bar'}'}", "${bar'}'}"],
	["${a // }\n}", "${a // }\n}"],
	["${a / b}", "${a / b}"],
	["${[1, 2].map(x, {x: x})}", "${[1, 2].map(x, {x: x})}"],
])("%j", (text, expected) => {
	expect(text.slice(0, endOfInterpolation(text, 0))).toBe(expected);
});

test.each(["${", "${a", "${'}", "${{}", "${a)}", "${a // }", "${[}"])("%j has no end", (text) => {
	expect(endOfInterpolation(text, 0)).toBe(-1);
});
