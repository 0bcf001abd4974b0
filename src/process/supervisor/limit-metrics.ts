/**
 * What the rate-limits of the busiest routes have counted, for `/metrics`: those whose routes have series of their own.
 * Policies are read from the store and counts from the memory that all workers share, so workers do nothing for it.
 * Asked by `scrape.ts` whenever somebody reads `/metrics`.
 */
import { setImmediate as turn } from "node:timers/promises";
import { LIMITS } from "../../limits/limits.ts";
import type { CountedLimits } from "../../policy/admission.ts";
import { type ConfiguredLimit, limitsOf } from "../../policy/limits-of.ts";
import type { Store } from "../../store/store.ts";
import { type MetricsSnapshot, series } from "../../telemetry/metrics.ts";
import { routeKey } from "../../telemetry/traffic/route-rows.ts";
import { LimitSums } from "./limit-sums.ts";

interface RouteIds {
	readonly edge: string;
	readonly route: string;
}

interface Shown extends ConfiguredLimit {
	/** its labels, as they are printed: several limits of one rule and one name are one series */
	readonly labels: Readonly<Record<"edge" | "route" | "rule" | "name", string>>;
	/** tells series apart */
	readonly series: string;
}

interface Known {
	readonly etag: string;
	readonly limits: readonly Shown[];
}

export class LimitMetrics {
	readonly #store: Pick<Store, "policy">;
	/** by route: what does not change while its policy stays */
	#known = new Map<string, Known>();
	/** by route; those looked at last come last, also of routes that have no series now and may have some again */
	readonly #sums = new Map<string, LimitSums>();

	/** by printed series: what a weir before this one has added up of limits that are no more what they were */
	#before: MetricsSnapshot = {};

	constructor(store: Pick<Store, "policy">) {
		this.#store = store;
	}

	/**
	 * For a weir that takes over, as `metrics` has found it last: what series have beyond what their limits have counted,
	 * which that one finds itself. A limit that comes back afterwards counts once more what it had before.
	 */
	get handed(): MetricsSnapshot {
		const handed: Record<string, number> = {};
		for (const [key, { limits }] of this.#known) {
			const former = this.#sumsOf(key).former;
			for (const { labels, series: own } of limits) {
				const names = namesOf(labels);
				const { admitted = 0, rejected = 0 } = former.get(own) ?? {};
				handed[names.admitted] = admitted + (this.#before[names.admitted] ?? 0);
				handed[names.rejected] = rejected + (this.#before[names.rejected] ?? 0);
			}
		}
		const some = Object.entries(handed).filter(([, value]) => value !== 0);
		return Object.fromEntries(some.slice(0, LIMITS.rateLimitSeries));
	}

	/** @param handed by the weir before this one; {}: what it has told before still holds */
	resume(handed: MetricsSnapshot): void {
		this.#before = { ...this.#before, ...handed };
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
			const key = routeKey(ids.edge, ids.route);
			const found = await this.#limitsOf(key, ids);
			if (found === undefined) continue;
			known.set(key, found);
			const sums = this.#sumsOf(key);
			sums.look(found.limits, counts);
			for (const limit of found.limits) {
				addSums(values, limit, sums, this.#before);
				addGauges(values, limit, counts);
			}
		}
		this.#known = known;
		return values;
	}

	#sumsOf(key: string): LimitSums {
		const sums = this.#sums.get(key) ?? new LimitSums();
		this.#sums.delete(key);
		this.#sums.set(key, sums);
		const [oldest = key] = this.#sums.keys();
		if (this.#sums.size > LIMITS.knownShownRoutes) this.#sums.delete(oldest);
		return sums;
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
					const limits = step.value.slice(0, LIMITS.ruleSeriesOfRoute);
					return { etag, limits: limits.map((limit) => shown({ edge, route }, limit)) };
				}
				await turn();
			}
		} catch {
			return undefined;
		}
	}
}

function shown({ edge, route }: RouteIds, configured: ConfiguredLimit): Shown {
	const labels = { edge, route, rule: String(configured.ruleIndex), name: configured.limit.name };
	return { ...configured, labels, series: `${labels.rule} ${labels.name}` };
}

function addSums(
	values: Record<string, number>,
	{ labels, series: own }: Shown,
	sums: LimitSums,
	before: MetricsSnapshot,
): void {
	const counted = sums.of(own);
	const { admitted, rejected } = namesOf(labels);
	if (counted === undefined && before[admitted] === undefined && before[rejected] === undefined)
		return;
	values[admitted] = (counted?.admitted ?? 0) + (before[admitted] ?? 0);
	values[rejected] = (counted?.rejected ?? 0) + (before[rejected] ?? 0);
}

const namesOf = (labels: Shown["labels"]) => ({
	admitted: series("weir_rate_limit_admitted_total", labels),
	rejected: series("weir_rate_limit_rejected_total", labels),
});

function addGauges(
	values: Record<string, number>,
	{ limit, identity, labels }: Shown,
	counts: CountedLimits,
): void {
	const add = (key: string, value: number): void => {
		values[key] = (values[key] ?? 0) + value;
	};
	counts.look(identity, (counted) => {
		add(series("weir_rate_limit_keys", labels), counted.totals().live);
		if (limit.elements.length > 0) return;
		counted.decide("look", 1, []);
		add(series("weir_rate_limit_room", labels), counted.room.remaining);
	});
}
