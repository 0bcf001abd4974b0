/** What actions have left is read as `actions` and `vars`; what has not run looks empty and fails a read. */
import { expect, test } from "vitest";
import { ActionResults, NOTHING_RAN, Results } from "../../../src/cel/values/results.ts";
import { ATTRIBUTES } from "../attributes.ts";
import { resultOf } from "../sources.ts";

function left(): Results {
	const results = new Results();
	results.ran("rate_limit", new Map([["limited", true]]));
	results.assign("tier", "gold", 4);
	results.assign("limit", 5n, 8);
	return results;
}

const readOf = (source: string, results?: Results) => resultOf(source, { ...ATTRIBUTES, results });

test.each([
	["actions.rate_limit.limited", "bool true"],
	["actions.ngrok.rate_limit.limited", "bool true"],
	["has(actions.rate_limit)", "bool true"],
	["has(actions.rate_limit.limited)", "bool true"],
	["has(actions.rate_limit.other)", "bool false"],
	["has(actions.basic_auth.credentials)", "bool false"],
	["has(actions.ngrok.basic_auth)", "bool false"],
	["actions.?basic_auth.?x.orValue(1)", "int 1"],
	["size(actions)", "int 1"],
	["vars.tier == 'gold' && vars.limit > 4", "bool true"],
	["has(vars.nobody)", "bool false"],
	["vars.nobody", 'failure: no such key: "nobody"'],
	["[1, 2].exists(i, i == vars.limit) || has(vars.tier)", "bool true"],
])("%s is %s", (source, value) => {
	expect(readOf(source, left())).toBe(value);
});

test("a read of what has not run fails with a sentence, and has() is false", () => {
	expect(readOf("actions.basic_auth.credentials")).toBe(
		"failure: actions.basic_auth says nothing: no such action has run for this request",
	);
	expect(readOf("has(actions.basic_auth.credentials)")).toBe("bool false");
	expect(readOf("has(vars.x)")).toBe("bool false");
	expect([NOTHING_RAN.get(5n), NOTHING_RAN.has(5n), NOTHING_RAN.size]).toEqual([
		undefined,
		false,
		0,
	]);
});

test("the last run counts, and a value that was seen stays as it was", () => {
	const results = left();
	const [actions, vars] = [results.actions, results.vars];
	results.ran("rate_limit", new Map([["limited", false]]));
	results.assign("tier", "basic", 5);
	expect(readOf("actions.rate_limit.limited", results)).toBe("bool false");
	expect(actions).not.toBe(results.actions);
	expect([vars.get("tier"), results.vars.get("tier")]).toEqual(["gold", "basic"]);
	expect(actions).toBeInstanceOf(ActionResults);
});

test("a copy takes changes of its own, and bytes are those of the other variables", () => {
	const results = left();
	const copy = results.copy();
	copy.assign("more", 1n, 8);
	expect([results.vars.has("more"), copy.vars.has("more"), copy.vars.has("tier")]).toEqual([
		false,
		true,
		true,
	]);
	expect(results.bytesBeside("limit")).toBe("tier".length + 4);
});
