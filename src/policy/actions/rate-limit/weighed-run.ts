/**
 * Runs a rate-limit that has more than plain elements: expressions in its key, a cost, header fields, an answer of its
 * own, a count after the response, results that expressions read. All of it comes out of one decision of the counters.
 * Made by `rate-limit.ts`, one object for each rate-limit of a policy.
 */
import {
	EvaluationFailure,
	isSuspension,
	type Settled,
	type Suspension,
} from "../../../cel/expression.ts";
import type { Value } from "../../../cel/values/value.ts";
import { LIMITS } from "../../../limits/limits.ts";
import type { KeyPart, LimitTap } from "../../admission.ts";
import type { LimitAnswer, Outcome, Place, PolicyExchange } from "../../exchange.ts";
import { CONTINUE, EXPRESSION_FAILED, FAILED, failedBy } from "../../outcomes.ts";
import type { ActionContext, RunnableAction } from "../action.ts";
import { rendered } from "../rendered.ts";
import { isRead, leave } from "../results.ts";
import { readKey } from "./bucket-key.ts";
import { CountedAnswer } from "./counted-answer.ts";
import { type Limit, rejectionType } from "./limit.ts";
import { OpenedLimiter } from "./opened-limiter.ts";
import { prefixOf, retryAfterSeconds } from "./run.ts";
import { tell } from "./told.ts";
import { typedPart } from "./typed-part.ts";

/** What a request's decision came to. */
interface Decision {
	readonly waitMs: number;
	readonly remaining: number;
	/** 0 if it was admitted */
	readonly retryAfterSeconds: number;
	readonly freesMs: number;
}

export class WeighedRateLimit implements RunnableAction {
	readonly #limit: Limit;
	readonly #place: Place;
	readonly #ipv6Prefix: number;
	readonly #opened: OpenedLimiter;
	readonly #isRead: boolean;
	readonly #hasExpressions: boolean;

	constructor(limit: Limit, context: ActionContext) {
		this.#limit = limit;
		this.#place = context.place;
		this.#ipv6Prefix = prefixOf(limit, context);
		this.#opened = new OpenedLimiter(limit, context);
		this.#isRead = isRead("rate-limit", context);
		this.#hasExpressions = limit.elements.some(({ kind }) => kind === "expression");
	}

	/** Must a limit be run by this class? */
	static isNeeded(limit: Limit, context: ActionContext): boolean {
		return (
			limit.cost !== 1 ||
			limit.counted !== undefined ||
			limit.told !== "none" ||
			limit.rejection !== undefined ||
			limit.elements.some(({ kind }) => kind === "expression") ||
			isRead("rate-limit", context)
		);
	}

