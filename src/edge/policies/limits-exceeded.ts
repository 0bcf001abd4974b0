/**
 * Counts requests that are over a rate-limit, by rule and name. There may be any number of limits, so series beyond a
 * bound are one. Made by `services.ts`, told by `policy-effects.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { Place } from "../../policy/exchange.ts";
import { type Counter, type Metrics, series } from "../../telemetry/metrics.ts";

/** Of a request, as much as the series tells. */
interface LimitedRequest {
	readonly edgeId: string;
	readonly routeId: string;
}

/** No edge can have it as its id. */
const OTHERS = "(others)";

export class LimitsExceeded {
	readonly #metrics: Metrics;
	/** By the action's place, which equal policies of several routes share; then by route. Policies that are gone take theirs along. */
	readonly #byPlace = new WeakMap<Place, Map<string, Counter>>();
	/** names of the series that are counted in */
	readonly #known = new Set<string>();

	constructor(metrics: Metrics) {
		this.#metrics = metrics;
	}

	/** Hot. @param isEnforced was the request rejected? @param times so many requests */
	exceeded(
		{ edgeId, routeId }: LimitedRequest,
		place: Place,
		name: string,
		isEnforced: boolean,
		times = 1,
	): void {
		const key = `${isEnforced} ${edgeId} ${routeId}`;
		let counters = this.#byPlace.get(place);
		if (counters === undefined) {
			counters = new Map();
			this.#byPlace.set(place, counters);
		}
		let counter = counters.get(key);
		if (counter === undefined) {
			counter = this.#counterOf(edgeId, routeId, place, name, isEnforced);
			counters.set(key, counter);
		}
		counter.value += times;
	}

	#counterOf(
		edge: string,
		route: string,
		{ ruleIndex }: Place,
		name: string,
		isEnforced: boolean,
	): Counter {
		const enforced = isEnforced ? "true" : "false";
		const labels = { edge, route, rule: String(ruleIndex), name, enforced } as const;
		const own = series("weir_rate_limit_exceeded_total", labels);
		const isRoom = this.#known.has(own) || this.#known.size < LIMITS.rateLimitSeries;
		if (isRoom) this.#known.add(own);
		const others = { edge: OTHERS, route: "", rule: "", name: "", enforced } as const;
		return this.#metrics.counter(isRoom ? own : series("weir_rate_limit_exceeded_total", others));
	}
}
