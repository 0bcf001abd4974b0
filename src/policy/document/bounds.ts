/**
 * Bounds on the length of a document's lists (contract 3). `validate.ts` has lists that are too long reported and cut
 * before any other check, so that the cost of checking is bounded whatever a document holds. On the way, fields that
 * are `null` and have a default are left out, as if they were absent (contract 2).
 */
import { z } from "zod";
import { withoutNulls } from "../../documents/nulls.ts";
import type { Finding } from "../../documents/problems.ts";
import { LIMITS } from "../../limits/limits.ts";
import { type ActionType, actionOf, EVERY_TYPE, isActionType } from "../actions/table.ts";
import { isObject, member } from "./members.ts";
import {
	type PolicyDocument,
	type PolicyLimits,
	policySchema,
	type RuleDocument,
	ruleSchema,
} from "./schema.ts";

type Path = readonly PropertyKey[];
type Members = Record<string, unknown>;

/** A copy of the policy within its bounds; values of the wrong type are left for the schema. */
export function withinBounds(policy: unknown, limits: PolicyLimits, found: Finding[]): unknown {
	if (!isObject(policy)) return policy;
	const copy: Members = { ...withoutNulls(policy, policySchema) };
	for (const phase of ["inbound", "outbound"]) {
		replace(copy, phase, (rules) =>
			cut(rules, limits.rulesPerPhase, "rules", [phase], found).map((rule, index) =>
				boundedRule(rule, [phase, index], found),
			),
		);
	}
	replace(copy, "tests", (tests) => cut(tests, LIMITS.policyTests, "tests", ["tests"], found));
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
	// a config that is left out is empty; the schema then names the fields that the action requires
	const config = member(action, "config") ?? {};
	if (!isObject(config)) return action;
	const type = member(action, "type");
	const known = isActionType(type) ? type : undefined;
	const copy: Members = {
		...(known === undefined ? config : withoutNulls(config, actionOf(known).config)),
	};
	for (const name of Object.keys(copy)) {
		const bound = boundOf(known, name);
		if (bound === undefined) continue;
		const { entries, elements } = bound;
		const at = [...path, "config", name];
		const value = member(copy, name);
		if (Array.isArray(value) && elements !== undefined) {
			copy[name] = cut(value, elements, "elements", at, found);
		} else if (isObject(value) && entries !== undefined) {
			const names = Object.keys(value);
			const kept = cut(names, entries, "entries", at, found);
			if (kept !== names) copy[name] = Object.fromEntries(kept.map((key) => [key, value[key]]));
		}
	}
	return { ...action, config: copy };
}

/** Whether nothing of a document that fits the schema would be cut, or told to be too little. */
export function areWithinBounds(
	{ inbound, outbound }: Pick<PolicyDocument, "inbound" | "outbound">,
	{ rulesPerPhase }: PolicyLimits,
): boolean {
	return [inbound, outbound].every(
		(rules) => rules.length <= rulesPerPhase && rules.every(isWithinBounds),
	);
}

function isWithinBounds({ expressions, actions }: RuleDocument): boolean {
	if (expressions.length > LIMITS.expressionsPerRule) return false;
	if (actions.length === 0 || actions.length > LIMITS.actionsPerRule) return false;
	return actions.every(({ type, config }) => isConfigWithinBounds(type, config));
}

function isConfigWithinBounds(type: ActionType, config: object): boolean {
	for (const [name, value] of Object.entries(config)) {
		const { elements, entries } = boundOf(type, name) ?? {};
		const [most, count] = Array.isArray(value)
			? [elements, value.length]
			: [entries, isObject(value) ? Object.keys(value).length : 0];
		if (most !== undefined && count > most) return false;
	}
	return true;
}

/** Where the action has none for the field, that of another action that has such a field. */
const boundOf = (type: ActionType | undefined, name: string): Bound | undefined =>
	(type && BOUNDS.get(type)?.get(name)) ?? EVERY_BOUND.get(name);

/** How much a field of a config may hold: elements of a list, entries of an object. */
interface Bound {
	readonly elements: number | undefined;
	readonly entries: number | undefined;
}

/** The bounds that a config's schema publishes (`maxItems`, `maxProperties`), by the field's name. */
function boundsOf({ shape }: z.ZodObject): ReadonlyMap<string, Bound> {
	const bounds = new Map<string, Bound>();
	for (const [name, field] of Object.entries(shape)) {
		const given = field instanceof z.ZodOptional ? field.unwrap() : field;
		const { maxItems, maxProperties } = (given instanceof z.ZodType && given.meta()) || {};
		const elements = typeof maxItems === "number" ? maxItems : undefined;
		const entries = typeof maxProperties === "number" ? maxProperties : undefined;
		if ((elements ?? entries) !== undefined) bounds.set(name, { elements, entries });
	}
	return bounds;
}

const BOUNDS: ReadonlyMap<ActionType, ReadonlyMap<string, Bound>> = new Map(
	EVERY_TYPE.map((type) => [type, boundsOf(actionOf(type).config)]),
);

/** The bounds of all actions together: a field that belongs to another action is cut too. */
const EVERY_BOUND = new Map([...BOUNDS.values()].flatMap((bounds) => [...bounds]));

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
