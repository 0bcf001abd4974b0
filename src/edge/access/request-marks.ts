/**
 * The moments of a request that the access log and traces tell of. Made by `pipeline.ts` for requests that somebody tells
 * of, and for no others: a clock that is read five times costs more than a rule.
 */
import { UpstreamTrail } from "../../upstream/trail.ts";

/** Not yet, or not at all. */
const NEVER = -1;

export class RequestMarks {
	/** as `performance.now()` has it, as are all that end in `AtMs` */
	readonly begunAtMs = performance.now();
	/** spent in the rules of both phases and waiting for what they asked for; `NEVER`: there were none */
	policyMs = NEVER;
	/** when the first phase began */
	policyAtMs = NEVER;
	/** handed to the backend's upstream, which may have it wait for a connection */
	sentAtMs = NEVER;
	/** the response's header came, or a failure */
	answeredAtMs = NEVER;
	readonly trail = new UpstreamTrail();
	#phaseAtMs = NEVER;

	phaseBegins(): void {
		this.#phaseAtMs = performance.now();
		if (this.policyAtMs === NEVER) this.policyAtMs = this.#phaseAtMs;
	}
	/** It has decided, whether or not it had to wait. */
	phaseEnds(): void {
		if (this.#phaseAtMs === NEVER) return;
		this.policyMs = Math.max(this.policyMs, 0) + performance.now() - this.#phaseAtMs;
		this.#phaseAtMs = NEVER;
	}

	sent(): void {
		this.sentAtMs = performance.now();
	}
	/** The first call counts. */
	answered(): void {
		if (this.answeredAtMs === NEVER) this.answeredAtMs = performance.now();
	}

	/** until now */
	get totalMs(): number {
		return performance.now() - this.begunAtMs;
	}
	/** from the request sent to the response's header; `NEVER`: it was not sent, or nothing came */
	get responseMs(): number {
		const isKnown = this.sentAtMs !== NEVER && this.answeredAtMs !== NEVER;
		return isKnown ? this.answeredAtMs - this.sentAtMs : NEVER;
	}
}
