// The tables of error codes in docs/management-api.md, which is written by hand otherwise.
import { code, table, withBlock, written } from "./lib/markdown.mjs";

export const file = "management-api.md";

/** @param {import("./lib/markdown.mjs").Load} load */
export async function page(load) {
	const { codesOf } = await load("error-code-origins");
	const { ERROR_CODES } = await load("error-codes");
	/** @param {"api" | "edge"} by */
	const rowsOf = (by) =>
		codesOf(by).map((/** @type {string} */ name) => {
			const { status, cause, remedy } = ERROR_CODES[name];
			return [code(name), String(status), cause, remedy];
		});
	/** @param {"api" | "edge"} by */
	const blockOf = (by) => table(["code", "status", "cause", "remedy"], rowsOf(by));
	const text = withBlock(written(file), "error codes", blockOf("api"));
	return withBlock(text, "data path codes", blockOf("edge"));
}
