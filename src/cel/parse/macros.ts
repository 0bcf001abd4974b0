/**
 * Which calls are macros (CEL specification, "Macros", and the extensions for two variables, optionals,
 * bindings, lists and math), and what the parser makes of them. Called by `member.ts` when it has read a
 * call; the checker tells with `MACRO_USAGE` how a misused one is written.
 *
 * Macros that run over a list or a map are nodes of their own. `optMap`, `optFlatMap` and `sortBy` are made
 * of `cel.bind` and calls around these; `math.greatest` and `math.least` become calls of `math.@max` and
 * `math.@min`.
 */
import type { ListMacroNode, LoopVariables, Node, QuantifierNode } from "../tree/node.ts";
import type { SyntaxTree } from "../tree/syntax-tree.ts";

/** A call that is a macro: `target.name(…variables, …expressions)`. */
interface MacroCall {
	readonly tree: SyntaxTree;
	readonly offset: number;
	readonly target: Node;
	readonly variables: LoopVariables;
}

/** @param condition undefined for forms of a macro without one @param body the last expression of the call */
type Making = (call: MacroCall, condition: Node | undefined, body: Node) => Node;

/** A form of a macro that is called like a method. */
export interface MacroForm {
	/** how it is written, for messages */
	readonly example: string;
	/** loop variables: one or two */
	readonly variables: number;
	/** what follows the variables: a condition and a body, or a body alone */
	readonly expressions: 1 | 2;
	readonly make: Making;
}

const quantifier =
	(macro: QuantifierNode["macro"]): Making =>
	({ tree, offset, target, variables }, _condition, body) =>
		tree.quantifier(offset, macro, { range: target, variables }, body);

const filter: Making = ({ tree, offset, target, variables }, _condition, body) => {
	const element = tree.identifier(offset, variables[0]);
	return tree.listMacro(offset, "filter", { range: target, variables }, body, element);
};

const listMacro =
	(macro: ListMacroNode["macro"]): Making =>
	({ tree, offset, target, variables }, condition, body) =>
		tree.listMacro(offset, macro, { range: target, variables }, condition, body);

const transformMap: Making = ({ tree, offset, target, variables }, condition, body) =>
	tree.transformMap(offset, { range: target, variables }, condition, body);

const transformMapEntry: Making = ({ tree, offset, target, variables }, condition, body) =>
	tree.transformMapEntry(offset, { range: target, variables }, condition, body);

/** Where `optMap` and `sortBy` keep the value that they are called on; no identifier can be written so. */
export const OPTIONAL_TARGET = "@optional";
const SORTED_LIST = "@list";

/** `@optional.hasValue() ? optional.of(body) : optional.none()`, with the value in the variable of the body. */
const optMap: Making = (call, _condition, body) =>
	ofOptional(call, body, (mapped) => call.tree.call(call.offset, "optional.of", [mapped]));

/** The same for a body that is an optional itself. */
const optFlatMap: Making = (call, _condition, body) => ofOptional(call, body, (mapped) => mapped);

function ofOptional(call: MacroCall, body: Node, wrapped: (mapped: Node) => Node): Node {
	const { tree, offset, target } = call;
	const kept = (): Node => tree.identifier(offset, OPTIONAL_TARGET);
	const value = tree.call(offset, "value", [], kept());
	const mapped = tree.bind(offset, call.variables[0], value, body);
	const hasValue = tree.call(offset, "hasValue", [], kept());
	const none = tree.call(offset, "optional.none", []);
	const chosen = tree.conditional(offset, hasValue, wrapped(mapped), none);
	return tree.bind(offset, OPTIONAL_TARGET, target, chosen);
}

/** The list sorted by the list of its elements' keys. */
const sortBy: Making = ({ tree, offset, target, variables }, _condition, body) => {
	const kept = (): Node => tree.identifier(offset, SORTED_LIST);
	const keys = tree.listMacro(offset, "map", { range: kept(), variables }, undefined, body);
	const sorted = tree.call(offset, "@sortByAssociatedKeys", [keys], kept());
	return tree.bind(offset, SORTED_LIST, target, sorted);
};

type Row = readonly [variables: number, expressions: 1 | 2, make: Making];

function method(target: string, name: string, ...rows: Row[]): [string, readonly MacroForm[]] {
	const forms = rows.map(([variables, expressions, make]) => ({
		example: `${target}.${name}(${variables === 1 ? "x" : "i, v"}, …)`,
		variables,
		expressions,
		make,
	}));
	return [name, forms];
}

const existsOne = quantifier("exists_one");
const map = listMacro("map");
const transformList = listMacro("transform_list");

export const MACRO_FORMS: ReadonlyMap<string, readonly MacroForm[]> = new Map([
	method("list", "all", [1, 1, quantifier("all")], [2, 1, quantifier("all")]),
	method("list", "exists", [1, 1, quantifier("exists")], [2, 1, quantifier("exists")]),
	method("list", "exists_one", [1, 1, existsOne], [2, 1, existsOne]),
	method("list", "existsOne", [1, 1, existsOne], [2, 1, existsOne]),
	method("list", "filter", [1, 1, filter]),
	method("list", "map", [1, 1, map], [1, 2, map]),
	method("list", "transformList", [2, 1, transformList], [2, 2, transformList]),
	method("list", "transformMap", [2, 1, transformMap], [2, 2, transformMap]),
	method("list", "transformMapEntry", [2, 1, transformMapEntry], [2, 2, transformMapEntry]),
	method("list", "sortBy", [1, 1, sortBy]),
	method("optional", "optMap", [1, 1, optMap]),
	method("optional", "optFlatMap", [1, 1, optFlatMap]),
]);

/** `math.greatest(…)`, `math.least(…)` of at least one number, or of a list of them. */
export function extreme(
	tree: SyntaxTree,
	offset: number,
	name: "greatest" | "least",
	args: Node[],
): Node {
	const whole = name === "greatest" ? "math.@max" : "math.@min";
	return tree.call(offset, whole, args.length <= 2 ? args : [tree.list(offset, args)]);
}

/** For each macro its arguments and an example, as the checker's sentences say them. */
export const MACRO_USAGE: ReadonlyMap<string, string> = new Map([
	...[...MACRO_FORMS].map(([name, [form]]) => {
		const variables = form?.variables === 1 ? "a loop variable" : "two loop variables";
		return [name, `${variables} and an expression, as in ${form?.example}`] as const;
	}),
	["cel.bind", "a variable, its value and an expression, as in cel.bind(x, …, …)"],
	["math.greatest", "at least one number, as in math.greatest(1, x)"],
	["math.least", "at least one number, as in math.least(1, x)"],
]);
