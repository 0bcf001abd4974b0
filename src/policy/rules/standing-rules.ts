/**
 * What the front may see to of a phase (native/README.md, "Standing refusals"): its first rules, up to one behind which
 * nothing can be told. A rule whose expressions are false is passed over; one that applies refuses, or lets pass by the
 * client's address, or has to be asked. Called by `runnable-policy.ts`.
 */
import { predicateTest } from "../../cel/compile.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { RunnableAction } from "../actions/action.ts";
import type { StandingRule, StandingStep } from "../exchange.ts";
import type { RunnablePhase, RunnableRule } from "./evaluate.ts";

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
	for (const [index, rule] of phase.rules.entries()) {
		if (index === LIMITS.standingRules) break;
		const actions = rule.reportsOnly ? [] : (phase.actions[index] ?? []);
		const steps = rule.reportsOnly ? [undefined] : stepsOf(rule, actions, outboundEmpty);
		const sources = rule.sources ?? rule.predicates.map(({ source }) => source);
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

const ends = (step: StandingStep | undefined): boolean =>
	step === undefined || step.does.kind === "deny" || step.does.kind === "respond";

function stepsOf(
	rule: RunnableRule,
	actions: readonly RunnableAction[],
	outboundEmpty: boolean,
): readonly (StandingStep | undefined)[] {
	const steps: (StandingStep | undefined)[] = [];
	for (const [at, action] of actions.entries()) {
		const does = action.standing?.();
		const place = rule.steps[at]?.place;
		if (does === undefined || does === "later" || place === undefined) return [...steps, undefined];
		if (does.kind === "respond" && !outboundEmpty) return [...steps, undefined];
		steps.push({ does, place });
		// What it does not refuse has been counted, and is no matter of the front any more.
		if (does.kind === "limited") return [...steps, undefined];
	}
	return steps;
}

const testOf = (source: string, phase: RunnablePhase["phase"]): StandingRule["tests"][number] =>
	predicateTest(source, phase) ?? { kind: "unknown" };
