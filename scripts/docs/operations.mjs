// The table of metrics in docs/operations.md, which is written by hand otherwise.
import { code, table, withBlock, written } from "./lib/markdown.mjs";

export const file = "operations.md";

/**
 * A label without values has those of the configuration or of requests.
 * @param {[string, string | readonly string[]]} label
 */
const labelOf = ([name, values]) =>
	Array.isArray(values) ? `${code(name)}: ${values.join(", ")}` : code(name);

/** @param {import("./lib/markdown.mjs").Load} load */
export async function page(load) {
	/** @type {{ METRIC_FAMILIES: Record<string, { kind: string, help: string, labels: Record<string, string | readonly string[]> }> }} */
	const { METRIC_FAMILIES } = await load("telemetry/metric-families");
	const rows = Object.entries(METRIC_FAMILIES).map(([name, { kind, help, labels }]) => [
		code(name),
		kind,
		help,
		Object.entries(labels).map(labelOf).join("; "),
	]);
	return withBlock(written(file), "metrics", table(["metric", "type", "what", "labels"], rows));
}