	run(exchange: PolicyExchange, settled?: Settled): Outcome | Suspension {
		const limit = this.#limit;
		const key: KeyPart[] = limit.elements.map(() => undefined);
		readKey(limit.elements, exchange, this.#ipv6Prefix, key);
		const values = this.#hasExpressions ? this.#evaluate(key, exchange, settled) : NONE;
		if (!Array.isArray(values)) return values as Outcome | Suspension;
		const cost = this.#cost(exchange, settled);
		if (typeof cost !== "number") return cost;
		const decision = this.#decide(key, cost, exchange.limitTap);
		// Before anything is told or kept: this may be run again, and so far nothing was counted.
		const answer = decision.waitMs > 0 ? this.#answer(exchange, settled) : undefined;
		if (answer !== undefined && "outcome" in answer) {
			const { outcome } = answer;
			if (!isSuspension(outcome))
				exchange.limitExceeded(this.#place, limit.name, decision.waitMs, limit.enforce);
			return outcome;
		}
		if (this.#isRead) this.#leave(exchange, decision, key, values);
		if (limit.enforce && exchange.report === undefined) {
			const { remaining, freesMs, waitMs } = decision;
			const afterSeconds = decision.retryAfterSeconds || Math.ceil(freesMs / SECOND_MS);
			tell(limit, { remaining, afterSeconds, isOver: waitMs > 0 }, exchange);
		}
		if (decision.waitMs === 0) {
			this.#countLater(exchange, key, cost);
			return CONTINUE;
		}
		exchange.limitExceeded(this.#place, limit.name, decision.waitMs, limit.enforce);
		if (!limit.enforce) {
			exchange.wouldHave(this.#place, "rate-limit");
			this.#countLater(exchange, key, cost);
			return CONTINUE;
		}
		return { kind: "limited", retryAfterSeconds: decision.retryAfterSeconds, answer };
	}

	close(): void {
		this.#opened.close();
	}

	/** Fills in the parts of expressions. @returns the values by element; what `run` returns, if one failed or waits */
	#evaluate(
		key: KeyPart[],
		exchange: PolicyExchange,
		settled: Settled | undefined,
	): readonly (Value | undefined)[] | Outcome | Suspension {
		const values: (Value | undefined)[] = [];
		for (const [index, element] of this.#limit.elements.entries()) {
			if (element.kind !== "expression") continue;
			const value = element.value.evaluate(exchange, settled);
			if (isSuspension(value)) return value;
			if (value instanceof EvaluationFailure) {
				exchange.expressionFailed(this.#place, value.message);
				return failedBy(value);
			}
			const part = typedPart(value);
			if (part === undefined || part.length > LIMITS.keyPartCharacters) {
				const message = `${element.source} yields what can't be part of a key: ${part === undefined ? "null, bytes, a time or a type" : `more than ${LIMITS.keyPartCharacters} characters`}`;
				exchange.expressionFailed(this.#place, message);
				return FAILED;
			}
			key[index] = part;
			values[index] = value;
		}
		return values;
	}

	/** Out of its bounds it fails whatever `expression_errors` says: a client must not get past a limit by its cost. */
	#cost(exchange: PolicyExchange, settled: Settled | undefined): number | Outcome | Suspension {
		const { cost, capacity } = this.#limit;
		if (typeof cost === "number") return cost;
		const value = cost.value.evaluate(exchange, settled);
		if (isSuspension(value)) return value;
		if (value instanceof EvaluationFailure) {
			exchange.expressionFailed(this.#place, value.message);
			return failedBy(value);
		}
		if (typeof value === "bigint" && value >= 0n && value <= BigInt(capacity)) return Number(value);
		const what = typeof value === "bigint" ? `a cost of ${value}` : "a cost that is no int";
		exchange.expressionFailed(this.#place, `${what}; it must be 0 to the capacity, ${capacity}`);
		return FAILED;
	}

	#decide(key: readonly KeyPart[], cost: number, tap: LimitTap | undefined): Decision {
		const limiter = this.#opened.get(tap);
		const purpose = cost === 0 ? "look" : this.#limit.counted === undefined ? "charge" : "ask";
		const waitMs = limiter.decide(purpose, Math.max(cost, 1), key);
		const { remaining, freesMs } = limiter.room;
		if (waitMs === 0 && purpose === "ask") return this.#asIfCharged(cost, remaining, freesMs);
		if (waitMs === 0 || cost === 0) return { waitMs: 0, remaining, retryAfterSeconds: 0, freesMs };
		const seconds = retryAfterSeconds(waitMs, this.#limit.windowMs);
		return { waitMs, remaining, retryAfterSeconds: seconds, freesMs };
	}

	/** What its own response may be charged with later is not there for anybody else: it is told as if it had been. */
	#asIfCharged(cost: number, remaining: number, freesMs: number): Decision {
		return {
			waitMs: 0,
			remaining: Math.max(remaining - cost, 0),
			retryAfterSeconds: 0,
			freesMs: freesMs || this.#limit.windowMs,
		};
	}

	/** The answer that a rejected request gets instead of the usual one. */
	#answer(
		exchange: PolicyExchange,
		settled: Settled | undefined,
	): LimitAnswer | { readonly outcome: Outcome | Suspension } | undefined {
		const { rejection, enforce } = this.#limit;
		if (rejection === undefined || !enforce) return undefined;
		const { statusCode, content } = rejection;
		if (content === undefined) return { statusCode, content: undefined, contentType: "" };
		const text = rendered(content, exchange, this.#place, settled);
		// Decided already: a client must not get past a limit by what its answer says, whatever `expression_errors` says.
		if (typeof text !== "string") return { outcome: text === EXPRESSION_FAILED ? FAILED : text };
		return { statusCode, content: text, contentType: rejectionType(rejection, text) };
	}

	#countLater(exchange: PolicyExchange, key: readonly KeyPart[], cost: number): void {
		const { counted } = this.#limit;
		if (counted === undefined || cost === 0) return;
		const limiter = this.#opened.get();
		exchange.whenAnswered(new CountedAnswer(limiter, key, cost, counted.predicate, this.#place));
	}

	#leave(
		exchange: PolicyExchange,
		{ waitMs, remaining, retryAfterSeconds: seconds }: Decision,
		key: readonly KeyPart[],
		values: readonly (Value | undefined)[],
	): void {
		leave(exchange, "rate-limit", {
			limited: waitMs > 0,
			bucket_key: key.map((part, index) => readable(part, values[index])).join(", "),
			remaining: BigInt(remaining),
			retry_after: BigInt(seconds),
		});
	}
}

const SECOND_MS = 1000;
const NONE: readonly (Value | undefined)[] = [];

/** @param value of an expression; the part tells its type as well */
function readable(part: KeyPart, value: Value | undefined): string {
	if (typeof value === "string") return value;
	if (typeof value === "bigint" || typeof value === "number" || typeof value === "boolean") {
		return String(value);
	}
	if (part === undefined) return "";
	return typeof part === "string" ? part : part.join(", ");
}
