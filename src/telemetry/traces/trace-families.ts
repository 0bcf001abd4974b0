/** The row of the table of metrics about spans. A part of `metric-families.ts`, which says how rows are read. */
export const TRACE_FAMILIES = {
	weir_trace_spans_total: {
		kind: "counter",
		help: "Spans that the collector has, that it did not take, and for which the queue had no room, by result.",
		labels: { result: ["exported", "failed", "dropped"] },
	},
} as const;
