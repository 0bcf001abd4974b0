/** What `/metrics` prints of a `DurationHistogram`. Used by `traffic-series.ts` and, of a fleet, `fleet/fleet-counts.ts`. */
import type { FamilyName } from "../metric-families.ts";
import { printed } from "../metrics.ts";
import type { DurationHistogram } from "./duration-histogram.ts";

/** @param powers first and last power of two of the histogram's unit whose bounds are printed */
export function addHistogram(
	values: Record<string, number>,
	name: FamilyName,
	labels: Readonly<Record<string, string>>,
	histogram: DurationHistogram,
	[from, to]: readonly [number, number],
): void {
	for (const [seconds, count] of histogram.cumulative(from, to)) {
		values[printed(`${name}_bucket`, { ...labels, le: bound(seconds) })] = count;
	}
	values[printed(`${name}_bucket`, { ...labels, le: "+Inf" })] = histogram.count;
	values[printed(`${name}_sum`, labels)] = histogram.seconds;
	values[printed(`${name}_count`, labels)] = histogram.count;
}

/** As both formats write it: not as `4e-7`, and with a fraction. */
function bound(seconds: number): string {
	const text = seconds.toFixed(9).replace(/0+$/, "");
	return text.endsWith(".") ? `${text}0` : text;
}
