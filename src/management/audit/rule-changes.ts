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
	readonly label: RuleLabel;
}

interface Rule {
	readonly name: string;
	readonly position: number;
	readonly content: string;
}

/** @returns undefined if no rule was added, changed or removed: the rules may have another order */
export function ruleChanges(
	before: PolicyDocument | undefined,
	after: PolicyDocument,
): RuleChanges | undefined {
	const all = PHASES.flatMap((phase) => phaseChanges(phase, before?.[phase], after[phase]));
	if (all.length === 0) return undefined;
	const told = all.slice(0, countWithin(LIMITS.auditRulesBytes, all));
	const more = all.length - told.length;
	const labels = (phase: Phase, kind: Kind) =>
		told.filter((each) => each.phase === phase && each.kind === kind).map(({ label }) => label);
	const phases = PHASES.map((phase) => {
		const kinds = KINDS.map((kind) => [kind, labels(phase, kind)] as const);
		return [phase, Object.fromEntries(kinds.filter(([, some]) => some.length > 0))] as const;
	});
	return {
		...Object.fromEntries(phases.filter(([, kinds]) => Object.keys(kinds).length > 0)),
		...(more === 0 ? {} : { more }),
	};
}

/** How many of them, from the first on, have labels of at most so many bytes together, as JSON. */
function countWithin(most: number, changes: readonly RuleChange[]): number {
	let bytes = 0;
	const beyond = changes.findIndex(({ label }) => {
		bytes += Buffer.byteLength(JSON.stringify(label)) + 1;
		return bytes > most;
	});
	return beyond < 0 ? changes.length : beyond;
}

const rulesOf = (rules: PolicyDocument["inbound"] = []): readonly Rule[] =>
	rules.map((rule, position) => ({ name: rule.name, position, content: JSON.stringify(rule) }));

function phaseChanges(
	phase: Phase,
	before: PolicyDocument["inbound"] | undefined,
	after: PolicyDocument["inbound"],
): readonly RuleChange[] {
	const [left, more] = withoutPairs(rulesOf(before), rulesOf(after), ({ content }) => content);
	const keyOf = ({ name, position }: Rule): RuleLabel => (name === "" ? position : name);
	const [removed, added] = withoutPairs(left, more, keyOf);
	const isAdded = new Set(added);
	const told = (kind: Kind, rules: readonly Rule[]) =>
		rules.map(({ name, position }): RuleChange => {
			const label = name === "" ? position : shown(name, LIMITS.auditNameCharacters);
			return { phase, kind, label };
		});
	return [
		...told("added", added),
		...told(
			"changed",
			more.filter((rule) => !isAdded.has(rule)),
		),
		...told("removed", removed),
	];
}

/** Rules of each side that have no partner of the same key on the other; the first of a key are partners. */
function withoutPairs(
	before: readonly Rule[],
	after: readonly Rule[],
	keyOf: (rule: Rule) => RuleLabel,
): readonly [readonly Rule[], readonly Rule[]] {
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
