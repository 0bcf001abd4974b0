/** Macros become the comprehensions of the specification. */
import { expect, test } from "vitest";
import { parse } from "../../../src/cel/parse/parse.ts";
import { shape } from "../checked.ts";

const always = 'boolValue "true"';

test.each([
	[
		"all(x, c)",
		'x in a, @result = boolValue "true"; @not_strictly_false(@result); _&&_(@result, c); @result',
	],
	[
		"exists(x, c)",
		'x in a, @result = boolValue "false"; @not_strictly_false(!_(@result)); _||_(@result, c); @result',
	],
	[
		"exists_one(x, c)",
		`x in a, @result = int64Value "0"; ${always}; _?_:_(c, _+_(@result, int64Value "1"), @result); _==_(@result, int64Value "1")`,
	],
	[
		"filter(x, c)",
		`x in a, @result = []; ${always}; _?_:_(c, _+_(@result, [x]), @result); @result`,
	],
	["map(x, e)", `x in a, @result = []; ${always}; _+_(@result, [e]); @result`],
	[
		"map(x, c, e)",
		`x in a, @result = []; ${always}; _?_:_(c, _+_(@result, [e]), @result); @result`,
	],
	[
		"all(i, v, c)",
		'i, v in a, @result = boolValue "true"; @not_strictly_false(@result); _&&_(@result, c); @result',
	],
	["transformList(i, v, e)", `i, v in a, @result = []; ${always}; _+_(@result, [e]); @result`],
	[
		"transformList(i, v, c, e)",
		`i, v in a, @result = []; ${always}; _?_:_(c, _+_(@result, [e]), @result); @result`,
	],
	[
		"transformMap(k, v, e)",
		`k, v in a, @result = {}; ${always}; cel.@mapInsert(@result, k, e); @result`,
	],
	[
		"transformMap(k, v, c, e)",
		`k, v in a, @result = {}; ${always}; _?_:_(c, cel.@mapInsert(@result, k, e), @result); @result`,
	],
	[
		"transformMapEntry(k, v, m)",
		`k, v in a, @result = {}; ${always}; cel.@mapInsert(@result, m); @result`,
	],
	[
		"transformMapEntry(k, v, c, m)",
		`k, v in a, @result = {}; ${always}; _?_:_(c, cel.@mapInsert(@result, m), @result); @result`,
	],
])("a.%s", (call, fold) => {
	const parsed = parse(`a.${call}`);
	expect(parsed.ok ? shape(parsed.expr) : parsed.fault.message).toBe(`fold ${fold}`);
});

test("cel.bind is a loop that never runs", () => {
	const parsed = parse("cel.bind(x, a, e)");
	expect(parsed.ok && shape(parsed.expr)).toBe(
		'fold #unused in [], x = a; boolValue "false"; x; e',
	);
});
