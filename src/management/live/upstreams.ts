/**
 * Backends by address, as the workers have seen them last. One of which no worker has told for a while is forgotten. Used
 * by `tally.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { BackendChange } from "../../telemetry/traffic/backend-counts.ts";
import { Rate, rounded } from "./rates.ts";
import type { LiveUpstream, UpstreamState } from "./shapes.ts";

interface Known {
	readonly requests: Rate;
	readonly failures: Rate;
	seenMs: number;
	/** of each worker's last report */
	readonly asideUntilMs: Map<number, number>;
}

const WORST_FIRST: Readonly<Record<UpstreamState, number>> = { set_aside: 0, failing: 1, up: 2 };

export class Upstreams {
	readonly #known = new Map<string, Known>();

	/** @param worker its place */
	add(worker: number, changes: readonly BackendChange[], seconds: number, nowMs: number): void {
		for (const { address, requests, failures, setAsideMs } of changes) {
			const known = this.#of(address);
			const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
			known.requests.add(requests, seconds, nowMs);
			known.failures.add(failed, seconds, nowMs);
			known.seenMs = nowMs;
			known.asideUntilMs.set(worker, setAsideMs > 0 ? nowMs + setAsideMs : 0);
		}
	}

	#of(address: string): Known {
		let known = this.#known.get(address);
		if (known === undefined) {
			known = { requests: new Rate(), failures: new Rate(), seenMs: 0, asideUntilMs: new Map() };
			this.#known.set(address, known);
		}
		return known;
	}

	/** Those with trouble first, then those with most requests. */
	list(nowMs: number): { readonly shown: readonly LiveUpstream[]; readonly leftOut: number } {
		for (const [address, { seenMs }] of this.#known)
			if (nowMs - seenMs > LIMITS.liveUpstreamMs) this.#known.delete(address);
		const all = [...this.#known].map(([address, known]) => told(address, known, nowMs));
		all.sort(
			(one, other) =>
				WORST_FIRST[one.state] - WORST_FIRST[other.state] ||
				other.requests_per_second - one.requests_per_second ||
				(one.address < other.address ? -1 : 1),
		);
		const shown = all.slice(0, LIMITS.liveUpstreams);
		return { shown, leftOut: all.length - shown.length };
	}
}

function told(
	address: string,
	{ requests, failures, asideUntilMs }: Known,
	nowMs: number,
): LiveUpstream {
	const until = Math.max(0, ...asideUntilMs.values());
	const setAsideMs = Math.max(0, Math.round(until - nowMs));
	const failing = rounded(failures.perSecond(nowMs));
	return {
		address,
		state: setAsideMs > 0 ? "set_aside" : failing > 0 ? "failing" : "up",
		requests_per_second: rounded(requests.perSecond(nowMs)),
		failures_per_second: failing,
		set_aside_ms: setAsideMs,
		requests: requests.total,
		failures: failures.total,
	};
}
