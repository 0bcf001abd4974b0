/**
 * Lowered code as plain data, which threads can pass on, and as the function that it becomes. The code is
 * ours to the last character: what users wrote comes in through the constants only.
 */
import type { Attributes } from "../attributes.ts";
import { IMPLEMENTATIONS } from "../library/table.ts";
import { type Constant, openConstant } from "./constants.ts";
import { RUNTIME } from "./runtime.ts";

export interface Code {
	/** a function's body: takes `k`, `f` and `r`, returns a function of the attributes */
	readonly text: string;
	readonly constants: readonly Constant[];
	/** signatures of library functions */
	readonly functions: readonly string[];
}

/** Hot. @throws EvaluationFailure, OutOfBudget */
export type Run = (attributes: Attributes) => unknown;

/** @param names of `RUNTIME` that the statements use */
export function codeText(
	statements: readonly string[],
	result: string,
	counts: { readonly constants: number; readonly functions: number },
	names: readonly string[],
	shared: readonly string[],
): string {
	const indexed = (letter: string, count: number): string =>
		Array.from({ length: count }, (_, at) => `const ${letter}${at} = ${letter}[${at}];`).join("");
	return [
		'"use strict";',
		indexed("k", counts.constants),
		indexed("f", counts.functions),
		names.length > 0 ? `const {${names.join(",")}} = r;` : "",
		"return (a) => {",
		shared.length > 0 ? `let ${shared.join(",")};` : "",
		...statements,
		`return ${result};`,
		"};",
	].join("\n");
}

/** Takes some 30 µs; the engine compiles the body when it first runs. */
export function openCode({ text, constants, functions }: Code): Run {
	const make = new Function("k", "f", "r", text);
	return make(
		constants.map(openConstant),
		functions.map((signature) => IMPLEMENTATIONS.get(signature)?.call),
		RUNTIME,
	);
}
