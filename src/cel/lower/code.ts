/**
 * Lowered code as plain data, which threads can pass on, and as the function that it becomes. The code is
 * ours to the last character: what users wrote comes in through the constants only.
 */
import type { Attributes } from "../attributes.ts";
import { IMPLEMENTATIONS } from "../library/table.ts";
import { type Constant, openConstant } from "./constants.ts";
import { RUNTIME } from "./runtime.ts";

export interface Code {
	/** statements, then an expression over what they leave; `a` are the attributes */
	readonly body: string;
	readonly result: string;
	/** named `k0`, `k1` … in both */
	readonly constants: readonly Constant[];
	/** signatures of library functions, named `f0`, `f1` … */
	readonly functions: readonly string[];
	/** names of `RUNTIME` */
	readonly names: readonly string[];
	/** variables that hold what was read of the attributes, by what they hold */
	readonly shared: readonly (readonly [key: string, variable: string])[];
}

/** Hot. @throws EvaluationFailure, OutOfBudget */
export type Run = (attributes: Attributes) => unknown;

/** Does it yield the same however often it is asked about a request? What asks for chance does not. */
export const isSteady = ({ functions, constants }: Code): boolean =>
	!functions.some(isChance) &&
	!constants.some((constant) => constant.kind === "overloads" && isChance(constant.name));

const isChance = (name: string): boolean => name.startsWith("rand.");

const declared = (letter: string, count: number): string =>
	Array.from({ length: count }, (_, at) => `const ${letter}${at} = ${letter}[${at}];`).join("");

export const variables = (names: readonly string[]): string =>
	names.length > 0 ? `let ${names.join(",")};` : "";

/** The body of a function of `k`, `f` and `r`, which returns a function of the attributes. */
export function codeText({ body, result, constants, functions, names, shared }: Code): string {
	return [
		'"use strict";',
		declared("k", constants.length),
		declared("f", functions.length),
		names.length > 0 ? `const {${names.join(",")}} = r;` : "",
		"return (a) => {",
		variables(shared.map(([, variable]) => variable)),
		body,
		`return ${result};`,
		"};",
	].join("\n");
}

/** Takes some 30 µs; the engine compiles the body when it first runs. */
export function openCode(code: Code): Run {
	const make = new Function("k", "f", "r", codeText(code));
	return make(
		code.constants.map(openConstant),
		code.functions.map((signature) => IMPLEMENTATIONS.get(signature)?.call),
		RUNTIME,
	);
}
