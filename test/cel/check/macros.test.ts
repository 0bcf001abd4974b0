/** What loop variables hold, and what macros yield. */
import { expect, test } from "vitest";
import { faultsOf, typeOf } from "../checked.ts";

test.each([
	["[1.5].map(x, x)", "list<double>"],
	["{'a': 1}.map(k, k)", "list<string>"],
	["['a'].transformList(i, v, i)", "list<int>"],
	["['a'].transformList(i, v, v)", "list<string>"],
	["{'a': 1}.transformList(k, v, v)", "list<int>"],
	["{'a': 1}.transformMap(k, v, [v])", "map<string, list<int>>"],
	["['a'].transformMap(i, v, v)", "map<int, string>"],
	["['a'].transformMap(i, v, i > 0, v)", "map<int, string>"],
	["['a'].transformMapEntry(i, v, {v: i})", "map<string, int>"],
	["{'a': 1}.exists(k, v, k == 'a' && v == 1)", "bool"],
	["dyn(1).transformMap(k, v, k + v)", "map<dyn, dyn>"],
	["[][0].map(x, x)", "list<dyn>"],
	["cel.bind(x, [], x + ['a'])", "list<string>"],
	["optional.of(1).optMap(x, string(x))", "optional<string>"],
	["optional.of(1).optFlatMap(x, optional.of('a'))", "optional<string>"],
	["dyn(1).optMap(x, x)", "optional<dyn>"],
	["['a'].sortBy(x, size(x))", "list<string>"],
])("%s is %s", (source, type) => {
	expect(typeOf(source)).toBe(type);
});

test.each([
	["1.all(x, true)", "0: a macro runs over a list or a map, not over int"],
	["1.optMap(x, x)", "0: only optionals have optMap() and optFlatMap(), not int"],
	[
		"[1].optFlatMap(x, optional.of(x))",
		"0: only optionals have optMap() and optFlatMap(), not list<int>",
	],
	[
		"[1].sortBy(x, [x])",
		"4: sortBy() needs keys that have an order, such as numbers or strings, not list<int>",
	],
	[
		"[1].transformMapEntry(i, v, v)",
		"4: transformMapEntry() puts maps together, as {k: v} is one, not int",
	],
	[
		"optional.of(1).optFlatMap(x, x)",
		"15: the expression of optFlatMap() yields an optional, not int",
	],
])("%s is refused", (source, fault) => {
	expect(faultsOf(source)).toEqual([fault]);
});
