/** Values of set-vars: what is the same for every request is prepared once, and types are told. */
import { expect, test } from "vitest";
import { preparedValue, typeOfValue } from "../../../../src/policy/actions/set-vars/value.ts";
import type { JsonValue } from "../../../../src/policy/exchange.ts";
import { Compiler } from "../../../../src/policy/programs/compiler.ts";

test.each<[JsonValue, string, string]>([
	["text", "fixed", "string"],
	["a ${1 + 1}", "text", "string"],
	["${req.method}", "text", "dyn"],
	[5, "fixed", "int"],
	[1e300, "fixed", "double"],
	[false, "fixed", "bool"],
	[null, "fixed", "dyn"],
	[[1, [2]], "fixed", "list<dyn>"],
	[["${req.method}"], "list", "list<dyn>"],
	[{ a: { b: 1 } }, "fixed", "map<string, dyn>"],
	[{ a: "${req.method}", b: 1 }, "map", "map<string, dyn>"],
])("%j is %s and %s", (json, kind, type) => {
	const compiler = new Compiler();
	const value = preparedValue(json, ["vars", 0, "a"], { phase: "inbound", compiler, problems: [] });
	expect([value.kind, typeOfValue(json, value)]).toEqual([kind, type]);
});

test("a problem tells where in the value it is", () => {
	const problems: { path: readonly PropertyKey[]; code: string; message: string }[] = [];
	const preparing = { phase: "inbound", compiler: new Compiler(), problems } as const;
	preparedValue({ a: ["x", "${nope}"] }, ["vars", 0, "v"], preparing);
	expect(problems.map(({ path }) => path.join("."))).toEqual(["vars.0.v.a.1"]);
});
