/**
 * The candidates of a worker (contract 2, "Candidates"): policies that are tried beside those in force, on live requests,
 * without effect. Keeps them as the store has them, runs them within a bounded share of the worker's time, and tells what
 * came of it. Made by `edge-parts.ts`; asked for each request of a route that has one, and for no other.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { RateLimiters, RateLimitIdentity } from "../../policy/admission.ts";
import type { PolicyDocument } from "../../policy/document/schema.ts";
import type { Change, Stored, StoreReader } from "../../store/store.ts";
import {
	CANDIDATE_RESULTS,
	type CandidatePiece,
	type CandidateResult,
} from "../../telemetry/candidate-report.ts";
import { type Counter, type Metrics, series } from "../../telemetry/metrics.ts";
import type { Exchange } from "../exchange.ts";
import type { Ahead } from "../policies/ahead.ts";
import type { PolicyLoader, PolicyOwner } from "../policies/policy-loader.ts";
import type { Services } from "../services.ts";
import { CandidateCounts } from "./candidate-counts.ts";
import { CandidateRun, type Metered } from "./candidate-run.ts";
import { RouteCandidate } from "./route-candidate.ts";
import type { Decision, TriedPolicies } from "./shadow.ts";
import { ShadowExchange } from "./shadow-exchange.ts";
import { TimeShare } from "./time-share.ts";

type Reader = Pick<StoreReader, "candidate" | "candidates" | "policy" | "refresh">;

export class Candidates implements TriedPolicies {
	readonly #services: Services;
	readonly #reader: Reader;
	readonly #loader: PolicyLoader;
	readonly #byRoute = new Map<string, RouteCandidate>();
	/** those that have something to tell */
	readonly #noted = new Set<CandidateCounts>();
	readonly #counters = new Map<string, Counter>();
	readonly #time = new TimeShare(
		LIMITS.candidateTimeShare,
		LIMITS.candidateTimeMs,
		performance.now(),
	);

	/** @param loader of candidates in place of policies, whose rate-limits are `CandidateLimiters` */
	constructor(reader: Reader, loader: PolicyLoader, metrics: Metrics, services: Services) {
		this.#services = services;
		this.#reader = reader;
		this.#loader = loader;
		for (const result of [...CANDIDATE_RESULTS, "not_compared"] as const)
			this.#counters.set(
				result,
				metrics.counter(series("weir_candidate_requests_total", { result })),
			);
	}

	of({ edgeId, routeId }: PolicyOwner): RouteCandidate | undefined {
		return this.#byRoute.size === 0 ? undefined : this.#byRoute.get(`${edgeId}/${routeId}`);
	}

	load(): void {
		this.#reader.refresh();
		for (const owner of Array.from(this.#reader.candidates())) this.#takeOver(owner);
	}

	/** Compiles what `apply` will take over, between requests. */
	async prepare(changes: readonly Change[], onProgress: () => void): Promise<Ahead | undefined> {
		const policies: Stored<PolicyDocument>[] = [];
		for (const change of changes) {
			if (change.kind !== "candidate") continue;
			const stored = this.#reader.candidate(change.edgeId, change.routeId);
			if (stored !== undefined) policies.push(stored);
		}
		return policies.length > 0 ? this.#loader.prepare(policies, onProgress) : undefined;
	}

	/** To be called before the table of routes takes the same changes over. */
	apply(changes: readonly Change[]): void {
		this.#reader.refresh();
		for (const change of changes) {
			if (change.kind === "candidate" || (change.kind === "policy" && this.#byRoute.size > 0))
				this.#takeOver(change);
			else if (change.kind === "edge" || change.kind === "policies")
				this.#takeOverAll(change.edgeId);
		}
	}

	#takeOverAll(edgeId: string): void {
		for (const name of [...this.#byRoute.keys()]) {
			const [ofEdge = "", routeId = ""] = name.split("/");
			if (ofEdge === edgeId) this.#takeOver({ edgeId, routeId });
		}
		for (const owner of Array.from(this.#reader.candidates()))
			if (owner.edgeId === edgeId) this.#takeOver(owner);
	}

	#takeOver({ edgeId, routeId }: PolicyOwner): void {
		const name = `${edgeId}/${routeId}`;
		const before = this.#byRoute.get(name);
		const stored = this.#reader.candidate(edgeId, routeId);
		if (before === undefined && stored === undefined) return;
		const beside = this.#reader.policy(edgeId, routeId)?.etag ?? null;
		if (before !== undefined && before.etag === stored?.etag) {
			before.counts.compareWith(beside);
			return;
		}
		before?.close();
		this.#byRoute.delete(name);
		if (stored === undefined) return;
		const owner = { edgeId, routeId };
		const { etag } = stored;
		const counts = new CandidateCounts({ ...owner, etag }, beside, this.#note);
		const slot = this.#loader.openCompiled(owner, stored);
		this.#byRoute.set(name, new RouteCandidate(owner, etag, counts, slot));
	}

	begin(live: Exchange, stored: Decision): void {
		const candidate = live.route?.candidate;
		if (!(candidate instanceof RouteCandidate) || live.shadow !== undefined) return;
		const { counts } = candidate;
		const { policy, state } = candidate.slot(this.#loader);
		if (policy === undefined) counts.skipped(state === "opening" ? "compiling" : "failed");
		else if (!this.#time.hasSome(performance.now())) counts.skipped("budget");
		else {
			counts.begins();
			const shadow = new ShadowExchange(live, this.#services);
			const run = new CandidateRun(live, shadow, policy, counts, stored, this.#metered);
			live.shadow = run;
			run.inbound();
		}
	}

	take(): readonly CandidatePiece[] {
		const pieces: CandidatePiece[] = [];
		for (const counts of this.#noted) {
			if (pieces.length >= LIMITS.candidatesTold) break;
			pieces.push(counts.take());
			this.#noted.delete(counts);
		}
		return pieces;
	}

	readonly #metered: Metered = (counts, work, failed) => {
		const beganMs = performance.now();
		try {
			work();
		} catch {
			// A bug, or a client that is gone: the request itself goes on.
			failed();
		}
		const tookMs = performance.now() - beganMs;
		this.#time.take(tookMs);
		counts.took(tookMs * 1000);
	};

	readonly #note = (counts: CandidateCounts, result: CandidateResult | "not_compared"): void => {
		this.#noted.add(counts);
		const counter = this.#counters.get(result);
		if (counter !== undefined) counter.value++;
	};
}

/** Candidates count for themselves: no edge has such an id, so nobody else's counts are met. */
export class CandidateLimiters implements RateLimiters {
	readonly #limiters: RateLimiters;

	constructor(limiters: RateLimiters) {
		this.#limiters = limiters;
	}

	open(identity: RateLimitIdentity) {
		return this.#limiters.open(ofCandidate(identity));
	}

	release(identity: RateLimitIdentity): void {
		this.#limiters.release(ofCandidate(identity));
	}
}

const ofCandidate = (identity: RateLimitIdentity): RateLimitIdentity => ({
	...identity,
	edgeId: `candidate/${identity.edgeId}`,
});
