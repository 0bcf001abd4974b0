/**
 * A candidate beside one request: it runs over a view of its own (`shadow-exchange.ts`) whenever the stored policy has
 * decided, and when the request is over both are compared. Nothing of it reaches the client or the backend. Made by
 * `candidates.ts`.
 */
import { asciiLowerCase } from "../../ascii.ts";
import type { CompiledPolicy, Outcome } from "../../policy/exchange.ts";
import type { NotCompared } from "../../telemetry/candidate-report.ts";
import type { ResponseHead } from "../../upstream/response-head.ts";
import type { Exchange } from "../exchange.ts";
import type { CandidateCounts } from "./candidate-counts.ts";
import { differencesOf, resultOf, verdictOf } from "./compare.ts";
import { type Decision, PASSED, type Shadow } from "./shadow.ts";
import type { ShadowExchange } from "./shadow-exchange.ts";

/** Of all candidates of a worker: runs a part of one on its account, and survives what that throws. */
export type Metered = (counts: CandidateCounts, work: () => void, failed: () => void) => void;

export class CandidateRun implements Shadow {
	readonly #live: Exchange;
	readonly #shadow: ShadowExchange;
	readonly #policy: CompiledPolicy;
	readonly #counts: CandidateCounts;
	readonly #metered: Metered;
	readonly #passedInbound: boolean;
	#stored: Decision;
	#candidate: Decision = PASSED;
	#notCompared: NotCompared | undefined;

	/** @param stored what the inbound rules of the stored policy came to */
	constructor(
		live: Exchange,
		shadow: ShadowExchange,
		policy: CompiledPolicy,
		counts: CandidateCounts,
		stored: Decision,
		metered: Metered,
	) {
		this.#live = live;
		this.#shadow = shadow;
		this.#policy = policy;
		this.#counts = counts;
		this.#stored = stored;
		this.#passedInbound = stored.kind === "continue";
		this.#metered = metered;
	}

	inbound(): void {
		this.#run(() => {
			if (this.#policy.inboundEmpty) return;
			this.#take(this.#policy.inbound(this.#shadow));
			const own = this.#candidate;
			if (own.kind !== "respond" || this.#policy.outboundEmpty) return;
			const length = Buffer.byteLength(own.content);
			this.#shadow.setResponse(own.statusCode, lowerNames(own.headers.flat()), length);
			this.#outbound();
		});
	}

	seesResponse(statusCode: number, head: ResponseHead, contentLength: number): void {
		if (!this.#wantsResponse) return;
		this.#run(() => {
			this.#shadow.setUpstreamResponse(statusCode, head, contentLength);
			// The lines are the upstream's memory, and tasks may ask for them later.
			void this.#shadow.responseHeaders;
			if (!this.#policy.outboundEmpty) this.#outbound();
		});
	}

	seesReply(statusCode: number, headers: readonly string[], contentLength: number): void {
		if (!this.#wantsResponse) return;
		this.#run(() => {
			this.#shadow.setResponse(statusCode, lowerNames(headers), contentLength);
			if (!this.#policy.outboundEmpty) this.#outbound();
		});
	}

	decided(decision: Decision): void {
		if (decision.kind !== "continue") this.#stored = decision;
	}

	ended(statusCode: number, aborted: boolean): void {
		if (this.#notCompared === undefined && aborted && this.#stored.kind !== "close")
			this.#notCompared = "client_gone";
		this.#run(() => this.#compare(statusCode));
		if (this.#notCompared !== undefined) this.#counts.skipped(this.#notCompared);
	}

	/** Both policies let the request come to a backend. */
	get #wantsResponse(): boolean {
		return this.#passedInbound && this.#candidate.kind === "continue";
	}

	#outbound(): void {
		const outcome = this.#policy.outbound(this.#shadow);
		if (outcome.kind !== "continue") this.#take(outcome, true);
	}

	/** @param isInstead of a response that outbound rules have seen: what they have changed was about that one */
	#take(outcome: Outcome, isInstead = false): void {
		if (outcome.kind === "suspended") this.#notCompared = "waits";
		else this.#candidate = outcome;
		if (isInstead || outcome.kind === "failed") this.#shadow.forgetResponseChanges();
	}

	#compare(statusCode: number): void {
		const [stored, candidate] = [this.#stored, this.#candidate];
		const passed = this.#wantsResponse ? statusCode : null;
		const own = candidate.kind === "continue" ? passed : statusOfAnswer(candidate);
		if (own !== null) this.#shadow.answered(own);
		const differs = differencesOf(stored, candidate, this.#live, this.#shadow);
		this.#counts.compared(this.#live, {
			result: resultOf(stored, candidate, differs),
			differs,
			stored: verdictOf(stored, this.#live.endedBy, statusCode),
			candidate: verdictOf(candidate, this.#shadow.endedBy, passed),
		});
	}

	/** Nothing once it is known that there is nothing to compare. */
	#run(work: () => void): void {
		if (this.#notCompared !== undefined) return;
		this.#metered(this.#counts, work, () => {
			this.#notCompared = "failed";
		});
	}
}

const statusOfAnswer = (decision: Exclude<Decision, { kind: "continue" }>): number =>
	verdictOf(decision, undefined, null).status ?? 0;

const lowerNames = (headers: readonly string[]): string[] =>
	headers.map((text, index) => (index % 2 === 0 ? asciiLowerCase(text) : text));
