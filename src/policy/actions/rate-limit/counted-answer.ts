/**
 * Counts a request once its response is known, if the limit's `count` says so (contract 5): failed logins, say. Left
 * with the exchange by `weighed-run.ts`, run by the edge.
 */
import {
	EvaluationFailure,
	isSuspension,
	type Predicate,
	type Settled,
	type Suspension,
} from "../../../cel/expression.ts";
import type { KeyPart, RateLimiter } from "../../admission.ts";
import type { AnswerTask, Place, PolicyExchange } from "../../exchange.ts";

export class CountedAnswer implements AnswerTask {
	readonly #limiter: RateLimiter;
	readonly #key: readonly KeyPart[];
	readonly #cost: number;
	readonly #predicate: Predicate;
	readonly #place: Place;

	constructor(
		limiter: RateLimiter,
		key: readonly KeyPart[],
		cost: number,
		predicate: Predicate,
		place: Place,
	) {
		this.#limiter = limiter;
		this.#key = key;
		this.#cost = cost;
		this.#predicate = predicate;
		this.#place = place;
	}

	/** An expression that fails counts: what can't be judged must not be free. */
	run(exchange: PolicyExchange, settled?: Settled): Suspension | undefined {
		const counts = this.#predicate.evaluate(exchange, settled);
		if (isSuspension(counts)) return counts;
		if (counts instanceof EvaluationFailure) exchange.expressionFailed(this.#place, counts.message);
		if (counts !== false) this.#limiter.decide("force", this.#cost, this.#key);
		return undefined;
	}
}
