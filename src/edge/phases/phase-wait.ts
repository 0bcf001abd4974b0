/**
 * A phase of a policy that waits for expensive expressions. The evaluator settles them one after the other, and
 * the policy continues in between, until the phase has decided. All expressions of a phase share one deadline by
 * which a thread must have begun, so that a client does not wait much longer than `LIMITS.heavyWaitMs`, whatever
 * the rules are. Used by `deferred-request.ts`, `policy-replies.ts` and `proxying/proxied-request.ts`.
 */

import { LIMITS } from "../../limits/limits.ts";
import type { CompiledPolicy, SuspendedRun } from "../../policy/exchange.ts";
import type { Evaluation, Settlement } from "../../threads/expression-evaluator.ts";
import type { Exchange } from "../exchange.ts";
import { breakOff } from "../response/end-request.ts";
import type { Services } from "../services.ts";
import { type Decision, FAILED, resumePhase } from "./run-phase.ts";

export class PhaseWait {
	readonly #exchange: Exchange;
	readonly #policy: CompiledPolicy;
	readonly #services: Services;
	readonly #decided: (decision: Decision) => void;
	readonly #deadlineMs = performance.now() + LIMITS.heavyWaitMs;
	#evaluation: Evaluation | undefined;
	#over = false;

	/**
	 * @param policy the one that suspended, whatever has replaced it since
	 * @param decided called once, outside of handlers and corks, unless cancelled before
	 */
	constructor(
		exchange: Exchange,
		policy: CompiledPolicy,
		services: Services,
		decided: (decision: Decision) => void,
	) {
		this.#exchange = exchange;
		this.#policy = policy;
		this.#services = services;
		this.#decided = decided;
	}

	start(run: SuspendedRun): this {
		try {
			this.#evaluation = this.#services.evaluator.evaluate(
				run.suspension,
				this.#exchange,
				this.#deadlineMs,
				(settlement) => this.#continue(run, settlement),
			);
		} catch (error) {
			this.#services.log.error({ err: error, route: this.#exchange.routeId }, "evaluator threw");
			queueMicrotask(() => this.#end(FAILED));
		}
		return this;
	}

	/** The client has gone: nothing is called any more. */
	cancel(): void {
		this.#over = true;
		this.#evaluation?.cancel();
	}

	#continue(run: SuspendedRun, settlement: Settlement): void {
		if (this.#over) return;
		const outcome = resumePhase(this.#policy, this.#exchange, run, settlement, this.#services);
		if (outcome.kind === "suspended") this.start(outcome.run);
		else this.#end(outcome);
	}

	#end(decision: Decision): void {
		if (this.#over) return;
		this.#over = true;
		try {
			this.#decided(decision);
		} catch (error) {
			breakOff(this.#exchange, error, this.#services);
		}
	}
}
