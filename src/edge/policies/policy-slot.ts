/**
 * Stands in for a policy that takes too long to compile within the request that asks for it first: to whoever
 * waits it looks like a policy that suspends, so requests wait for it as for an expensive expression
 * (`deferred-request.ts`), and the evaluator that settles the one settles the other. Made by
 * `route-policies.ts`.
 */
import type { Attributes } from "../../cel/attributes.ts";
import type { Phase, Settled, Settlement, Suspension } from "../../cel/expression.ts";
import { LIMITS } from "../../limits/limits.ts";
import type {
	CompiledPolicy,
	Outcome,
	PolicyExchange,
	SuspendedRun,
} from "../../policy/exchange.ts";
import type { Evaluation, Evaluator } from "../../threads/expression-evaluator.ts";

/** What requests wait for; settled by `OpeningEvaluator`. */
class Opening implements Suspension {
	readonly source = "";
	readonly phase = "inbound";
	readonly wants = "bool";
	readonly reads: readonly string[] = [];
	readonly #waiting = new Set<() => void>();
	#isOver = false;

	/** @param done called once, after this has returned @returns takes it out again */
	wait(done: () => void): () => void {
		if (this.#isOver) queueMicrotask(() => this.#end());
		this.#waiting.add(done);
		return () => this.#waiting.delete(done);
	}

	end(): void {
		this.#isOver = true;
		this.#end();
	}

	#end(): void {
		for (const done of this.#waiting) {
			this.#waiting.delete(done);
			done();
		}
	}
}

const NOTHING: Settled = new Map();

export class OpeningPolicy implements CompiledPolicy {
	readonly enabled = true;
	readonly inboundEmpty = false;
	readonly outboundEmpty = false;
	readonly #opening = new Opening();
	#policy: CompiledPolicy | undefined;
	#isClosed = false;

	/** Requests that wait go on under `policy`, also if a newer one has taken its place meanwhile. */
	opened(policy: CompiledPolicy): void {
		this.#policy = policy;
		this.#opening.end();
		if (this.#isClosed) policy.close();
	}

	inbound(exchange: PolicyExchange): Outcome {
		return this.#policy?.inbound(exchange) ?? this.#suspended("inbound");
	}

	outbound(exchange: PolicyExchange): Outcome {
		return this.#policy?.outbound(exchange) ?? this.#suspended("outbound");
	}

	resume(exchange: PolicyExchange, run: SuspendedRun, result: Settlement): Outcome {
		if (run.suspension !== this.#opening && this.#policy !== undefined) {
			return this.#policy.resume(exchange, run, result);
		}
		return run.phase === "inbound" ? this.inbound(exchange) : this.outbound(exchange);
	}

	close(): void {
		if (this.#isClosed) return;
		this.#isClosed = true;
		this.#policy?.close();
	}

	#suspended(phase: Phase): Outcome {
		const suspension = this.#opening;
		return { kind: "suspended", run: { phase, rule: 0, step: 0, suspension, settled: NOTHING } };
	}
}

/** An evaluator that also knows how to wait for policies. */
export class OpeningEvaluator implements Evaluator {
	readonly #evaluator: Evaluator;
	/** when those that had to wait for their policy could begin */
	readonly #beganMs = new WeakMap<Attributes, number>();

	constructor(evaluator: Evaluator) {
		this.#evaluator = evaluator;
	}

	keep(): () => void {
		return this.#evaluator.keep();
	}

	ready(): Promise<void> {
		return this.#evaluator.ready();
	}

	/** A policy is waited for as long as it takes; after that expressions have all of their time. */
	evaluate(
		suspension: Suspension,
		attributes: Attributes,
		deadlineMs: number,
		done: (settlement: Settlement) => void,
	): Evaluation {
		if (suspension instanceof Opening) {
			const cancel = suspension.wait(() => {
				this.#beganMs.set(attributes, performance.now());
				done(true);
			});
			return { cancel };
		}
		const beganMs = this.#beganMs.get(attributes);
		const ownMs = beganMs === undefined ? 0 : beganMs + LIMITS.heavyWaitMs;
		return this.#evaluator.evaluate(suspension, attributes, Math.max(deadlineMs, ownMs), done);
	}
}
