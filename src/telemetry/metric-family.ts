/** What a row of the table of metrics is. Used by the parts of the table: `metric-families.ts`. */

/** A label whose values come from configuration or requests: ids, indexes of rules. */
export const ANY = "any";
export const NONE = {};

export interface MetricFamily {
	/** a counter's name ends in `_total`; a histogram's series are `_bucket`, `_sum` and `_count` */
	readonly kind: "counter" | "gauge" | "histogram";
	/** one sentence or a few, without line breaks */
	readonly help: string;
	/** in the order in which they are printed */
	readonly labels: Readonly<Record<string, typeof ANY | readonly string[]>>;
}

export type FamilyTable = Readonly<Record<string, MetricFamily>>;
