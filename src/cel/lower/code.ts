/**
 * Lowered code as plain data, which threads can pass on, and as the function that it becomes. The code is
 * ours to the last character: what users wrote comes in through the constants only.
 */
import type { Attributes } from "../attributes.ts";
import { asksForChance, IMPLEMENTATIONS, signatureAsksForChance } from "../library/table.ts";
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
	!functions.some(signatureAsksForChance) &&
	!constants.some((constant) => constant.kind === "overloads" && asksForChance(constant.name));

/** What a function's text refers to. */
export type References = Pick<Code, "constants" | "functions" | "names">;

/** The beginning of the body of a function of `k`, `f` and `r`: all that it refers to under its name. */
export function prelude({ constants, functions, names }: References): string {
	const indexed = (letter: string, count: number): string =>
		Array.from({ length: count }, (_, at) => `const ${letter}${at} = ${letter}[${at}];`).join("");
	const runtime = names.length > 0 ? `const {${names.join(",")}} = r;` : "";
	return `"use strict";\n${indexed("k", constants.length)}${indexed("f", functions.length)}${runtime}`;
}

export const variables = (names: readonly string[]): string =>
	names.length > 0 ? `let ${names.join(",")};` : "";

/** @param text the body of a function of `k`, `f` and `r` @returns what it returns; takes some 30 µs */
export function made<T>(text: string, { constants, functions }: References): T {
	const make = new Function("k", "f", "r", text);
	return make(
		constants.map(openConstant),
		functions.map((signature) => IMPLEMENTATIONS.get(signature)?.call),
		RUNTIME,
	);
}

/** The body of a function of `k`, `f` and `r`, which returns a function of the attributes. */
export function codeText(code: Code): string {
	const { body, result, shared } = code;
	return [
		prelude(code),
		"return (a) => {",
		variables(shared.map(([, variable]) => variable)),
		body,
		`return ${result};`,
		"};",
	].join("\n");
}

/** The engine compiles the body when it first runs. */
export const openCode = (code: Code): Run => made(codeText(code), code);
