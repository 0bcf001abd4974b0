/** Which calls are macros; the extensions' macros written in terms of others. */
import { expect, test } from "vitest";
import { MACRO_FORMS, MACRO_USAGE } from "../../../src/cel/parse/expand.ts";
import { parse } from "../../../src/cel/parse/parse.ts";
import { shape } from "../checked.ts";

const treeOf = (source: string): string => {
	const parsed = parse(source);
	return parsed.ok ? shape(parsed.expr) : parsed.fault.message;
};

test("a value is looked at once, whatever is done with it", () => {
	expect(treeOf("a.optMap(x, f(x))")).toBe(
		'fold #unused in [], @optional = a; boolValue "false"; @optional; ' +
			"_?_:_(@optional.hasValue(), optional.of(fold #unused in [], x = @optional.value(); " +
			'boolValue "false"; x; f(x)), optional.none())',
	);
	expect(treeOf("a.sortBy(x, f(x))")).toBe(
		'fold #unused in [], @list = a; boolValue "false"; @list; @list.@sortByAssociatedKeys(' +
			'fold x in @list, @result = []; boolValue "true"; _+_(@result, [f(x)]); @result)',
	);
});

test.each([
	["math.greatest(a)", "math.@max(a)"],
	["math.least(a, b)", "math.@min(a, b)"],
	["math.least(a, b, c)", "math.@min([a, b, c])"],
])("%s is %s", (source, tree) => {
	expect(treeOf(source)).toBe(tree);
});

test("the forms of a macro differ in their number of arguments, and all tell how they are written", () => {
	for (const [name, forms] of MACRO_FORMS) {
		const counts = forms.map(({ variables, expressions }) => variables + expressions);
		expect(new Set(counts).size, name).toBe(forms.length);
		expect(MACRO_USAGE.get(name)).toContain(`.${name}(`);
	}
});

test("with other numbers of arguments they are calls, which the checker judges", () => {
	expect(treeOf("a.map(x)")).toBe("a.map(x)");
	expect(treeOf("a.filter(x, y, z)")).toBe("a.filter(x, y, z)");
	expect(treeOf("map(a, x, x)")).toBe("map(a, x, x)");
});
