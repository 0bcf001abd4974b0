/**
 * The variables of `variables/` as the checker needs them: by name, with their types, and grouped by the beginnings
 * of their names (contract 4, "Variables").
 */
import { RECORD_TABLE } from "../variables/records.ts";
import { pathsOf, VARIABLE_TABLE } from "../variables/table.ts";
import { readType } from "./signatures.ts";
import type { Type } from "./types.ts";

export interface Variable {
	readonly name: string;
	readonly type: Type;
	readonly outboundOnly: boolean;
	/** does it hold what actions have left? */
	readonly isResult: boolean;
}

const NO_RECORDS: ReadonlyMap<string, Type> = new Map();

/** The types of records by name, for signatures and variables. */
export const RECORDS: ReadonlyMap<string, Type> = new Map(
	RECORD_TABLE.map(({ name, fields }): [string, Type] => {
		const types = fields.map((field): [string, Type] => [
			field.name,
			readType(field.type, NO_RECORDS),
		]);
		return [name, { kind: "record", name, fields: new Map(types) }];
	}),
);

export const VARIABLES: ReadonlyMap<string, Variable> = new Map(
	VARIABLE_TABLE.map((definition) => {
		const { name, type, outboundOnly = false } = definition;
		const isResult = pathsOf(definition).includes("results");
		return [name, { name, type: readType(type, RECORDS), outboundOnly, isResult }];
	}),
);

/** Names under which others are grouped, with those directly below: `req.url` has `path`, `query` … */
export const NAMESPACES: ReadonlyMap<string, readonly string[]> = namespaces();

function namespaces(): ReadonlyMap<string, readonly string[]> {
	const table = new Map<string, string[]>();
	for (const name of VARIABLES.keys()) {
		const parts = name.split(".");
		for (let length = 1; length < parts.length; length++) {
			const group = parts.slice(0, length).join(".");
			const members = table.get(group) ?? [];
			const member = parts[length] ?? "";
			if (!members.includes(member)) members.push(member);
			table.set(group, members);
		}
	}
	return table;
}
