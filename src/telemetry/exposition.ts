/**
 * The text of `/metrics`, in the two forms that Prometheus and its kin read: its own text format 0.0.4, and
 * OpenMetrics 1.0 for those that ask for it. Called by `process/supervisor/scrape.ts` and `management/operations.ts`.
 */
import { asciiLowerCase } from "../ascii.ts";
import { type FamilyName, familyNameOf, METRIC_FAMILIES } from "./metric-families.ts";
import type { MetricFamily } from "./metric-family.ts";
import type { MetricsSnapshot } from "./metrics.ts";

export type MetricsFormat = "prometheus" | "openmetrics";

export const CONTENT_TYPES: Readonly<Record<MetricsFormat, string>> = {
	prometheus: "text/plain; version=0.0.4; charset=utf-8",
	openmetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
};

/** Adds up snapshots; of a histogram the buckets, in the order in which they come. */
export function renderMetrics(
	snapshots: readonly MetricsSnapshot[],
	format: MetricsFormat = "prometheus",
): string {
	const families = byFamily(snapshots);
	const lines: string[] = [];
	for (const [name, family] of Object.entries<MetricFamily>(METRIC_FAMILIES)) {
		const series = families.get(name as FamilyName);
		if (series === undefined) continue;
		const { kind, help } = family;
		// OpenMetrics names a counter without the end that its series have.
		const told = format === "openmetrics" ? name.replace(/_total$/, "") : name;
		lines.push(`# HELP ${told} ${escapeHelp(help)}`, `# TYPE ${told} ${kind}`);
		const entries = [...series];
		if (kind !== "histogram") entries.sort(([left], [right]) => (left < right ? -1 : 1));
		for (const [key, value] of entries) lines.push(`${key} ${value}`);
	}
	if (format === "openmetrics") lines.push("# EOF");
	return `${lines.join("\n")}\n`;
}

function byFamily(snapshots: readonly MetricsSnapshot[]): Map<FamilyName, Map<string, number>> {
	const families = new Map<FamilyName, Map<string, number>>();
	for (const snapshot of snapshots) {
		for (const [key, value] of Object.entries(snapshot)) {
			const name = familyNameOf(key);
			if (name === undefined) continue;
			let series = families.get(name);
			if (series === undefined) {
				series = new Map();
				families.set(name, series);
			}
			series.set(key, (series.get(key) ?? 0) + value);
		}
	}
	return families;
}

const escapeHelp = (help: string): string => help.replaceAll("\\", "\\\\").replaceAll('"', "'");

interface Range {
	readonly type: string;
	readonly weight: number;
}

/**
 * OpenMetrics for those that name it and don't want plain text more.
 * @param lines of the `accept` field
 */
export function metricsFormat(lines: readonly string[]): MetricsFormat {
	const ranges = lines.flatMap((line) => line.split(",")).map(rangeOf);
	const open = weightOf(ranges, "application/openmetrics-text");
	return open > 0 && open >= weightOf(ranges, "text/plain") ? "openmetrics" : "prometheus";
}

function rangeOf(text: string): Range {
	const [type = "", ...parameters] = text.split(";").map((part) => asciiLowerCase(part.trim()));
	const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
	const isKnown = parameters.every((each) => !each.startsWith("version=") || KNOWN.test(each));
	return { type, weight: isKnown ? Number(weight ?? 1) || 0 : 0 };
}

/** versions that are written */
const KNOWN = /^version="?(?:0\.0\.4|1\.0\.0|0\.0\.1)"?$/;

const weightOf = (ranges: readonly Range[], wanted: string): number =>
	Math.max(0, ...ranges.filter(({ type }) => type === wanted).map(({ weight }) => weight));
