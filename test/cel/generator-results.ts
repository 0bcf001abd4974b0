/**
 * What actions have left, made at random: which of them ran, with which fields, and the reads of it that generated
 * expressions have. Used by `generator.ts`, `generator-attributes.ts` and, for the names, by the oracle.
 */
import { mapFromStrings } from "../../src/cel/values/entry-map.ts";
import { Results } from "../../src/cel/values/results.ts";
import type { Value } from "../../src/cel/values/value.ts";
import { pick, type Random } from "./generator-random.ts";

type Made = Readonly<Record<string, readonly [type: string, ...values: Value[]]>>;

const ACTIONS: Readonly<Record<string, Made>> = {
	rate_limit: { limited: ["bool", true, false], retry_after: ["int", 0n, 60n] },
	redirect: { url: ["string", "", "https://a/b?x=1"], count: ["int", 0n, 7n] },
	basic_auth: {
		credentials: ["dyn", mapFromStrings(new Map<string, Value>([["username", "ada"]]))],
	},
};
const VARS: Made = { tier: ["string", "", "gold"], limit: ["int", -1n, 5n], flag: ["bool", true] };

/** Fields that there are, by the name that expressions write. */
export const RESULT_FIELDS: readonly (readonly [action: string, fields: readonly string[]])[] =
	Object.entries(ACTIONS).map(([action, made]) => [action, Object.keys(made)]);

/** Reads with the type that they mostly have. */
export const RESULT_READS: readonly { readonly name: string; readonly type: string }[] = [
	...Object.entries(ACTIONS).flatMap(([action, made]) =>
		Object.entries(made).flatMap(([field, [type]]) => [
			{ name: `actions.${action}.${field}`, type },
			{ name: `actions.ngrok.${action}.${field}`, type },
			{ name: `has(actions.${action}.${field})`, type: "bool" },
			{ name: `has(actions.ngrok.${action}.${field})`, type: "bool" },
			{ name: `has(actions.${action})`, type: "bool" },
		]),
	),
	...Object.entries(VARS).flatMap(([field, [type]]) => [
		{ name: `vars.${field}`, type },
		{ name: `has(vars.${field})`, type: "bool" },
	]),
];

/** Undefined: no action has left anything. */
export function resultsOf(random: Random): Results | undefined {
	if (random() < 0.3) return undefined;
	const results = new Results();
	for (const [action, made] of Object.entries(ACTIONS)) {
		if (random() < 0.5) results.ran(action, new Map(fieldsOf(made, random)));
	}
	for (const [name, value] of fieldsOf(VARS, random)) results.assign(name, value, 0);
	return results;
}

const fieldsOf = (made: Made, random: Random): readonly (readonly [string, Value])[] =>
	Object.entries(made).flatMap(([field, [, ...values]]) =>
		random() < 0.7 ? [[field, pick(random, values)] as const] : [],
	);
