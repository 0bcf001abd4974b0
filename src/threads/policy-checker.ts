/**
 * Keeps the supervisor's event loop free while large policy documents are checked: a document of 1 MiB
 * with 16,000 expressions takes seconds, in which health checks, metrics and small PUTs must go on. Small
 * documents are checked at once, as a round trip to a thread would cost more; those with tests never are.
 */
import { LIMITS } from "../limits/limits.ts";
import type { ValidationOptions } from "../policy/document/validate.ts";
import { KnownChecks } from "./known-checks.ts";
import { checkPolicy, checkValue, type PolicyCheck, type PolicyFormat } from "./policy-check.ts";
import type { PolicyCheckTask } from "./policy-check-task.ts";
import { TaskThread } from "./task-thread.ts";
import { ThreadQueue } from "./thread-queue.ts";

/** A document that was read with what it stood in, by the same rules, and its JSON. */
export interface ReadDocument {
	readonly value: unknown;
	readonly json: string;
}

/** The queue is full, or the document took longer than `LIMITS.policyCheckMs`; worth trying again. */
export class CheckerBusyError extends Error {}

export class PolicyChecker {
	readonly #limits: () => ValidationOptions;
	readonly #queue = new ThreadQueue<PolicyCheckTask, PolicyCheck>({
		makeThread: () => new TaskThread(new URL("./policy-check-task.js", import.meta.url)),
		threads: 1,
		room: LIMITS.policyCheckQueue,
		stuckMs: LIMITS.policyCheckMs,
		idleMs: LIMITS.heavyIdleMs,
	});

	readonly #known = new KnownChecks();

	/** @param limits asked for at each check, because a reload may change them; another object where they have changed */
	constructor(limits: () => ValidationOptions) {
		this.#limits = limits;
	}

	/**
	 * @param submitted what was read already has no places
	 * @param places see `checkPolicy`; who asks for them stores nothing, so what is to be stored comes first
	 * @param tests see `checkPolicy`
	 * @throws CheckerBusyError; Error if the check crashed, a bug
	 */
	async check(
		submitted: Uint8Array | ReadDocument,
		format: PolicyFormat = "json",
		places = false,
		tests: "run" | "leave" = "run",
	): Promise<PolicyCheck> {
		const limits = this.#limits();
		const isRead = "json" in submitted;
		const size = isRead ? Buffer.byteLength(submitted.json) : submitted.byteLength;
		if (size <= LIMITS.policyCheckAtOnceBytes) {
			const check = isRead
				? checkValue(submitted.value, limits, "leave")
				: this.#checkedText(submitted, format, places, limits);
			// A few words may ask for many requests.
			const { document } = check.outcome === "valid" ? check : { document: undefined };
			if (tests === "leave" || document?.tests === undefined) return check;
		}
		const bytes = isRead ? Buffer.from(submitted.json) : submitted;
		const lane = places ? "later" : "first";
		if (!this.#queue.hasRoom(lane)) throw new CheckerBusyError("queue full");
		return new Promise((resolve, reject) => {
			const timer = setTimeout(() => {
				this.#queue.withdraw(ticket);
				reject(new CheckerBusyError("took too long"));
			}, LIMITS.policyCheckMs);
			const ticket = this.#queue.submit(lane, { bytes, limits, format, places, tests }, (ended) => {
				clearTimeout(timer);
				if (ended.ok) resolve(ended.answer);
				else reject(new Error(ended.message));
			});
		});
	}

	/** Without its tests. */
	#checkedText(
		text: Uint8Array,
		format: PolicyFormat,
		places: boolean,
		limits: ValidationOptions,
	): PolicyCheck {
		if (places) return checkPolicy(text, limits, format, places, "leave");
		const known = this.#known.find(text, format, limits);
		if (known !== undefined) return known;
		const check = checkPolicy(text, limits, format, places, "leave");
		this.#known.add(text, format, check);
		return check;
	}

	close(): Promise<void> {
		return this.#queue.close();
	}
}
