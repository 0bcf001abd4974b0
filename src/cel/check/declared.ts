/**
 * What the other parts of a document leave for an expression: the fields of `actions` and `vars` with their types, as
 * far as they are known when it is written. `policy/document/left-behind.ts` tells it of each place of a document;
 * `compile.ts` checks an expression against it that reads them. Compiled code does not depend on it, since there they
 * are dyn, so a text and its phase are all that a worker or a thread needs.
 */
import { readType } from "./signatures.ts";
import type { Type } from "./types.ts";
import { RECORDS } from "./variables.ts";

export interface Shape {
	/** types as signatures write them, or fields again */
	readonly fields: ReadonlyMap<string, string | Shape>;
	/** the sentence about a name that is no field */
	absent(field: string): string;
}

/** By the name of the variable. */
export type Declared = Readonly<Record<"actions" | "vars", Shape>>;

/** The types of the variables, for `Scope`. */
export const declaredTypes = (declared: Declared): ReadonlyMap<string, Type> =>
	new Map(Object.entries(declared).map(([name, shape]) => [name, shapeType(name, shape)]));

function shapeType(name: string, shape: Shape): Type {
	const fields = [...shape.fields].map(([field, given]): [string, Type] => [
		field,
		typeof given === "string" ? readType(given, RECORDS) : shapeType(`${name}.${field}`, given),
	]);
	return { kind: "record", name, fields: new Map(fields), absent: (field) => shape.absent(field) };
}
