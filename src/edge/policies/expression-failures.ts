/**
 * Counts and logs expressions, templates and rewrites that fail on requests (contract 4), each with its place in the
 * policy. One that fails fails thousands of times, so there is at most one line a second for each place; and there may
 * be any number of places, so series beyond a bound are one. Used by `services.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { Place } from "../../policy/exchange.ts";
import type { Log } from "../../telemetry/log.ts";
import { eventsBefore, LogPaces } from "../../telemetry/log-pace.ts";
import { type Counter, type Metrics, series } from "../../telemetry/metrics.ts";

/** Of a request, as much as line and series tell. */
interface FailingRequest {
	readonly edgeId: string;
	readonly routeId: string;
}

/** No edge can have it as its id. */
const OTHERS = "(others)";

export class ExpressionFailures {
	readonly #metrics: Metrics;
	readonly #log: Log;
	readonly #paces = new LogPaces(LIMITS.expressionLogMs);
	/** by place */
	readonly #counters = new Map<string, Counter>();

	constructor(metrics: Metrics, log: Log) {
		this.#metrics = metrics;
		this.#log = log;
	}

	failed(
		{ edgeId, routeId }: FailingRequest,
		place: Place,
		message: string,
		nowMs = performance.now(),
	): void {
		const { phase, ruleIndex, ruleName, expressionIndex, actionIndex } = place;
		const key = `${edgeId} ${routeId} ${phase} ${ruleIndex} ${expressionIndex} ${actionIndex}`;
		this.#counterOf(key, edgeId, routeId, place).value++;
		const times = this.#paces.happened(key, nowMs);
		if (times === undefined) return;
		this.#log.warn(
			{
				edge: edgeId,
				route: routeId,
				phase,
				rule: ruleIndex,
				rule_name: ruleName,
				...(expressionIndex < 0 ? {} : { expression: expressionIndex }),
				...(actionIndex < 0 ? {} : { action: actionIndex }),
				reason: message.slice(0, LIMITS.logReasonCharacters),
				...eventsBefore(times),
			},
			"policy expression failed",
		);
	}

	#counterOf(key: string, edge: string, route: string, place: Place): Counter {
		const known = this.#counters.get(key);
		if (known !== undefined) return known;
		const isRoom = this.#counters.size < LIMITS.expressionErrorSeries;
		const numbered = (index: number) => (index < 0 || !isRoom ? "" : String(index));
		const labels = {
			edge: isRoom ? edge : OTHERS,
			route: isRoom ? route : "",
			phase: place.phase,
			rule: numbered(place.ruleIndex),
			expression: numbered(place.expressionIndex),
			action: numbered(place.actionIndex),
		};
		const counter = this.#metrics.counter(series("weir_expression_errors_total", labels));
		if (isRoom) this.#counters.set(key, counter);
		return counter;
	}
}
