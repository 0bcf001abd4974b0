// The table of metrics in docs/operations.md, which is written by hand otherwise.
import { code, table, withBlock, written } from "./lib/markdown.mjs";

export const file = "operations.md";

export async function page(load) {
	const { METRIC_FAMILIES } = await load("metrics");
	const rows = Object.entries(METRIC_FAMILIES).map(([name, { type, help }]) => [
		code(name),
		type,
		help,
	]);
	return withBlock(written(file), "metrics", table(["metric", "type", "what"], rows));
}
