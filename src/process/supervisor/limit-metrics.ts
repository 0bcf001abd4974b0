/**
 * What the rate-limits of the busiest routes have counted, for `/metrics`: those whose routes have series of their own.
 * Policies are read from the store and counts from the memory that all workers share, so workers do nothing for it.
 * Asked by `serve.ts` whenever somebody reads `/metrics`.
 */
import { setImmediate as turn } from "node:timers/promises";
import { LIMITS } from "../../limits/limits.ts";
import type { CountedLimits } from "../../policy/admission.ts";
import { type ConfiguredLimit, limitsOf } from "../../policy/limits-of.ts";
import type { Store } from "../../store/store.ts";
import { type MetricsSnapshot, series } from "../../telemetry/metrics.ts";

interface RouteIds {
	readonly edge: string;
	readonly route: string;
}

interface Known {
	readonly etag: string;
	readonly limits: readonly ConfiguredLimit[];
}

export class LimitMetrics {
	readonly #store: Pick<Store, "policy">;
	/** by route: what does not change while its policy stays */
	#known = new Map<string, Known>();

	constructor(store: Pick<Store, "policy">) {
		this.#store = store;
	}

	/** @param counts undefined: workers don't share what they count */
	async metrics(
		routes: Iterable<RouteIds>,
		counts: CountedLimits | undefined,
	): Promise<MetricsSnapshot> {
		const values: Record<string, number> = {};
		const known = new Map<string, Known>();
		if (counts === undefined) return values;
		for (const ids of routes) {
			if (ids.route === "") continue;
			const key = `${ids.edge}\n${ids.route}`;
			const found = await this.#limitsOf(key, ids);
			if (found === undefined) continue;
			known.set(key, found);
			for (const limit of found.limits) addLimit(values, ids, limit, counts);
		}
		this.#known = known;
		return values;
	}

	/** A policy that can't be read has no limits here: others say so. */
	async #limitsOf(key: string, { edge, route }: RouteIds): Promise<Known | undefined> {
		try {
			const stored = this.#store.policy(edge, route);
			if (stored === undefined) return undefined;
			const { document, etag } = stored;
			const known = this.#known.get(key);
			if (known?.etag === etag) return known;
			const steps = limitsOf(document, edge, route);
			for (;;) {
				const step = steps.next();
				if (step.done === true) {
					return { etag, limits: step.value.slice(0, LIMITS.ruleSeriesOfRoute) };
				}
				await turn();
			}
		} catch {
			return undefined;
		}
	}
}

/** Several limits of one rule and one name are one series. */
function addLimit(
	values: Record<string, number>,
	{ edge, route }: RouteIds,
	{ limit, identity, ruleIndex }: ConfiguredLimit,
	counts: CountedLimits,
): void {
	const labels = { edge, route, rule: String(ruleIndex), name: limit.name };
	const add = (key: string, value: number): void => {
		values[key] = (values[key] ?? 0) + value;
	};
	counts.look(identity, (counted) => {
		const { live, admitted, rejected } = counted.totals();
		add(series("weir_rate_limit_admitted_total", labels), admitted);
		add(series("weir_rate_limit_rejected_total", labels), rejected);
		add(series("weir_rate_limit_keys", labels), live);
		if (limit.elements.length > 0) return;
		counted.decide("look", 1, []);
		add(series("weir_rate_limit_room", labels), counted.room.remaining);
	});
}
