/**
 * The table of metrics as a type and as data. The type half is checked by `npm run typecheck`: an
 * `@ts-expect-error` without an error below it is an error itself.
 */
import { expect, it } from "vitest";
import {
	familyOf,
	METRIC_FAMILIES,
	type MetricFamily,
} from "../../src/telemetry/metric-families.ts";
import { Metrics, type PlainSnapshot, series } from "../../src/telemetry/metrics.ts";

const FAMILIES: readonly (readonly [string, MetricFamily])[] = Object.entries(METRIC_FAMILIES);

it("does not compile a name, a label or a value that no row has, nor the wrong kind", () => {
	const metrics = new Metrics();
	metrics.add("weir_upstream_retries_total");
	// @ts-expect-error a misspelt name
	metrics.add("weir_upstream_retrys_total");
	// @ts-expect-error text that only looks like a series
	metrics.add("weir_upstream_errors_total" as string);
	// @ts-expect-error a family with labels has no series without them
	metrics.add("weir_upstream_errors_total");
	// @ts-expect-error a gauge is not added to
	metrics.add("weir_workers");
	// @ts-expect-error a counter is not set
	metrics.set("weir_upstream_retries_total", 1);
	metrics.add(series("weir_upstream_errors_total", { reason: "timeout" }));
	// @ts-expect-error a misspelt label
	metrics.add(series("weir_upstream_errors_total", { raeson: "timeout" }));
	// @ts-expect-error a misspelt value
	metrics.add(series("weir_upstream_errors_total", { reason: "timeuot" }));
	// @ts-expect-error a label is missing
	metrics.add(series("weir_slow_clients_total", { direction: "upload" }));
	// @ts-expect-error a label that this family does not have
	metrics.add(series("weir_upstream_retries_total", { reason: "timeout" }));
	// @ts-expect-error a misspelt name
	metrics.counter(series("weir_upstream_erors_total", { reason: "timeout" }));
	// @ts-expect-error a gauge's series is not counted
	metrics.counter(series("weir_connections", { side: "data" }));
	const snapshot: PlainSnapshot = {
		weir_workers: 1,
		// @ts-expect-error a misspelt name in a snapshot written by hand
		weir_wrokers: 1,
	};
	expect(Object.keys(snapshot)).toHaveLength(2);
});

it("names counters, and only counters, with _total", () => {
	for (const [name, { kind }] of FAMILIES)
		expect([name, name.endsWith("_total")]).toEqual([name, kind === "counter"]);
});

it("says in the help of a family which values its labels have, if it says any", () => {
	for (const [name, { help, labels }] of FAMILIES) {
		const said = /\(([a-z_]+(?:, [a-z_]+)+)\)/.exec(help)?.[1];
		if (said === undefined) continue;
		const values = Object.values(labels).map((each) => (each === "any" ? "" : each.join(", ")));
		expect([name, values]).toEqual([name, expect.arrayContaining([said])]);
	}
});

it("finds the family of a printed series", () => {
	expect(familyOf('weir_connections{side="data"}')).toBe(METRIC_FAMILIES.weir_connections);
	expect(familyOf("weir_workers")).toBe(METRIC_FAMILIES.weir_workers);
	expect(familyOf("toString")).toBeUndefined();
});
