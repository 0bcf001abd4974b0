/**
 * What the front may see to of a phase (native/README.md, "Standing refusals"): its first rules, up to one behind which
 * nothing can be told. A rule whose expressions are false is passed over; one that applies refuses, or lets pass by the
 * client's address, or has to be asked. Called by `runnable-policy.ts`.
 */
import { predicateTest } from "../../cel/compile.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { RunnableAction } from "../actions/action.ts";
import type { StandingRule, StandingStep } from "../exchange.ts";
import type { RunnablePhase } from "./evaluate.ts";
import type { PhaseRules } from "./phase-rules.ts";
import { actionAt, actionsIn, nextStart, type RuleRow } from "./rule-row.ts";

/**
 * A rate-limit that no request has met yet can't be told, but may be later.
 * @param outboundEmpty else outbound rules see answers of custom-responses
 * @returns undefined if nothing can be told, now or later
 */
export function standingRules(
	phase: RunnablePhase,
	outboundEmpty: boolean,
): readonly StandingRule[] | undefined {
	const standing: StandingRule[] = [];
	let refuses = false;
	let characters = 0;
	const { rules, row } = phase;
	const count = Math.min(rules.length, LIMITS.standingRules);
	for (let index = 0, start = 0; index < count; index++, start = nextStart(row, start)) {
		const actions = rules.reportsOnly(index) ? [] : actionsOf(row, start);
		const steps = rules.reportsOnly(index)
			? [undefined]
			: stepsOf(rules, index, actions, outboundEmpty);
		const sources = rules.sourcesOf(index);
		for (const { length } of sources) characters += length;
		// They are compiled between requests.
		if (characters > LIMITS.standingSourceCharacters) break;
		const tests = sources.map((source) => testOf(source, phase.phase));
		standing.push({ index, tests, steps });
		refuses ||= steps[0] !== undefined || actions[0]?.standing?.() === "later";
		// Every request that comes so far has to be asked about, or is refused.
		const isEnd = tests.length === 0 && steps.some(ends);
		if (isEnd || tests[0]?.kind === "unknown") break;
	}
	return refuses ? standing : undefined;
}

const actionsOf = (row: RuleRow, start: number): readonly RunnableAction[] => {
	const [begin, end] = [actionsIn(row, start), nextStart(row, start)];
	return Array.from({ length: end - begin }, (_, at) => actionAt(row, begin + at));
};

const ends = (step: StandingStep | undefined): boolean =>
	step === undefined || step.does.kind === "deny" || step.does.kind === "respond";

function stepsOf(
	rules: PhaseRules,
	rule: number,
	actions: readonly RunnableAction[],
	outboundEmpty: boolean,
): readonly (StandingStep | undefined)[] {
	const steps: (StandingStep | undefined)[] = [];
	for (const [at, action] of actions.entries()) {
		const does = action.standing?.();
		if (does === undefined || does === "later") return [...steps, undefined];
		if (does.kind === "respond" && !outboundEmpty) return [...steps, undefined];
		steps.push({ does, place: rules.actionPlace(rule, at) });
		// What it does not refuse has been counted, and is no matter of the front any more.
		if (does.kind === "limited") return [...steps, undefined];
	}
	return steps;
}

const testOf = (source: string, phase: RunnablePhase["phase"]): StandingRule["tests"][number] =>
	predicateTest(source, phase) ?? { kind: "unknown" };
