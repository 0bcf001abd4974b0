/**
 * The standard macros, expanded to comprehensions as the CEL specification defines them (language
 * definition, "Macros"). Called by `parse.ts` when it has read a call.
 */
import { ACCUMULATOR, type Expr, type SyntaxTree } from "./syntax.ts";

interface MacroCall {
	readonly tree: SyntaxTree;
	readonly offset: number;
	readonly target: Expr;
	/** the loop variable */
	readonly variable: string;
	/** what follows the loop variable: one expression, or two for `map` with a filter */
	readonly rest: readonly [Expr] | readonly [Expr, Expr];
}

type Expansion = (call: MacroCall) => Expr;

/** Numbers of arguments that make a call of this name a macro, the loop variable included. */
export const MACRO_ARGUMENTS: ReadonlyMap<string, readonly number[]> = new Map([
	["all", [2]],
	["exists", [2]],
	["exists_one", [2]],
	["existsOne", [2]],
	["filter", [2]],
	["map", [2, 3]],
]);

export function expandMacro(name: string, call: MacroCall): Expr | undefined {
	return EXPANSIONS[name]?.(call);
}

const accumulator = ({ tree, offset }: MacroCall): Expr => tree.identifier(offset, ACCUMULATOR);

const all: Expansion = (call) => {
	const { tree, offset, rest } = call;
	const step = tree.call(offset, "_&&_", [accumulator(call), rest[0]]);
	const goOn = tree.call(offset, "@not_strictly_false", [accumulator(call)]);
	return fold(call, tree.boolean(offset, true), goOn, step, accumulator(call));
};

const exists: Expansion = (call) => {
	const { tree, offset, rest } = call;
	const step = tree.call(offset, "_||_", [accumulator(call), rest[0]]);
	const notYet = tree.call(offset, "!_", [accumulator(call)]);
	const goOn = tree.call(offset, "@not_strictly_false", [notYet]);
	return fold(call, tree.boolean(offset, false), goOn, step, accumulator(call));
};

const existsOne: Expansion = (call) => {
	const { tree, offset, rest } = call;
	const counted = tree.call(offset, "_+_", [accumulator(call), tree.int(offset, 1n)]);
	const step = tree.call(offset, "_?_:_", [rest[0], counted, accumulator(call)]);
	const isOne = tree.call(offset, "_==_", [accumulator(call), tree.int(offset, 1n)]);
	return fold(call, tree.int(offset, 0n), tree.boolean(offset, true), step, isOne);
};

const filter: Expansion = (call) =>
	collect(call, call.tree.identifier(call.offset, call.variable), call.rest[0]);

const map: Expansion = (call) => {
	const [first, second] = call.rest;
	return second === undefined ? collect(call, first) : collect(call, second, first);
};

const EXPANSIONS: Readonly<Record<string, Expansion>> = {
	all,
	exists,
	exists_one: existsOne,
	existsOne,
	filter,
	map,
};

/** A list of `element` for everything in the range, or for that part of it which meets `condition`. */
function collect(call: MacroCall, element: Expr, condition?: Expr): Expr {
	const { tree, offset } = call;
	const one = tree.list(offset, [element]);
	const added = tree.call(offset, "_+_", [accumulator(call), one]);
	const step =
		condition === undefined
			? added
			: tree.call(offset, "_?_:_", [condition, added, accumulator(call)]);
	return fold(call, tree.list(offset, []), tree.boolean(offset, true), step, accumulator(call));
}

function fold(call: MacroCall, init: Expr, goOn: Expr, step: Expr, result: Expr): Expr {
	return call.tree.comprehension(call.offset, {
		iterVar: call.variable,
		iterRange: call.target,
		accuVar: ACCUMULATOR,
		accuInit: init,
		loopCondition: goOn,
		loopStep: step,
		result,
	});
}
