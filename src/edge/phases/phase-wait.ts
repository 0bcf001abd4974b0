/**
 * A phase of a policy that waits for expensive expressions: has them settled one after the other, lets the
 * policy go on in between, and says what it came to. All of a phase has one deadline for threads to begin, so that a
 * client does not wait much longer than `LIMITS.heavyWaitMs`, whatever its rules. Used by `deferred-request.ts` and `proxying.ts`.
 */

import { LIMITS } from "../../limits/limits.ts";
import type { CompiledPolicy, SuspendedRun } from "../../policy/exchange.ts";
import type { Evaluation, Settlement } from "../../threads/expression-evaluator.ts";
import { breakOff, type Decision, FAILED, resumePhase } from "./outbound-reply.ts";
import type { Exchange } from "../exchange.ts";
import type { Services } from "../services.ts";

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
				(settlement) => this.#goOn(run, settlement),
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

	#goOn(run: SuspendedRun, settlement: Settlement): void {
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
