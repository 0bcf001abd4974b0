/**
 * Bounds on the number of things in a document (contract 3). Lists that are too long are reported and cut before
 * anything else looks at them, so that a document of any content costs a bounded amount of checking. On the way
 * fields that are `null` and have a default are left out, as if they were absent (contract 2).
 */

import { withoutNulls } from "../../documents/nulls.ts";
import type { Finding } from "../../documents/problems.ts";
import { LIMITS } from "../../limits/limits.ts";
import { isObject, member } from "../actions/action.ts";
import { isActionType } from "../actions/table.ts";
import { ACTION_SCHEMAS, type PolicyLimits, policySchema, ruleSchema } from "./schema.ts";

type Path = readonly PropertyKey[];
type Members = Record<string, unknown>;

/** A copy of `module` within its bounds; what has the wrong type is left for the schema. */
export function withinBounds(module: unknown, limits: PolicyLimits, found: Finding[]): unknown {
	if (!isObject(module)) return module;
	const copy: Members = { ...withoutNulls(module, policySchema) };
	for (const phase of ["inbound", "outbound"]) {
		replace(copy, phase, (rules) =>
			cut(rules, limits.rulesPerPhase, "rules", [phase], found).map((rule, index) =>
				boundedRule(rule, [phase, index], found),
			),
		);
	}
	return copy;
}

function boundedRule(rule: unknown, path: Path, found: Finding[]): unknown {
	if (!isObject(rule)) return rule;
	const copy: Members = { ...withoutNulls(rule, ruleSchema) };
	replace(copy, "expressions", (expressions) =>
		cut(expressions, LIMITS.expressionsPerRule, "expressions", [...path, "expressions"], found),
	);
	replace(copy, "actions", (actions) => {
		const at = [...path, "actions"];
		if (actions.length === 0) {
			found.push({ path: at, code: "too_small", message: "needs at least one action" });
		}
		return cut(actions, LIMITS.actionsPerRule, "actions", at, found).map((action, index) =>
			boundedAction(action, [...at, index], found),
		);
	});
	return copy;
}

function boundedAction(action: unknown, path: Path, found: Finding[]): unknown {
	if (!isObject(action)) return action;
	// omitted means empty; the schema then names the fields that the action can't do without
	const config = member(action, "config") ?? {};
	if (!isObject(config)) return action;
	const type = member(action, "type");
	const copy: Members = {
		...(isActionType(type) ? withoutNulls(config, ACTION_SCHEMAS[type]) : config),
	};
	const at = [...path, "config"];
	replace(copy, "bucket_key", (elements) =>
		cut(elements, LIMITS.bucketKeyElements, "elements", [...at, "bucket_key"], found),
	);
	for (const name of ["headers", "metadata"]) {
		const entries = member(copy, name);
		if (!isObject(entries)) continue;
		const names = Object.keys(entries);
		const kept = cut(names, LIMITS.headersPerAction, "entries", [...at, name], found);
		if (kept !== names) copy[name] = Object.fromEntries(kept.map((key) => [key, entries[key]]));
	}
	return { ...action, config: copy };
}

function replace(
	owner: Members,
	name: string,
	change: (list: readonly unknown[]) => unknown,
): void {
	const list = member(owner, name);
	if (Array.isArray(list)) owner[name] = change(list);
}

function cut<T>(
	list: readonly T[],
	most: number,
	noun: string,
	path: Path,
	found: Finding[],
): readonly T[] {
	if (list.length <= most) return list;
	const message = `must have at most ${most} ${noun}, has ${list.length}`;
	found.push({ path, code: "too_big", message });
	return list.slice(0, most);
}
