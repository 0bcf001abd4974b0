/**
 * Makes a JavaScript function of the lowered code of one expression; `fuse.ts` makes one of several. Called by
 * `program.ts`, and by `assemble.ts` for parts that are evaluated beforehand.
 */
import type { Attributes } from "../attributes.ts";
import { IMPLEMENTATIONS } from "../library/table.ts";
import type { Code } from "./code.ts";
import { openConstant } from "./constants.ts";
import { RUNTIME } from "./runtime.ts";

/** Hot. @throws EvaluationFailure, OutOfBudget */
export type Run = (attributes: Attributes) => unknown;

/** The constants, library functions and runtime functions that a function's text refers to. */
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

/** Calls the function of `k`, `f` and `r` with this body and returns its result; takes some 30 µs. */
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
