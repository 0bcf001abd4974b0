/**
 * Counters that each process keeps for itself and the supervisor merges when `/metrics` is read.
 * A name is a full Prometheus series, labels included, so that merging is adding; `HELP` names the families.
 */
export interface MetricsSnapshot {
	readonly [series: string]: number;
}

/** Families that exist, in the order in which they are printed; counters end in `_total`. */
export const METRIC_FAMILIES: Readonly<
	Record<string, { type: "counter" | "gauge"; help: string }>
> = {
	weir_requests_total: { type: "counter", help: "Requests answered, by status class." },
	weir_policy_outcomes_total: {
		type: "counter",
		help: "Requests that a policy ended, by outcome (deny, respond, limited, failed).",
	},
	weir_underscored_fields_total: {
		type: "counter",
		help: "Header fields of requests with more than letters, digits and hyphens in the name that went no further, by action.",
	},
	weir_proxy_frames_refused_total: {
		type: "counter",
		help: "Connections closed because they didn't begin with a good PROXY protocol header.",
	},
	weir_expression_errors_total: {
		type: "counter",
		help: "Expressions that failed at run time, by edge, route, phase, rule and expression.",
	},
	weir_heavy_evaluations_total: {
		type: "counter",
		help: "Expensive evaluations meant for a thread, by outcome (settled, failed, overrun, waited, queue_full, cancelled).",
	},
	weir_heavy_threads_lost_total: {
		type: "counter",
		help: "Threads for expensive expressions that ended by themselves and were replaced.",
	},
	weir_heavy_threads_replaced_total: {
		type: "counter",
		help: "Threads for expensive expressions that were ended because an evaluation overran its deadline.",
	},
	weir_heavy_evaluations_waiting: {
		type: "gauge",
		help: "Expensive evaluations that wait for a thread.",
	},
	weir_rate_limit_exceeded_total: {
		type: "counter",
		help: "Requests over a rate-limit, by edge, route and whether it was enforced.",
	},
	weir_rate_limits: {
		type: "gauge",
		help: "Rate-limits that have met requests: those in force, and earlier ones until their counts expire.",
	},
	weir_rate_limit_live_keys: { type: "gauge", help: "Buckets that rate-limits keep count of." },
	weir_rate_limit_evicted_keys_total: {
		type: "counter",
		help: "Buckets forgotten before they expired, because a rate-limit had too many.",
	},
	weir_rate_limit_full_total: {
		type: "counter",
		help: "Requests of new buckets rejected because there was no room and all others were limited.",
	},
	weir_counters_bytes: { type: "gauge", help: "Size of the counters file." },
	weir_upstream_errors_total: {
		type: "counter",
		help: "Upstream attempts that failed, by reason.",
	},
	weir_upstream_retries_total: { type: "counter", help: "Requests sent again." },
	weir_slow_clients_total: {
		type: "counter",
		help: "Requests ended because the client was too slow, by direction and reason (rate, address, place, memory).",
	},
	weir_client_aborts_total: { type: "counter", help: "Clients that left before the answer." },
	weir_log_lines_dropped_total: { type: "counter", help: "Log lines dropped, buffer full." },
	weir_connections: { type: "gauge", help: "Connections of clients that are open, by side." },
	weir_connections_refused_total: {
		type: "counter",
		help: "Connections closed at once because there were too many, by side.",
	},
	weir_requests_in_flight: { type: "gauge", help: "Requests being worked on." },
	weir_workers: { type: "gauge", help: "Workers that serve." },
	weir_workers_stuck_total: {
		type: "counter",
		help: "Workers replaced because they stood still or went round in circles.",
	},
	weir_worker_restarts_total: { type: "counter", help: "Workers started again." },
	weir_store_lost: {
		type: "gauge",
		help: "1 if the store's files were removed, replaced or cut short: nothing is stored until a restart.",
	},
	weir_policies: { type: "gauge", help: "Policies stored." },
	weir_routes: { type: "gauge", help: "Routes stored." },
	weir_edges: { type: "gauge", help: "Edges stored." },
};

const escapeLabel = (value: string): string =>
	value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

/** `name{a="b"}`; labels in the given order. */
export function series(name: string, labels: Readonly<Record<string, string>>): string {
	const parts = Object.entries(labels).map(([key, value]) => `${key}="${escapeLabel(value)}"`);
	return parts.length === 0 ? name : `${name}{${parts.join(",")}}`;
}

/** One series that only grows; held by who counts it for every request. */
export class Counter {
	value = 0;
}

/** A process's own numbers. */
export class Metrics {
	readonly #values = new Map<string, number>();
	readonly #counters = new Map<string, Counter>();
	readonly #gauges = new Map<string, () => number>();

	/** What is counted where every instruction counts: `counter.value++`. */
	counter(key: string): Counter {
		let counter = this.#counters.get(key);
		if (counter === undefined) {
			counter = new Counter();
			this.#counters.set(key, counter);
		}
		return counter;
	}

	/** Read when a snapshot is taken. */
	gauge(key: string, read: () => number): void {
		this.#gauges.set(key, read);
	}

	add(key: string, amount = 1): void {
		this.counter(key).value += amount;
	}

	set(key: string, value: number): void {
		this.#values.set(key, value);
	}

	/** Counters appear with their first count. */
	snapshot(): MetricsSnapshot {
		const values: Record<string, number> = Object.fromEntries(this.#values);
		for (const [key, { value }] of this.#counters) if (value !== 0) values[key] = value;
		for (const [key, read] of this.#gauges) values[key] = read();
		return values;
	}
}

/** Adds up snapshots and prints Prometheus text format 0.0.4. */
export function renderMetrics(snapshots: readonly MetricsSnapshot[]): string {
	const totals = new Map<string, number>();
	for (const snapshot of snapshots) {
		for (const [key, value] of Object.entries(snapshot)) {
			totals.set(key, (totals.get(key) ?? 0) + value);
		}
	}
	const lines: string[] = [];
	for (const [family, { type, help }] of Object.entries(METRIC_FAMILIES)) {
		const own = [...totals].filter(([key]) => key === family || key.startsWith(`${family}{`));
		if (own.length === 0) continue;
		lines.push(`# HELP ${family} ${help}`, `# TYPE ${family} ${type}`);
		for (const [key, value] of own.sort()) lines.push(`${key} ${value}`);
	}
	return `${lines.join("\n")}\n`;
}
