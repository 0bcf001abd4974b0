/** `or` and `orValue` look at their argument only where they need it, in whatever form it comes. */
import { expect, test } from "vitest";
import { resultOf } from "../sources.ts";

const FAILING = [
	"[1][9]",
	"1 / 0",
	"[0].map(x, 1 / x)[0]",
	"req.headers.missing.map(x, int(x))[0]",
	"int(req.method)",
];

test.each(FAILING)("%s is not asked where there is a value", (failing) => {
	for (const isMetered of [false, true]) {
		const result = (source: string): string => resultOf(source, undefined, isMetered);
		expect(result(`optional.of(conn.server_port).orValue(${failing})`)).toBe("int 443");
		expect(result(`optional.of(7).or(optional.of(${failing}))`)).toBe("optional of int 7");
		expect(result(`dyn(optional.of(7)).orValue(${failing})`)).toBe("int 7");
		expect(result(`optional.none().orValue(${failing})`)).toMatch(/^failure/);
		expect(result(`optional.none().or(optional.of(${failing}))`)).toMatch(/^failure/);
	}
});

test.each([
	["req.headers.?accept.orValue([])", '[string "text/html", string "application/json"]'],
	["req.headers.?missing.orValue(['x'])", '[string "x"]'],
	["req.headers.?missing.or(optional.of(['x']))", 'optional of [string "x"]'],
	["{'a': 1}.?b.or({'b': 2}.?b).or({'c': 3}.?c).orValue(4)", "int 2"],
	["[1, 2].map(x, optional.ofNonZeroValue(x - 1).orValue(x * 10))", "[int 10, int 1]"],
	["optional.of(null).orValue(null)", "null"],
	["optional.none().orValue(optional.of(1)).hasValue()", "bool true"],
	["dyn(1).or(optional.of(1))", "failure: int where an optional is needed"],
	["optional.none().or(dyn('a'))", "failure: string where an optional is needed"],
])("%s", (source, expected) => {
	expect(resultOf(source)).toBe(expected);
	expect(resultOf(source, undefined, true)).toBe(expected);
});

test("members of maps and lists that may be missing", () => {
	expect(resultOf("{'a': 1}.?a")).toBe("optional of int 1");
	expect(resultOf("{'a': 1}[?req.method]")).toBe("optional none");
	expect(resultOf("[1, 2][?conn.server_port - 442]")).toBe("optional of int 2");
	expect(resultOf("optional.of({'a': {'b': 2}}).a.b")).toBe("optional of int 2");
});
