/**
 * The expressions of one rule, each wrapped so that it notes its value. An expression that decides that the rule does not
 * apply has those behind it evaluated as well, for whoever reads. Made by `traced-policy.ts`.
 */
import {
	EvaluationFailure,
	isSuspension,
	type Phase,
	type Predicate,
	type Settled,
	type Suspension,
} from "../../cel/expression.ts";
import { type TracedPart, traceExpression } from "../../cel/trace/trace.ts";
import type { Place } from "../exchange.ts";
import type { ExpressionTrace, TracedPartShape } from "./shapes.ts";
import type { Tracer } from "./tracer.ts";

interface RuleOptions {
	readonly tracer: Tracer;
	readonly phase: Phase;
	readonly predicates: readonly Predicate[];
	readonly wantsParts: (place: Place) => boolean;
	readonly goesOn: () => boolean;
}

type Value = boolean | EvaluationFailure | Suspension;
/** What predicates are given here is the exchange. */
type Given = Parameters<Predicate["evaluate"]>[0];

export class TracedRule {
	readonly #options: RuleOptions;

	constructor(options: RuleOptions) {
		this.#options = options;
	}

	/** @param places of the expressions, in their order */
	predicates(places: readonly Place[]): readonly Predicate[] {
		return this.#options.predicates.map((predicate, at) => {
			const { source, constant, isSteady, canFail, guards } = predicate;
			const evaluate = (exchange: Given, settled?: Settled): Value => {
				const value = predicate.evaluate(exchange, settled);
				if (!isSuspension(value)) this.#note(exchange, places, at, value);
				return value;
			};
			return { source, constant, isSteady, canFail, guards, evaluate };
		});
	}

	#note(
		exchange: Given,
		places: readonly Place[],
		at: number,
		value: boolean | EvaluationFailure,
	): void {
		const { tracer } = this.#options;
		const place = places[at];
		if (place === undefined) return;
		const decided = value !== true;
		tracer.expression(place, { ...told(value), asked: true, decided });
		this.#noteParts(exchange, place);
		if (!decided) return;
		const failed = value instanceof EvaluationFailure;
		const number = places.length === 1 ? "Its expression" : `Its expression ${at + 1}`;
		const why = failed ? `${number} failed: ${value.message}.` : `${number} is false.`;
		tracer.became(place, failed ? "failed" : "skipped", why);
		this.#noteRest(exchange, places.slice(at + 1));
	}

	#noteRest(exchange: Given, places: readonly Place[]): void {
		const { tracer, predicates } = this.#options;
		for (const place of places) {
			const value = predicates[place.expressionIndex]?.evaluate(exchange);
			if (value === undefined || isSuspension(value)) continue;
			tracer.expression(place, told(value));
			this.#noteParts(exchange, place);
		}
	}

	#noteParts(exchange: Given, place: Place): void {
		const { tracer, predicates, wantsParts, goesOn, phase } = this.#options;
		const source = predicates[place.expressionIndex]?.source;
		if (source === undefined || !wantsParts(place)) return;
		const traced = traceExpression(source, phase, exchange, goesOn);
		if (traced === undefined) return;
		// the first part is the whole
		const parts = traced.parts.slice(1).map(shape);
		tracer.expression(place, { parts, more_parts: traced.more });
	}
}

function told(value: boolean | EvaluationFailure): Partial<ExpressionTrace> {
	if (value instanceof EvaluationFailure) return { state: "failed", message: value.message };
	return { state: value ? "true" : "false" };
}

const shape = ({ value, reads, from, to, depth, ...part }: TracedPart): TracedPartShape => ({
	...part,
	depth: depth - 1,
	value: value ?? null,
	reads: reads ?? null,
});
