/**
 * The hottest rate-limits: those of the busiest routes, with what all workers have counted of them. Only who asks makes work:
 * rates are differences to the look before. Used by `live-api.ts`.
 */
import { setImmediate as turn } from "node:timers/promises";
import { LIMITS } from "../../limits/limits.ts";
import type { CountedLimit, CountedLimits } from "../../policy/admission.ts";
import { type ConfiguredLimit, limitsOf } from "../../policy/limits-of.ts";
import type { Store } from "../../store/store.ts";
import { describedLimit } from "../described-limit.ts";
import { rounded } from "./rates.ts";
import type { LiveLimit, LiveLimits } from "./shapes.ts";

/** Of a route: its rate-limits as its policy had them when it had this etag. */
interface Known {
	readonly etag: string;
	readonly limits: readonly ConfiguredLimit[];
}

interface Look {
	readonly ms: number;
	readonly admitted: number;
	readonly rejected: number;
	readonly perSecond: { readonly admitted: number; readonly rejected: number };
}

const NEVER: Look = { ms: 0, admitted: 0, rejected: 0, perSecond: { admitted: 0, rejected: 0 } };
/** A look sooner than that after another has its rates: of less time they would be chance. */
const APART_MS = 900;
const SLICE_MS = 5;

export class LimitList {
	readonly #store: Pick<Store, "policy">;
	readonly #known = new Map<string, Known>();
	#looks = new Map<string, Look>();

	constructor(store: Pick<Store, "policy">) {
		this.#store = store;
	}

	/** @param busiest names of routes, `EDGE/ROUTE`, the busiest first; of those beyond the bound nothing is told */
	async hottest(
		busiest: readonly string[],
		counts: CountedLimits,
		nowMs: number,
	): Promise<LiveLimits> {
		const told: LiveLimit[] = [];
		const looks = new Map<string, Look>();
		let begunMs = performance.now();
		for (const name of busiest.slice(0, LIMITS.liveLimitRoutes)) {
			const [edgeId = "", routeId = ""] = name.split("/");
			for (const [number, limit] of this.#limitsOf(name, edgeId, routeId).entries()) {
				const key = `${name}/${number} ${JSON.stringify(limit.config)}`;
				const looked = this.#look(key, limit, counts, nowMs);
				looks.set(key, looked.look);
				told.push(presented(edgeId, routeId, limit, looked));
			}
			if (performance.now() - begunMs < SLICE_MS) continue;
			await turn();
			begunMs = performance.now();
		}
		this.#looks = looks;
		told.sort(
			(one, other) =>
				other.rejected_per_second - one.rejected_per_second ||
				other.admitted_per_second - one.admitted_per_second ||
				other.rejected - one.rejected ||
				other.admitted - one.admitted,
		);
		const limits = told.slice(0, LIMITS.liveLimits);
		return { limits, left_out: told.length - limits.length };
	}

	#limitsOf(name: string, edgeId: string, routeId: string): readonly ConfiguredLimit[] {
		const stored = this.#store.policy(edgeId, routeId);
		if (stored === undefined) return [];
		const known = this.#known.get(name);
		if (known?.etag === stored.etag) return known.limits;
		const steps = limitsOf(stored.document, edgeId, routeId);
		let step = steps.next();
		while (step.done !== true) step = steps.next();
		const limits = step.value.slice(0, LIMITS.liveLimits);
		if (this.#known.size >= LIMITS.liveLimitRoutes) this.#known.clear();
		this.#known.set(name, { etag: stored.etag, limits });
		return limits;
	}

	#look(key: string, { identity, limit }: ConfiguredLimit, counts: CountedLimits, nowMs: number) {
		const found = counts.look(identity, (counted) => ({
			totals: counted.totals(),
			remaining: limit.elements.length === 0 ? remainingOf(counted) : null,
		}));
		const { admitted = 0, rejected = 0, live = 0 } = found?.totals ?? {};
		const before = this.#looks.get(key) ?? NEVER;
		const passedMs = nowMs - before.ms;
		const look =
			before.ms > 0 && passedMs < APART_MS
				? before
				: { ms: nowMs, admitted, rejected, perSecond: since(before, admitted, rejected, passedMs) };
		const remaining = found === undefined ? unused(limit) : found.remaining;
		return { look, admitted, rejected, live, remaining };
	}
}

const since = (before: Look, admitted: number, rejected: number, passedMs: number) => {
	const rate = (count: number) =>
		before.ms === 0 ? 0 : Math.max((count * 1000) / Math.max(passedMs, 1), 0);
	return { admitted: rate(admitted - before.admitted), rejected: rate(rejected - before.rejected) };
};

/** Of a limit that no request has met. */
const unused = ({ elements, capacity }: ConfiguredLimit["limit"]): number | null =>
	elements.length === 0 ? capacity : null;

function remainingOf(counted: CountedLimit): number {
	counted.decide("look", 1, []);
	return counted.room.remaining;
}

interface Looked {
	readonly look: Look;
	readonly admitted: number;
	readonly rejected: number;
	readonly live: number;
	readonly remaining: number | null;
}

const presented = (
	edgeId: string,
	routeId: string,
	configured: ConfiguredLimit,
	{ look, admitted, rejected, live, remaining }: Looked,
): LiveLimit => ({
	edge_id: edgeId,
	route_id: routeId,
	...describedLimit(configured),
	admitted,
	rejected,
	admitted_per_second: rounded(look.perSecond.admitted),
	rejected_per_second: rounded(look.perSecond.rejected),
	live_keys: live,
	remaining,
});
