/**
 * Counters and gauges of one process, and the text of `/metrics`. Workers and supervisor each keep their own numbers;
 * the supervisor merges them when `/metrics` is read. The name of a series is its full Prometheus name, labels
 * included, so that merging is adding. Families and their labels are rows of `metric-families.ts`.
 */
import {
	type FamilyName,
	type KindOf,
	type LabelsOf,
	METRIC_FAMILIES,
	type MetricFamily,
	type PlainName,
} from "./metric-families.ts";

export interface MetricsSnapshot {
	readonly [series: string]: number;
}

/** A snapshot that is written down by hand, of families without labels: its names are checked. */
export type PlainSnapshot = { readonly [Name in PlainName]?: number };

declare const KIND: unique symbol;
/** The printed name of one series with labels; only `series` makes it. */
type LabelledSeries<Kind> = string & { readonly [KIND]: Kind };
type Series<Kind extends MetricFamily["kind"]> = LabelledSeries<Kind> | PlainName<Kind>;
export type CounterSeries = Series<"counter">;
export type GaugeSeries = Series<"gauge">;

const escapeLabel = (value: string): string =>
	value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

/** `name{a="b"}`; labels in the given order. Code that runs for every request keeps the result, or a `Counter`. */
export function series<Name extends FamilyName>(
	name: Name,
	labels: LabelsOf<Name>,
): LabelledSeries<KindOf<Name>> {
	const parts = Object.entries<string>(labels).map(
		([label, value]) => `${label}="${escapeLabel(value)}"`,
	);
	const printed = parts.length === 0 ? name : `${name}{${parts.join(",")}}`;
	return printed as LabelledSeries<KindOf<Name>>;
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

	/** For code that runs for every request: `counter.value++`. */
	counter(key: CounterSeries): Counter {
		let counter = this.#counters.get(key);
		if (counter === undefined) {
			counter = new Counter();
			this.#counters.set(key, counter);
		}
		return counter;
	}

	/** Read when a snapshot is taken. */
	gauge(key: GaugeSeries, read: () => number): void {
		this.#gauges.set(key, read);
	}

	add(key: CounterSeries, amount = 1): void {
		this.counter(key).value += amount;
	}

	set(key: GaugeSeries, value: number): void {
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
	for (const [family, { kind, help }] of Object.entries(METRIC_FAMILIES)) {
		const own = [...totals].filter(([key]) => key === family || key.startsWith(`${family}{`));
		if (own.length === 0) continue;
		lines.push(`# HELP ${family} ${help}`, `# TYPE ${family} ${kind}`);
		for (const [key, value] of own.sort()) lines.push(`${key} ${value}`);
	}
	return `${lines.join("\n")}\n`;
}
