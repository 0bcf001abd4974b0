/**
 * From lowered code to the function that it is: one expression by itself here, several in one in `fuse.ts`.
 * Called by `program.ts`, and by `assemble.ts` for what is evaluated beforehand.
 */
import type { Attributes } from "../attributes.ts";
import { IMPLEMENTATIONS } from "../library/table.ts";
import type { Code } from "./code.ts";
import { openConstant } from "./constants.ts";
import { RUNTIME } from "./runtime.ts";

/** Hot. @throws EvaluationFailure, OutOfBudget */
export type Run = (attributes: Attributes) => unknown;

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
