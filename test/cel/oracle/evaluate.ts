/**
 * A second implementation of the language, to hold the project's own against: the library's parser and
 * planner, with what they lack or get wrong put right. Slow, and trusted because others made most of it.
 */
import { isCelError, parse, plan } from "@bufbuild/cel";
import type { Attributes } from "../../../src/cel/attributes.ts";
import { described } from "../values.ts";
import { ENVIRONMENT } from "./environment.ts";
import { flatName, rewrite } from "./rewrite.ts";
import { READS } from "./variables.ts";

/** What a source yields: a described value, or `failure: …`. */
export type OracleResult = string;

/** @throws if the library's parser refuses the source */
export function planOracle(source: string): (attributes: Attributes) => OracleResult {
	const { expr } = parse(source);
	if (expr === undefined) throw new Error("the library's parser yields nothing");
	const run = plan(ENVIRONMENT, rewrite(expr));
	return (attributes) => {
		const bindings = Object.create(null);
		for (const [name, read] of READS) {
			let value: ReturnType<typeof read> | undefined;
			Object.defineProperty(bindings, flatName(name), {
				get: () => {
					value ??= read(attributes);
					return value;
				},
			});
		}
		const result = run(bindings);
		return isCelError(result) ? `failure: ${result.message}` : described(result);
	};
}

export const evaluateOracle = (source: string, attributes: Attributes): OracleResult =>
	planOracle(source)(attributes);
