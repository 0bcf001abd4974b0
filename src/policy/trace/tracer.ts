/**
 * Writes down what a traced run does, rule by rule. `traced-policy.ts` tells it of expressions and actions, the exchange of
 * what actions change, the limiters of what they would decide.
 */
import type { Phase } from "../../cel/expression.ts";
import type { Place } from "../exchange.ts";
import type { ActionTrace, Effect, ExpressionTrace, RuleTrace } from "./shapes.ts";

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The action that runs. */
interface Running {
	readonly trace: Writable<ActionTrace>;
	readonly config: Readonly<Record<string, unknown>>;
	wouldHave: boolean;
}

export class Tracer {
	readonly #rules: Record<Phase, RuleTrace[]> = { inbound: [], outbound: [] };
	#running: Running | undefined;

	rules(phase: Phase): readonly RuleTrace[] {
		return this.#rules[phase];
	}

	/** Every rule of the phase, before it runs. */
	begin(phase: Phase, rules: readonly RuleTrace[]): void {
		this.#rules[phase] = [...rules];
	}

	#rule({ phase, ruleIndex }: Place): Writable<RuleTrace> | undefined {
		return this.#rules[phase][ruleIndex];
	}

	expression(place: Place, told: Partial<ExpressionTrace>): void {
		const known = this.#rule(place)?.expressions[place.expressionIndex];
		if (known !== undefined) Object.assign(known, told);
	}

	became(place: Place, state: RuleTrace["state"], reason: string): void {
		const rule = this.#rule(place);
		if (rule === undefined) return;
		rule.state = state;
		rule.reason = reason;
	}

	applied(place: Place): void {
		const has = this.#rule(place)?.expressions.length !== 0;
		this.became(place, "applied", has ? "All its expressions are true." : "It has no expressions.");
	}

	/** What is told from here on is about this action. It may be run again: what it told before is forgotten. */
	actionBegins(place: Place, config: Running["config"]): void {
		const trace = this.#rule(place)?.actions[place.actionIndex];
		this.#running = trace && { trace, config, wouldHave: false };
		if (trace !== undefined) trace.effects.length = 0;
	}

	actionEnds(state: ActionTrace["state"]): void {
		const running = this.#running;
		this.#running = undefined;
		if (running === undefined) return;
		running.trace.state = running.wouldHave && state !== "failed" ? "would_have" : state;
	}

	effect(effect: Effect): void {
		this.#running?.trace.effects.push(effect);
	}

	/** The action would have acted, and its rule only reports. */
	wouldHave(): void {
		if (this.#running !== undefined) this.#running.wouldHave = true;
	}

	/** A field of the action that runs, if it is a text. */
	text(field: string): string {
		const value = this.#running?.config[field];
		return typeof value === "string" ? value : "";
	}
}
