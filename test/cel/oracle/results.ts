/**
 * What actions have left, as the library's values: the second implementation of `actions` and `vars`. A field of an action
 * that has not run is no field, and reading it is an error. Used by `variables.ts`.
 */
import { type CelInput, celError, celMap } from "@bufbuild/cel";
import type { Attributes } from "../../../src/cel/attributes.ts";
import { type Value, ValueMap } from "../../../src/cel/values/value.ts";
import { RESULT_FIELDS } from "../generator-results.ts";

type Entries = Map<string, CelInput>;

function inputOf(value: Value | undefined): CelInput {
	if (value instanceof ValueMap) return celMap(entriesIn(value));
	if (typeof value === "bigint" || typeof value === "string" || typeof value === "boolean")
		return value;
	throw new Error("the tests leave no such value");
}

const entriesIn = (map: ValueMap | undefined): Entries =>
	new Map((map?.keys() ?? []).map((key) => [String(key), inputOf(map?.get(key))]));

const held = (map: Value | undefined): ValueMap | undefined =>
	map instanceof ValueMap ? map : undefined;

const ran = (a: Attributes, action: string): ValueMap | undefined =>
	a.results?.actions.has(action) === true ? held(a.results.actions.get(action)) : undefined;

type Read = (attributes: Attributes) => CelInput;

const missing = (what: string) => celError(new Error(`no ${what}`)) as unknown as CelInput;

const rowsOf = (prefix: string): readonly (readonly [name: string, read: Read])[] =>
	RESULT_FIELDS.flatMap(([action, fields]) => [
		[`${prefix}.${action}`, (a: Attributes) => celMap(entriesIn(ran(a, action)))] as const,
		...fields.map(
			(field) =>
				[
					`${prefix}.${action}.${field}`,
					(a: Attributes) => {
						const result = ran(a, action);
						return result?.has(field) === true ? inputOf(result.get(field)) : missing(field);
					},
				] as const,
		),
	]);

export const RESULT_ROWS: readonly (readonly [name: string, read: Read])[] = [
	["actions", (a) => celMap(entriesIn(a.results?.actions))],
	["actions.ngrok", (a) => celMap(entriesIn(a.results?.actions))],
	...rowsOf("actions"),
	...rowsOf("actions.ngrok"),
	["vars", (a) => celMap(entriesIn(a.results?.vars))],
];
