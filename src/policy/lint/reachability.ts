/**
 * Finds rules that can never apply because an earlier one always ends the phase first (contract 3 "Lint"). Only two
 * cases are certain: a rule that always applies and ends the phase, and one whose expressions a later rule repeats.
 * Asked by `lint.ts`.
 */
import type { Phase } from "../../cel/expression.ts";
import type { PolicyDocument, RuleDocument } from "../document/schema.ts";
import type { Compiler } from "../programs/compiler.ts";

import { endsPhase, mayChangeAny, mayRespond, refuses } from "./rule-effects.ts";

/** index of a rule → why it is never reached */
export type Unreachable = ReadonlyMap<number, string>;

export function unreachableRules(
	document: PolicyDocument,
	compiler: Compiler,
): Readonly<Record<Phase, Unreachable>> {
	const inbound = within(document.inbound, "inbound", compiler);
	const outbound = new Map(within(document.outbound, "outbound", compiler));
	// a refusal is not followed by outbound rules, so a rule that refuses every request leaves nothing to them
	const denies = document.inbound.findIndex(
		(rule, index) =>
			!inbound.has(index) && refuses(rule) && alwaysApplies(rule, "inbound", compiler),
	);
	if (denies >= 0 && !document.inbound.slice(0, denies).some(mayRespond)) {
		const reason = `is never reached: inbound rule ${denies} denies every request`;
		for (const index of document.outbound.keys()) outbound.set(index, reason);
	}
	return { inbound, outbound };
}

const alwaysApplies = (rule: RuleDocument, phase: Phase, compiler: Compiler): boolean =>
	conditions(rule, phase, compiler).length === 0;

/** The rule's expressions but for those that are always true. */
function conditions(rule: RuleDocument, phase: Phase, compiler: Compiler): readonly string[] {
	return rule.expressions.filter((source) => {
		const compiled = compiler.predicate(source, phase);
		return !compiled.ok || compiled.value.constant !== true;
	});
}

/** May two readings in one phase differ? Then the expression is never the same as another one. */
function isUnsteady(source: string, phase: Phase, compiler: Compiler): boolean {
	const compiled = compiler.predicate(source, phase);
	return compiled.ok && !compiled.value.isSteady;
}

function within(rules: readonly RuleDocument[], phase: Phase, compiler: Compiler): Unreachable {
	const unreachable = new Map<number, string>();
	/** conditions of earlier rules that end the phase; forgotten where a rule between may change what they ask */
	let ended: { readonly index: number; readonly sources: readonly string[] }[] = [];
	for (const [index, rule] of rules.entries()) {
		const own = new Set(conditions(rule, phase, compiler));
		const earlier = ended.find(({ sources }) => sources.every((source) => own.has(source)));
		if (earlier !== undefined) {
			const when = earlier.sources.length === 0 ? "every exchange" : "the same exchanges";
			unreachable.set(index, `is never reached: rule ${earlier.index} ends ${when} before it`);
			continue;
		}
		if (mayChangeAny(rule)) {
			ended = ended.filter(({ sources }) => sources.length === 0);
		}
		if (!endsPhase(rule)) continue;
		const sources = [...own];
		if (!sources.some((source) => isUnsteady(source, phase, compiler))) {
			ended.push({ index, sources });
		}
	}
	return unreachable;
}
