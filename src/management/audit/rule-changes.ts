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

type PhaseChanges = Partial<Record<(typeof KINDS)[number], RuleLabel[]>>;

export interface RuleChanges extends Partial<Record<(typeof PHASES)[number], PhaseChanges>> {
	/** how many more there are than fit into a line */
	readonly more?: number;
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
	const changes: RuleChanges & { more?: number } = {};
	let bytes = 0;
	let more = 0;
	for (const phase of PHASES) {
		const found = phaseChanges(rulesOf(before?.[phase]), rulesOf(after[phase]));
		for (const kind of KINDS) {
			for (const { name, position } of found[kind]) {
				const label = name === "" ? position : shown(name, LIMITS.auditNameCharacters);
				bytes += Buffer.byteLength(JSON.stringify(label)) + 1;
				if (bytes > LIMITS.auditRulesBytes) {
					more += 1;
					continue;
				}
				const ofPhase = (changes[phase] ??= {});
				(ofPhase[kind] ??= []).push(label);
			}
		}
	}
	if (more > 0) changes.more = more;
	return Object.keys(changes).length === 0 ? undefined : changes;
}

const rulesOf = (rules: PolicyDocument["inbound"] = []): readonly Rule[] =>
	rules.map((rule, position) => ({ name: rule.name, position, content: JSON.stringify(rule) }));

function phaseChanges(before: readonly Rule[], after: readonly Rule[]) {
	const [left, more] = withoutPairs(before, after, ({ content }) => content);
	const nameOf = ({ name, position }: Rule): RuleLabel => (name === "" ? position : name);
	const [removed, added] = withoutPairs(left, more, nameOf);
	const isNew = new Set(added);
	return { added, changed: more.filter((rule) => !isNew.has(rule)), removed };
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
