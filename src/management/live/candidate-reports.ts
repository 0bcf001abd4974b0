/**
 * What the workers have told of candidates, added up: of each since it was put, or since the policy beside it was changed,
 * as both are compared. Bounded: so many candidates, of each so many kinds of comparisons, and the last samples of each
 * result. Filled by `tally.ts`, asked by `live-api.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import type {
	CandidatePair,
	CandidatePiece,
	CandidateResult,
	CandidateSample,
	CandidateVerdict,
} from "../../telemetry/candidate-report.ts";
import { routeName } from "../../telemetry/traffic/route-rows.ts";
import type { CandidateReport } from "../answers.ts";

interface Counted {
	readonly etag: string;
	/** of the policy in force */
	readonly beside: string | null;
	readonly sinceMs: number;
	/** begun by a change, so that the etags are those of the store; else by what a worker told */
	readonly isSure: boolean;
	readonly results: Record<CandidateResult, number>;
	readonly notCompared: Record<keyof CandidatePiece["notCompared"], number>;
	cpuUs: number;
	ran: number;
	readonly pairs: Map<string, { readonly pair: CandidatePair; count: number }>;
	pairsLeftOut: number;
	/** newest last */
	readonly samples: Record<CandidateResult, CandidateSample[]>;
}

/** What the store has of a route. */
interface InForce {
	/** of the candidate; undefined: there is none any more */
	readonly etag: string | undefined;
	/** of the policy; null: there is none */
	readonly beside: string | null;
}

const begun = (etag: string, beside: string | null, sinceMs: number, isSure = false): Counted => ({
	...{ etag, beside, sinceMs, isSure, cpuUs: 0, ran: 0, pairsLeftOut: 0, pairs: new Map() },
	results: { same: 0, would_block: 0, would_pass: 0, different: 0 },
	notCompared: { budget: 0, waits: 0, compiling: 0, failed: 0, client_gone: 0 },
	samples: { same: [], would_block: [], would_pass: [], different: [] },
});

export class CandidateReports {
	readonly #startedMs: number;
	readonly #counted = new Map<string, Counted>();

	/** @param startedMs since 1970 */
	constructor(startedMs: number) {
		this.#startedMs = startedMs;
	}

	add(piece: CandidatePiece): void {
		const counted = this.#of(piece);
		if (counted === undefined) return;
		addUp(counted.results, piece.results);
		addUp(counted.notCompared, piece.notCompared);
		counted.cpuUs += piece.cpuUs;
		counted.ran += piece.ran;
		counted.pairsLeftOut += piece.pairsLeftOut;
		for (const pair of piece.pairs) addPair(counted, pair);
		for (const sample of piece.samples) {
			const samples = counted.samples[sample.result];
			samples.push(sample);
			if (samples.length > LIMITS.candidateSamples) samples.shift();
		}
	}

	/** It is another candidate, or the policy beside it is another. */
	restart(edgeId: string, routeId: string, { etag, beside }: InForce, nowMs: number): void {
		const name = routeName(edgeId, routeId);
		if (etag === undefined) this.#counted.delete(name);
		else if (this.#counted.size < LIMITS.candidatesCounted || this.#counted.has(name))
			this.#counted.set(name, begun(etag, beside, nowMs, true));
	}

	/** As `restart`, where only the candidate may be another. */
	settle(edgeId: string, routeId: string, now: InForce, nowMs: number): void {
		if (this.#counted.get(routeName(edgeId, routeId))?.etag !== now.etag)
			this.restart(edgeId, routeId, now, nowMs);
	}

	forget(edgeId: string): void {
		for (const name of this.#counted.keys())
			if (name.startsWith(`${edgeId}/`)) this.#counted.delete(name);
	}

	/** @param etag of the candidate as it is stored @param note said with the report */
	of(edgeId: string, routeId: string, etag: string, note: string | null): CandidateReport {
		const known = this.#counted.get(routeName(edgeId, routeId));
		const counted = known?.etag === etag ? known : begun(etag, null, this.#startedMs);
		const { results, notCompared, ran, cpuUs } = counted;
		const compared = sumOf(results);
		const requests = compared + sumOf(notCompared);
		const pairs = Array.from(counted.pairs.values(), ({ pair, count }) => ({ ...pair, count }));
		return {
			...{ etag, since: counted.sinceMs, requests, compared },
			sampled: requests === 0 ? 1 : Number((compared / requests).toFixed(4)),
			...results,
			not_compared: { ...notCompared },
			cpu_us_per_request: ran === 0 ? null : Number((cpuUs / ran).toFixed(1)),
			by_rule: pairs.sort((one, other) => other.count - one.count),
			by_rule_left_out: counted.pairsLeftOut,
			samples: (["would_block", "would_pass", "different"] as const).flatMap((result) =>
				counted.samples[result].map(shownSample).reverse(),
			),
			note,
		};
	}

	/** Undefined for one that is not there any more, was compared with a former policy, or is one too many. */
	#of({ edge, route, etag, beside }: CandidatePiece): Counted | undefined {
		const name = routeName(edge, route);
		const known = this.#counted.get(name);
		if (known?.etag === etag && known.beside === beside) return known;
		if (known?.isSure) return undefined;
		if (known === undefined && this.#counted.size >= LIMITS.candidatesCounted) return undefined;
		const counted = begun(etag, beside, this.#startedMs);
		this.#counted.set(name, counted);
		return counted;
	}
}

function addUp<Name extends string>(
	into: Record<Name, number>,
	from: Readonly<Record<Name, number>>,
): void {
	for (const name of Object.keys(into) as Name[]) into[name] += from[name];
}

function addPair(counted: Counted, pair: CandidatePair): void {
	const { result, stored, candidate, count } = pair;
	const key = JSON.stringify([result, keyOf(stored), keyOf(candidate)]);
	const known = counted.pairs.get(key);
	if (known !== undefined) known.count += count;
	else if (counted.pairs.size < LIMITS.candidatePairs) counted.pairs.set(key, { pair, count });
	else counted.pairsLeftOut += count;
}

const keyOf = ({ outcome, status, rule }: CandidateVerdict) => [
	outcome,
	status,
	rule?.phase,
	rule?.index,
];

const sumOf = (counts: Readonly<Record<string, number>>): number =>
	Object.values(counts).reduce((sum, count) => sum + count, 0);

const shownSample = ({ ms, requestId, clientIp, differs, ...sample }: CandidateSample) => ({
	...sample,
	differs: [...differs],
	...{ ts: ms, request_id: requestId, client_ip: clientIp },
});
