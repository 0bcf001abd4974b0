/**
 * Counters and gauges of one process. Workers and supervisor each keep their own numbers; the supervisor merges them when
 * `/metrics` is read (`exposition.ts`). The name of a series is its full Prometheus name, labels included, so that
 * merging is adding. Families and their labels are rows of `metric-families.ts`.
 */
import type { FamilyName, KindOf, LabelsOf, MetricFamily, PlainName } from "./metric-families.ts";

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
	return printed(name, labels) as LabelledSeries<KindOf<Name>>;
}

/** Without a look at the table, for the series of a histogram. */
export function printed(name: string, labels: Readonly<Record<string, string>>): string {
	const parts = Object.entries(labels).map(([label, value]) => `${label}="${escapeLabel(value)}"`);
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
	readonly #sources: (() => MetricsSnapshot)[] = [];

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

	/** Series that are read together, when a snapshot is taken; made with `series`. */
	source(read: () => MetricsSnapshot): void {
		this.#sources.push(read);
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
		for (const read of this.#sources) Object.assign(values, read());
		return values;
	}
}
