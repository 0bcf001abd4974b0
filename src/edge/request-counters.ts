/** How the requests of a worker ended: by class of the status, refused before a route was looked for, by a policy. Made by `services.ts`. */
import { POLICY_ENDS } from "../policy/outcomes.ts";
import type { LabelsOf } from "../telemetry/metric-families.ts";
import { type Counter, type Metrics, series } from "../telemetry/metrics.ts";

const CLASSES = ["other", "1xx", "2xx", "3xx", "4xx", "5xx"] as const;
const ABORTS = series("weir_client_aborts_total", {});

/** How a policy may end a request. */
export type PolicyEnd = LabelsOf<"weir_policy_outcomes_total">["outcome"];

export class RequestCounters {
	readonly #metrics: Metrics;
	/** by hundreds of the status */
	readonly #answers: readonly Counter[];
	readonly #other: Counter;
	readonly #aborts: Counter;
	readonly #in: Counter;
	readonly #out: Counter;
	readonly #outcomes = new Map<PolicyEnd, Counter>();

	constructor(metrics: Metrics) {
		const answers = CLASSES.map((each) =>
			metrics.counter(series("weir_requests_total", { class: each })),
		);
		this.#metrics = metrics;
		this.#answers = answers;
		this.#other = metrics.counter(series("weir_requests_total", { class: "other" }));
		this.#aborts = metrics.counter(ABORTS);
		this.#in = metrics.counter(series("weir_body_bytes_total", { direction: "in" }));
		this.#out = metrics.counter(series("weir_body_bytes_total", { direction: "out" }));
		for (const outcome of POLICY_ENDS) {
			const counter = metrics.counter(series("weir_policy_outcomes_total", { outcome }));
			this.#outcomes.set(outcome, counter);
		}
	}

	/** Hot. @param times of so many requests */
	answered(statusCode: number, times = 1): void {
		const counter = this.#answers[Math.floor(statusCode / 100)] ?? this.#other;
		counter.value += times;
	}

	/** The client left before the answer. */
	aborted(): void {
		this.#aborts.value++;
	}

	/** Hot. @param bytesIn of the request's body @param bytesOut of the answer's */
	carried(bytesIn: number, bytesOut: number): void {
		this.#in.value += bytesIn;
		this.#out.value += bytesOut;
	}

	/** Before a route was looked for. */
	refused(statusCode: number): void {
		this.answered(statusCode);
		this.#metrics.add(series("weir_requests_refused_total", { status: String(statusCode) }));
	}

	/** Hot. A policy ended a request, or so many. */
	ended(end: PolicyEnd, times = 1): void {
		const counter = this.#outcomes.get(end);
		if (counter !== undefined) counter.value += times;
	}
}
