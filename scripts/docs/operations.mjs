// The table of metrics in docs/operations.md, which is written by hand otherwise.
import { code, table, withBlock, written } from "./lib/markdown.mjs";

export const file = "operations.md";

/** @param {import("./lib/markdown.mjs").Load} load */
export async function page(load) {
	/** @type {{ METRIC_FAMILIES: Record<string, { type: string, help: string }> }} */
	const { METRIC_FAMILIES } = await load("telemetry/metrics");
	const rows = Object.entries(METRIC_FAMILIES).map(([name, { type, help }]) => [
		code(name),
		type,
		help,
	]);
	return withBlock(written(file), "metrics", table(["metric", "type", "what"], rows));
}
