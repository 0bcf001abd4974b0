/**
 * The stored address lists that a document names, by the actions that ask some. Called by `store/ip-list-uses.ts`, which
 * lets no policy name a list that there is not, and no list be deleted that a policy names.
 */
import { actionOf } from "../actions/table.ts";
import type { PolicyDocument } from "./schema.ts";

export interface NamedList {
	readonly name: string;
	/** where it is named in the document */
	readonly path: readonly PropertyKey[];
}

export function listsNamedIn(document: PolicyDocument): readonly NamedList[] {
	const named: NamedList[] = [];
	for (const phase of ["inbound", "outbound"] as const) {
		for (const [rule, { actions }] of document[phase].entries()) {
			for (const [action, { type, config }] of actions.entries()) {
				const lists = actionOf(type).addressLists?.(config) ?? [];
				const at = [phase, rule, "actions", action, "config"];
				for (const { path, name } of lists) named.push({ name, path: [...at, ...path] });
			}
		}
	}
	return named;
}
