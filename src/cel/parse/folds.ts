/**
 * Macros that are loops, expanded to comprehensions as the CEL specification defines them (language
 * definition, "Macros"; two-variable comprehensions), and `cel.bind`, a loop that never runs. `macros.ts`
 * shows them all. Called by `expand.ts`.
 */
import type { Macro } from "../tree/macros.ts";
import { ACCUMULATOR, type Node, type SyntaxTree } from "../tree/syntax.ts";

/** A call that is a macro: `target.name(…variables, …rest)`. */
export interface MacroCall {
	readonly tree: SyntaxTree;
	readonly offset: number;
	readonly target: Node;
	/** the loop variables: one or two */
	readonly variables: readonly string[];
	/** the expressions behind them: one or two */
	readonly rest: readonly Node[];
}

export type Expansion = (call: MacroCall) => Node;

/** The reference implementation's name for the loop variable of a loop that never runs. */
const UNUSED = "#unused";

const accumulator = ({ tree, offset }: MacroCall): Node => tree.identifier(offset, ACCUMULATOR);

export const all: Expansion = (call) => {
	const { tree, offset } = call;
	const step = tree.call(offset, "_&&_", [accumulator(call), first(call)]);
	const goOn = tree.call(offset, "@not_strictly_false", [accumulator(call)]);
	return fold(call, "all", tree.boolean(offset, true), goOn, step, accumulator(call));
};

export const exists: Expansion = (call) => {
	const { tree, offset } = call;
	const step = tree.call(offset, "_||_", [accumulator(call), first(call)]);
	const notYet = tree.call(offset, "!_", [accumulator(call)]);
	const goOn = tree.call(offset, "@not_strictly_false", [notYet]);
	return fold(call, "exists", tree.boolean(offset, false), goOn, step, accumulator(call));
};

export const existsOne: Expansion = (call) => {
	const { tree, offset } = call;
	const counted = tree.call(offset, "_+_", [accumulator(call), tree.int(offset, 1n)]);
	const step = tree.call(offset, "_?_:_", [first(call), counted, accumulator(call)]);
	const isOne = tree.call(offset, "_==_", [accumulator(call), tree.int(offset, 1n)]);
	const always = tree.boolean(offset, true);
	return fold(call, "exists_one", tree.int(offset, 0n), always, step, isOne);
};

export const filter: Expansion = (call) => {
	const element = call.tree.identifier(call.offset, call.variables[0] ?? "");
	return collect(call, "filter", appending(call, element), first(call));
};

export const map: Expansion = (call) => collect(call, "map", appending(call, first(call)));
export const mapFilter: Expansion = (call) =>
	collect(call, "map_filter", appending(call, second(call)), first(call));

export const transformList: Expansion = (call) =>
	collect(call, "transform_list", appending(call, first(call)));
export const transformListFilter: Expansion = (call) =>
	collect(call, "transform_list_filter", appending(call, second(call)), first(call));

export const transformMap: Expansion = (call) =>
	collect(call, "transform_map", inserting(call, first(call)));
export const transformMapFilter: Expansion = (call) =>
	collect(call, "transform_map_filter", inserting(call, second(call)), first(call));

export const transformMapEntry: Expansion = (call) =>
	collect(call, "transform_map_entry", merging(call, first(call)));
export const transformMapEntryFilter: Expansion = (call) =>
	collect(call, "transform_map_entry_filter", merging(call, second(call)), first(call));

/** `cel.bind(variable, init, expression)`: a loop that never runs, whose accumulator is the variable. */
export function bind(
	tree: SyntaxTree,
	offset: number,
	variable: string,
	init: Node,
	expression: Node,
): Node {
	return tree.comprehension(offset, "bind", {
		iterVar: UNUSED,
		iterVar2: "",
		iterRange: tree.list(offset, []),
		accuVar: variable,
		accuInit: init,
		loopCondition: tree.boolean(offset, false),
		loopStep: tree.identifier(offset, variable),
		result: expression,
	});
}

export const first = ({ rest }: MacroCall): Node => expression(rest[0]);
const second = ({ rest }: MacroCall): Node => expression(rest[1]);

function expression(node: Node | undefined): Node {
	if (node === undefined) throw new Error("a macro is expanded with all its expressions");
	return node;
}

interface Collecting {
	/** nothing yet */
	readonly init: Node;
	/** what was collected, with one more */
	readonly added: Node;
}

function appending(call: MacroCall, element: Node): Collecting {
	const { tree, offset } = call;
	const one = tree.list(offset, [element]);
	const added = tree.call(offset, "_+_", [accumulator(call), one]);
	return { init: tree.list(offset, []), added };
}

function inserting(call: MacroCall, value: Node): Collecting {
	const { tree, offset } = call;
	const key = tree.identifier(offset, call.variables[0] ?? "");
	const added = tree.call(offset, "cel.@mapInsert", [accumulator(call), key, value]);
	return { init: tree.map(offset, []), added };
}

function merging(call: MacroCall, entries: Node): Collecting {
	const { tree, offset } = call;
	const added = tree.call(offset, "cel.@mapInsert", [accumulator(call), entries]);
	return { init: tree.map(offset, []), added };
}

/** Everything in the range, or that part of it which meets `condition`. */
function collect(
	call: MacroCall,
	macro: Macro,
	{ init, added }: Collecting,
	condition?: Node,
): Node {
	const { tree, offset } = call;
	const step =
		condition === undefined
			? added
			: tree.call(offset, "_?_:_", [condition, added, accumulator(call)]);
	return fold(call, macro, init, tree.boolean(offset, true), step, accumulator(call));
}

function fold(
	{ tree, offset, target, variables }: MacroCall,
	macro: Macro,
	accuInit: Node,
	loopCondition: Node,
	loopStep: Node,
	result: Node,
): Node {
	return tree.comprehension(offset, macro, {
		iterVar: variables[0] ?? "",
		iterVar2: variables[1] ?? "",
		iterRange: target,
		accuVar: ACCUMULATOR,
		accuInit,
		loopCondition,
		loopStep,
		result,
	});
}
