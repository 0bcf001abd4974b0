/**
 * Macros that the library's parser leaves as calls, made of what its planner has: loops over pairs, values
 * by name, conditions. Called by `rewrite.ts` with rewritten operands.
 */
import { bind, bool, call, type Expr, fold, int, list, name } from "./tree.ts";

const RESULT = "@result";
const PAIR = "@pair";

/** With an index or key and a value in scope. */
const inPair = ([first, second]: readonly [string, string], body: Expr): Expr =>
	bind(
		first,
		call("@index", name(PAIR), int(0n)),
		bind(second, call("@index", name(PAIR), int(1n)), body),
	);

type Step = (body: Expr) => Expr;

interface Shape {
	readonly start: () => Expr;
	readonly goOn: () => Expr;
	readonly step: Step;
	readonly result: () => Expr;
}

const result = (): Expr => name(RESULT);
const always = (): Expr => bool(true);

const SHAPES: Readonly<Record<string, Shape>> = {
	all: {
		start: () => bool(true),
		goOn: () => call("@not_strictly_false", result()),
		step: (body) => call("_&&_", result(), body),
		result,
	},
	exists: {
		start: () => bool(false),
		goOn: () => call("@not_strictly_false", call("!_", result())),
		step: (body) => call("_||_", result(), body),
		result,
	},
	existsOne: {
		start: () => int(0n),
		goOn: always,
		step: (body) => call("_?_:_", body, call("_+_", result(), int(1n)), result()),
		result: () => call("_==_", result(), int(1n)),
	},
	transformList: {
		start: () => list(),
		goOn: always,
		step: (body) => call("_+_", result(), list(body)),
		result,
	},
	transformMapEntry: {
		start: () => call("@map"),
		goOn: always,
		step: (body) => call("@insert", result(), body),
		result,
	},
};

/** Undefined if there is no such macro. `operands`: the body, before it a condition where the macro has one. */
export function twoVariables(
	macro: string,
	range: Expr,
	variables: readonly [string, string],
	operands: readonly Expr[],
): Expr | undefined {
	const [condition, body] = operands.length === 2 ? operands : [undefined, operands[0]];
	if (body === undefined) return undefined;
	const shape = shapeOf(macro, variables[0]);
	if (shape === undefined) return undefined;
	const step =
		condition === undefined
			? shape.step(body)
			: call("_?_:_", condition, shape.step(body), result());
	return fold({
		range: call("@pairs", range),
		variable: PAIR,
		accumulator: RESULT,
		start: shape.start(),
		goOn: shape.goOn(),
		step: inPair(variables, step),
		result: shape.result(),
	});
}

function shapeOf(macro: string, key: string): Shape | undefined {
	if (macro === "exists_one") return SHAPES.existsOne;
	if (macro !== "transformMap") return SHAPES[macro];
	return {
		start: () => call("@map"),
		goOn: always,
		step: (body) => call("@insert", result(), name(key), body),
		result,
	};
}

const OPTIONAL = "@optional";

/** `a.or(b)`, which looks at `b` only where `a` is none. */
export const optionalOr = (target: Expr, other: Expr): Expr =>
	bind(
		OPTIONAL,
		target,
		call("_?_:_", call("@held", name(OPTIONAL)), name(OPTIONAL), call("@optional", other)),
	);

export const optionalOrValue = (target: Expr, other: Expr): Expr =>
	bind(
		OPTIONAL,
		target,
		call("_?_:_", call("@held", name(OPTIONAL)), heldValue(name(OPTIONAL)), other),
	);

/** @param isFlat yields the body an optional itself? */
export const optionalMap = (target: Expr, variable: string, body: Expr, isFlat: boolean): Expr =>
	bind(
		OPTIONAL,
		target,
		call(
			"_?_:_",
			call("@held", name(OPTIONAL)),
			bind(
				variable,
				heldValue(name(OPTIONAL)),
				isFlat ? call("@optional", body) : call("optional.of", body),
			),
			call("optional.none"),
		),
	);

const heldValue = (optional: Expr): Expr => call("@value", optional);

export const sortBy = (target: Expr, variable: string, key: Expr): Expr =>
	bind(
		"@list",
		target,
		call(
			"@sortBy",
			name("@list"),
			fold({
				range: name("@list"),
				variable,
				accumulator: RESULT,
				start: list(),
				goOn: always(),
				step: call("_+_", result(), list(key)),
				result: result(),
			}),
		),
	);
