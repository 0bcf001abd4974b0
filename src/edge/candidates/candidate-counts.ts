/**
 * What a worker has counted of one candidate since it last told (`telemetry/candidate-report.ts`). Bounded: so many kinds of
 * comparisons, so many samples of each result. Made by `route-candidate.ts`, filled by `candidate-run.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import type {
	CandidatePiece,
	CandidateResult,
	CandidateSample,
	CandidateVerdict,
	Difference,
	NotCompared,
} from "../../telemetry/candidate-report.ts";
import type { Exchange } from "../exchange.ts";

export interface Comparison {
	readonly result: CandidateResult;
	readonly differs: readonly Difference[];
	readonly stored: CandidateVerdict;
	readonly candidate: CandidateVerdict;
}

type Counted = Comparison & { count: number };

const noResults = () => ({ same: 0, would_block: 0, would_pass: 0, different: 0 });
const noneSkipped = () => ({ budget: 0, waits: 0, compiling: 0, failed: 0, client_gone: 0 });

export class CandidateCounts {
	readonly #owner: { readonly edgeId: string; readonly routeId: string; readonly etag: string };
	/** told that there is something to tell, and what became of a request */
	readonly #noted: (counts: CandidateCounts, result: CandidateResult | "not_compared") => void;
	#beside: string | null;
	#results = noResults();
	#notCompared = noneSkipped();
	#cpuUs = 0;
	#ran = 0;
	#pairs = new Map<string, Counted>();
	#pairsLeftOut = 0;
	#samples: CandidateSample[] = [];
	readonly #sampled = noResults();

	/** @param beside etag of the policy in force; null: there is none */
	constructor(
		owner: { readonly edgeId: string; readonly routeId: string; readonly etag: string },
		beside: string | null,
		noted: (counts: CandidateCounts, result: CandidateResult | "not_compared") => void,
	) {
		this.#owner = owner;
		this.#beside = beside;
		this.#noted = noted;
	}

	/** Another policy is in force, or none: what was compared with the one before is not told any more. */
	compareWith(beside: string | null): void {
		if (beside === this.#beside) return;
		this.take();
		this.#beside = beside;
	}

	/** It runs beside a request. */
	begins(): void {
		this.#ran += 1;
	}

	took(microseconds: number): void {
		this.#cpuUs += microseconds;
	}

	skipped(why: NotCompared): void {
		this.#notCompared[why] += 1;
		this.#noted(this, "not_compared");
	}

	compared(live: Exchange, comparison: Comparison): void {
		const { result, stored, candidate } = comparison;
		this.#results[result] += 1;
		this.#noted(this, result);
		const key = JSON.stringify([result, stored, candidate]);
		const known = this.#pairs.get(key);
		if (known !== undefined) known.count += 1;
		else if (this.#pairs.size < LIMITS.candidatePairs)
			this.#pairs.set(key, { ...comparison, count: 1 });
		else this.#pairsLeftOut += 1;
		if (result !== "same" && this.#sampled[result] < LIMITS.candidateSamples)
			this.#sample(live, comparison);
	}

	#sample(live: Exchange, comparison: Comparison): void {
		this.#sampled[comparison.result] += 1;
		this.#samples.push({
			...comparison,
			ms: Date.now(),
			requestId: live.requestId,
			clientIp: live.loggedIp,
			method: bounded(live.method),
			host: bounded(live.head.authority.host),
			path: bounded(live.head.rawPath),
		});
	}

	/** Since the last call. */
	take(): CandidatePiece {
		const { edgeId, routeId, etag } = this.#owner;
		const piece: CandidatePiece = {
			...{ edge: edgeId, route: routeId, etag, beside: this.#beside },
			...{ results: this.#results, notCompared: this.#notCompared },
			...{ cpuUs: Math.round(this.#cpuUs), ran: this.#ran },
			pairs: Array.from(this.#pairs.values(), ({ result, stored, candidate, count }) => ({
				...{ result, stored, candidate, count },
			})),
			pairsLeftOut: this.#pairsLeftOut,
			samples: this.#samples,
		};
		this.#results = noResults();
		this.#notCompared = noneSkipped();
		this.#cpuUs = 0;
		this.#ran = 0;
		this.#pairs = new Map();
		this.#pairsLeftOut = 0;
		this.#samples = [];
		Object.assign(this.#sampled, noResults());
		return piece;
	}
}

const bounded = (text: string): string =>
	text.length > LIMITS.liveRefusalCharacters ? text.slice(0, LIMITS.liveRefusalCharacters) : text;
