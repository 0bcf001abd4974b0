/**
 * Macros that the library's parser leaves as calls, made of what its planner has: loops over pairs, values
 * by name, conditions. Called by `rewrite.ts` with rewritten operands.
 */
import { bind, bool, call, type Expr, fold, int, list as listOf, name } from "./tree.ts";

const RESULT = "@result";

let names = 0;

/** A name that nothing else has: what is bound to it may hold the same macro once more. */
export const newName = (): string => `@bound:${names++}`;

/** With an index or key and a value in scope. */
const inPair = (pair: string, [first, second]: readonly [string, string], body: Expr): Expr =>
	bind(
		first,
		call("@index", name(pair), int(0n)),
		bind(second, call("@index", name(pair), int(1n)), body),
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
const emptyList = (): Expr => listOf();

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
		start: () => emptyList(),
		goOn: always,
		step: (body) => call("_+_", result(), listOf(body)),
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
	const pair = newName();
	return fold({
		range: call("@pairs", range),
		variable: pair,
		accumulator: RESULT,
		start: shape.start(),
		goOn: shape.goOn(),
		step: inPair(pair, variables, step),
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

/** `a.or(b)`, which looks at `b` only where `a` is none. */
export function optionalOr(target: Expr, other: Expr): Expr {
	const held = newName();
	const otherwise = call("@optional", other);
	return bind(held, target, call("_?_:_", call("@held", name(held)), name(held), otherwise));
}

export function optionalOrValue(target: Expr, other: Expr): Expr {
	const held = newName();
	return bind(held, target, call("_?_:_", call("@held", name(held)), heldValue(held), other));
}

/** @param isFlat yields the body an optional itself? */
export function optionalMap(target: Expr, variable: string, body: Expr, isFlat: boolean): Expr {
	const held = newName();
	const mapped = bind(variable, heldValue(held), isFlat ? body : call("optional.of", body));
	return bind(
		held,
		target,
		call("_?_:_", call("@held", name(held)), mapped, call("optional.none")),
	);
}

const heldValue = (optional: string): Expr => call("@value", name(optional));

export function sortBy(target: Expr, variable: string, key: Expr): Expr {
	const list = newName();
	const keys = fold({
		range: name(list),
		variable,
		accumulator: RESULT,
		start: emptyList(),
		goOn: always(),
		step: call("_+_", result(), listOf(key)),
		result: result(),
	});
	return bind(list, target, call("@sortBy", name(list), keys));
}
