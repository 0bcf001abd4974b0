/**
 * Which rules a PUT of a policy added, changed and removed (contract 2, "Audit"). A rule goes by its name, one without
 * a name by its position. Called by `audit-line.ts`.
 *
 * A rule that is the same in both documents, wherever it stands, is neither. Of those that are left over, one that has
 * the name (or, without a name, the position) of another has changed; the rest were added or removed.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { PolicyDocument } from "../../policy/document/schema.ts";
import { shown } from "./shown.ts";

/** A name, or a position counted from 0: of a removed rule in the old document, else in the new one. */
type RuleLabel = string | number;

const KINDS = ["added", "changed", "removed"] as const;
const PHASES = ["inbound", "outbound"] as const;

type Phase = (typeof PHASES)[number];
type Kind = (typeof KINDS)[number];

export interface RuleChanges
	extends Partial<Record<Phase, Partial<Record<Kind, readonly RuleLabel[]>>>> {
	/** how many more there are than fit into a line */
	readonly more?: number;
}

interface RuleChange {
	readonly phase: Phase;
	readonly kind: Kind;
	readonly rule: Rule;
}

type DocumentRules = PolicyDocument["inbound"];

interface Rule {
	readonly name: string;
	readonly position: number;
	readonly content: DocumentRules[number];
}

/** @returns undefined if no rule was added, changed or removed: the rules may have another order */
export function ruleChanges(
	before: PolicyDocument | undefined,
	after: PolicyDocument,
): RuleChanges | undefined {
	const all = PHASES.flatMap((phase) => phaseChanges(phase, before?.[phase] ?? [], after[phase]));
	if (all.length === 0) return undefined;
	const changes: Partial<Record<Phase, Partial<Record<Kind, RuleLabel[]>>>> = {};
	let bytes = 0;
	for (const [told, { phase, kind, rule }] of all.entries()) {
		const label = labelOf(rule);
		bytes += Buffer.byteLength(JSON.stringify(label)) + 1;
		if (bytes > LIMITS.auditRulesBytes) return { ...changes, more: all.length - told };
		changes[phase] ??= {};
		changes[phase][kind] ??= [];
		changes[phase][kind].push(label);
	}
	return changes;
}

const labelOf = ({ name, position }: Rule): RuleLabel =>
	name === "" ? position : shown(name, LIMITS.auditNameCharacters);

function phaseChanges(
	phase: Phase,
	before: DocumentRules,
	after: DocumentRules,
): readonly RuleChange[] {
	const [old, now] = edited(before, after);
	if (old.length + now.length === 0) return NO_CHANGES;
	const [left, more] =
		old.length * now.length <= FEW_PAIRS
			? withoutSame(old, now)
			: withoutPairs(old, now, ({ content }) => JSON.stringify(content));
	const keyOf = ({ name, position }: Rule): RuleLabel => (name === "" ? position : name);
	const [removed, added] = withoutPairs(left, more, keyOf);
	const isAdded = new Set(added);
	const changed = more.filter((rule) => !isAdded.has(rule));
	const told = (kind: Kind, rules: readonly Rule[]) =>
		rules.map((rule): RuleChange => ({ phase, kind, rule }));
	return [...told("added", added), ...told("changed", changed), ...told("removed", removed)];
}

/** Without the rules that both begin and end with, which is most of them where somebody edits a long policy. */
function edited(
	before: DocumentRules,
	after: DocumentRules,
): readonly [readonly Rule[], readonly Rule[]] {
	const most = Math.min(before.length, after.length);
	let start = 0;
	while (start < most && isSame(before[start], after[start])) start++;
	let end = 0;
	while (end < most - start && isSame(before.at(-1 - end), after.at(-1 - end))) end++;
	const between = (rules: DocumentRules) =>
		rules
			.slice(start, rules.length - end)
			.map((rule, index): Rule => ({ name: rule.name, position: start + index, content: rule }));
	return [between(before), between(after)];
}

/** Whether two values of JSON are the same; quicker than to write both. */
function isSame(one: unknown, other: unknown): boolean {
	if (one === other) return true;
	if (!isTree(one) || !isTree(other) || Array.isArray(one) !== Array.isArray(other)) return false;
	const keys = Object.keys(one);
	if (keys.length !== Object.keys(other).length) return false;
	for (const key of keys)
		if (!Object.hasOwn(other, key) || !isSame(one[key], other[key])) return false;
	return true;
}

const isTree = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === "object" && value !== null;

const NO_CHANGES: readonly RuleChange[] = [];

/** Pairs of rules up to which each is compared with each, which most often ends with their names. */
const FEW_PAIRS = 64;

/** As `withoutPairs` by what the rules say. */
function withoutSame(
	before: readonly Rule[],
	after: readonly Rule[],
): readonly [readonly Rule[], readonly Rule[]] {
	const left = [...before];
	const unpaired = after.filter(({ content }) => {
		const partner = left.findIndex((rule) => isSame(rule.content, content));
		if (partner >= 0) left.splice(partner, 1);
		return partner < 0;
	});
	return [left, unpaired];
}

/** Rules of each side that have no partner of the same key on the other; the first of a key are partners. */
function withoutPairs(
	before: readonly Rule[],
	after: readonly Rule[],
	keyOf: (rule: Rule) => RuleLabel,
): readonly [readonly Rule[], readonly Rule[]] {
	if (before.length === 0 || after.length === 0) return [before, after];
	const waiting = new Map<RuleLabel, Rule[]>();
	for (const rule of before) {
		const key = keyOf(rule);
		const same = waiting.get(key);
		if (same === undefined) waiting.set(key, [rule]);
		else same.push(rule);
	}
	const partners = new Set<Rule>();
	const unpaired = after.filter((rule) => {
		const partner = waiting.get(keyOf(rule))?.shift();
		if (partner === undefined) return true;
		partners.add(partner);
		return false;
	});
	return [before.filter((rule) => !partners.has(rule)), unpaired];
}
