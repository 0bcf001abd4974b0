/**
 * Keeps the supervisor's event loop free while large policy documents are checked: a document of 1 MiB
 * with 16,000 expressions takes seconds, in which health checks, metrics and small PUTs must go on. Small
 * documents are checked at once; a round trip to a thread would cost more. The one importer of piscina.
 */
import { Piscina } from "piscina";
import { LIMITS } from "../limits.ts";
import type { PolicyLimits } from "../policy/schema.ts";
import { checkPolicy, type PolicyCheck } from "./policy-check.ts";
import type { PolicyCheckTask } from "./policy-check-task.ts";

/** The queue is full, or the document took longer than `LIMITS.policyCheckMs`; worth trying again. */
export class CheckerBusyError extends Error {}

export class PolicyChecker {
	readonly #limits: () => PolicyLimits;
	readonly #pool: Piscina<PolicyCheckTask, PolicyCheck>;

	/** @param limits asked for at each check, because a reload may change them */
	constructor(limits: () => PolicyLimits) {
		this.#limits = limits;
		this.#pool = new Piscina({
			filename: new URL("./policy-check-task.js", import.meta.url).href,
			minThreads: 0,
			maxThreads: 1,
			idleTimeout: 30_000,
			maxQueue: LIMITS.policyCheckQueue,
		});
	}

	/** @throws CheckerBusyError */
	async check(bytes: Uint8Array): Promise<PolicyCheck> {
		if (bytes.byteLength <= LIMITS.policyCheckAtOnceBytes)
			return checkPolicy(bytes, this.#limits());
		if (this.#pool.queueSize >= LIMITS.policyCheckQueue) throw new CheckerBusyError("queue full");
		const signal = AbortSignal.timeout(LIMITS.policyCheckMs);
		try {
			return await this.#pool.run({ bytes, limits: this.#limits() }, { signal });
		} catch (error) {
			if (!signal.aborted) throw error;
			throw new CheckerBusyError("took too long", { cause: error });
		}
	}

	close(): Promise<void> {
		return this.#pool.destroy();
	}
}
