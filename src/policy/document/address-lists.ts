/**
 * The stored address lists that a document names, by the actions that ask some. Called by `store/ip-list-uses.ts`, which
 * lets no policy name a list that there is not, and no list be deleted that a policy names, and by `validate.ts`, which
 * knows where each name stood in what was submitted.
 */
import { pointerTo } from "../../documents/json-position.ts";
import { actionOf } from "../actions/table.ts";
import type { PolicyDocument } from "./schema.ts";

export interface NamedList {
	readonly name: string;
	/** JSON pointer to where it is named */
	readonly pointer: string;
}

/** @param placed the place, as submitted, of a place in the document */
export function listsNamedIn(
	document: PolicyDocument,
	placed: (path: readonly PropertyKey[]) => readonly PropertyKey[] = (path) => path,
): readonly NamedList[] {
	if (!mayName(document.inbound) && !mayName(document.outbound)) return NONE;
	const named: NamedList[] = [];
	for (const phase of ["inbound", "outbound"] as const) {
		for (const [rule, { actions }] of document[phase].entries()) {
			for (const [action, { type, config }] of actions.entries()) {
				const lists = actionOf(type).addressLists?.(config) ?? [];
				const at = [phase, rule, "actions", action, "config"];
				for (const { path, name } of lists)
					named.push({ name, pointer: pointerTo(placed([...at, ...path])) });
			}
		}
	}
	return named;
}

const NONE: readonly NamedList[] = [];

/** Most policies name none, and every write of one asks several times. */
function mayName(rules: PolicyDocument["inbound"]): boolean {
	for (const { actions } of rules)
		for (const { type } of actions) if (actionOf(type).addressLists !== undefined) return true;
	return false;
}
