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

/** Hot. @throws EvaluationFailure, OutOfBudget */
export type Run = (attributes: Attributes) => unknown;

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
const FACTORIES_OF_SHAPES = new WeakMap<Shape, Factory>();

/** Calls the function of `k`, `f` and `r` with this body and returns its result. */
export const made = <T>(text: string, references: References): T =>
	called(factoryOf(text), references) as T;

const called = (factory: Factory, { constants, functions }: Omit<References, "names">): unknown =>
	factory(
		constants.map(openConstant),
		functions.map((signature) => IMPLEMENTATIONS.get(signature)?.call),
		RUNTIME,
	);

/** The body of a function of `k`, `f` and `r`, which returns a function of the attributes. */
export function codeText({ shape, constants }: Code): string {
	const { body, result, shared, functions, names } = shape;
	return [
		prelude({ constants, functions, names }),
		"return (a) => {",
		variables(shared.map(([, variable]) => variable)),
		body,
		`return ${result};`,
		"};",
	].join("\n");
}

/** The engine compiles the body when it first runs. */
export function openCode(code: Code): Run {
	const { shape, constants } = code;
	let factory = FACTORIES_OF_SHAPES.get(shape);
	if (factory === undefined) {
		factory = factoryOf(codeText(code));
		FACTORIES_OF_SHAPES.set(shape, factory);
	}
	return called(factory, { constants, functions: shape.functions }) as Run;
}
