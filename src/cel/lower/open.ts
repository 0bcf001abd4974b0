/**
 * Makes a JavaScript function of the lowered code of one expression; `fuse.ts` makes one of several. Called by
 * `program.ts`, and by `assemble.ts` for parts that are evaluated beforehand.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { Attributes } from "../attributes.ts";
import { Cache } from "../cache.ts";
import { IMPLEMENTATIONS } from "../library/table.ts";
import type { Code, Shape } from "./code.ts";
import { openConstant } from "./constants.ts";
import { RUNTIME } from "./runtime.ts";

/**
 * Hot. One function for all expressions of a shape, which takes their constants along: closures would be code that the
 * engine keeps records of once for every policy.
 * @param cells hold the constants, opened, in their order @param first where they begin
 * @throws EvaluationFailure, OutOfBudget
 */
export type Run = (attributes: Attributes, cells: readonly unknown[], first: number) => unknown;

/** The constants, library functions and runtime functions that a function's text refers to. */
export type References = Pick<Code, "constants"> & Pick<Shape, "functions" | "names">;

/** A function of `k`, `f` and `r`. */
type Factory = (
	constants: readonly unknown[],
	functions: readonly unknown[],
	runtime: typeof RUNTIME,
) => unknown;

/** The beginning of the body of a function of `k`, `f` and `r`: all that it refers to under its name. */
export function prelude({ constants, functions, names }: References): string {
	const indexed = (letter: string, count: number): string =>
		Array.from({ length: count }, (_, at) => `const ${letter}${at} = ${letter}[${at}];`).join("");
	const runtime = names.length > 0 ? `const {${names.join(",")}} = r;` : "";
	return `"use strict";\n${indexed("k", constants.length)}${indexed("f", functions.length)}${runtime}`;
}

export const variables = (names: readonly string[]): string =>
	names.length > 0 ? `let ${names.join(",")};` : "";

/** By their texts: policies of many rules that differ in constants only share fused functions too. */
const FACTORIES = new Cache<Factory>(LIMITS.sharedShapes);

/** The compiled function of `k`, `f` and `r` with this body. Compiling it takes some 30 µs. */
function factoryOf(text: string): Factory {
	const known = FACTORIES.get(text);
	if (known !== undefined) return known;
	const factory = new Function("k", "f", "r", text) as Factory;
	return text.length > LIMITS.sharedShapeCharacters ? factory : FACTORIES.put(text, factory);
}

/** Kept with a shape for as long as anything has it, so that no text is put together to find them. */
const RUNS_OF_SHAPES = new WeakMap<Shape, Run>();

/** Calls the function of `k`, `f` and `r` with this body and returns its result. */
export const made = <T>(text: string, references: References): T =>
	called(factoryOf(text), references) as T;

const called = (factory: Factory, { constants, functions }: Omit<References, "names">): unknown =>
	factory(
		constants.map(openConstant),
		functions.map((signature) => IMPLEMENTATIONS.get(signature)?.call),
		RUNTIME,
	);

/** Code with the constants that it works on. */
export interface OpenCode {
	readonly run: Run;
	readonly constants: readonly unknown[];
}

/** `k0`, `k1` … The code is ours to the last character, so nothing else is named so. */
const CONSTANT_NAMES = /\bk(\d+)\b/g;

/** The body of a function of `f` and `r`, which returns a function of the attributes and the constants. */
export function codeText({ body, result, shared, functions, names }: Shape): string {
	const text = [
		prelude({ constants: [], functions, names }),
		"return (a, k, o) => {",
		variables(shared.map(([, variable]) => variable)),
		body,
		`return ${result};`,
		"};",
	].join("\n");
	return text.replace(CONSTANT_NAMES, "k[o + $1]");
}

/** The engine compiles the body when it first runs. */
export function openShared({ shape, constants }: Code): OpenCode {
	let run = RUNS_OF_SHAPES.get(shape);
	if (run === undefined) {
		run = made<Run>(codeText(shape), { ...shape, constants: [] });
		RUNS_OF_SHAPES.set(shape, run);
	}
	return { run, constants: constants.map(openConstant) };
}

/** Code that costs nothing to open: its function is made already, and its constants are values alone. */
export function openIfReady(code: Code): OpenCode | undefined {
	const isReady =
		RUNS_OF_SHAPES.has(code.shape) && code.constants.every(({ kind }) => kind === "value");
	return isReady ? openShared(code) : undefined;
}

/** As `openShared`, as one function. */
export function openCode(code: Code): (attributes: Attributes) => unknown {
	const { run, constants } = openShared(code);
	return (attributes) => run(attributes, constants, 0);
}
