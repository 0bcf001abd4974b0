/**
 * Which calls are macros, and what they are expanded to before anything is checked: the loops of
 * `folds.ts`, and the extensions' macros that are written in terms of those. Called by `member.ts` when
 * it has read a call; the checker tells with `MACRO_USAGE` how a misused one is written.
 */
import type { Node, SyntaxTree } from "../tree/syntax.ts";
import * as folds from "./folds.ts";
import { bind, type Expansion, first, type MacroCall } from "./folds.ts";

/** Where `optMap` and `sortBy` keep the value that they are called on; no identifier can be written so. */
export const OPTIONAL_TARGET = "@optional";
const SORTED_LIST = "@list";

/** `@optional.hasValue() ? optional.of(x) : optional.none()`, for x the expression of the value. */
const optMap: Expansion = (call) =>
	ofOptional(call, (mapped) => call.tree.call(call.offset, "optional.of", [mapped]));

/** The same for an expression that is an optional itself. */
const optFlatMap: Expansion = (call) => ofOptional(call, (mapped) => mapped);

function ofOptional(call: MacroCall, wrapped: (mapped: Node) => Node): Node {
	const { tree, offset, target } = call;
	const kept = (): Node => tree.identifier(offset, OPTIONAL_TARGET);
	const value = tree.call(offset, "value", [], kept());
	const mapped = bind(tree, offset, call.variables[0] ?? "", value, first(call));
	const hasValue = tree.call(offset, "hasValue", [], kept());
	const none = tree.call(offset, "optional.none", []);
	const chosen = tree.call(offset, "_?_:_", [hasValue, wrapped(mapped), none]);
	return bind(tree, offset, OPTIONAL_TARGET, target, chosen);
}

/** The list sorted by the list of its elements' keys. */
const sortBy: Expansion = (call) => {
	const { tree, offset, target } = call;
	const kept = (): Node => tree.identifier(offset, SORTED_LIST);
	const keys = folds.map({ ...call, target: kept() });
	const sorted = tree.call(offset, "@sortByAssociatedKeys", [keys], kept());
	return bind(tree, offset, SORTED_LIST, target, sorted);
};

/** A form of a macro that is called like a method: so many variables, so many expressions. */
export interface MacroForm {
	/** how it is written, for messages */
	readonly example: string;
	readonly variables: number;
	readonly expressions: number;
	readonly expand: Expansion;
}

type Row = readonly [variables: number, expressions: number, expand: Expansion];

function method(target: string, name: string, ...rows: Row[]): [string, readonly MacroForm[]] {
	const forms = rows.map(([variables, expressions, expand]) => ({
		example: `${target}.${name}(${variables === 1 ? "x" : "i, v"}, …)`,
		variables,
		expressions,
		expand,
	}));
	return [name, forms];
}

export const MACRO_FORMS: ReadonlyMap<string, readonly MacroForm[]> = new Map([
	method("list", "all", [1, 1, folds.all], [2, 1, folds.all]),
	method("list", "exists", [1, 1, folds.exists], [2, 1, folds.exists]),
	method("list", "exists_one", [1, 1, folds.existsOne], [2, 1, folds.existsOne]),
	method("list", "existsOne", [1, 1, folds.existsOne], [2, 1, folds.existsOne]),
	method("list", "filter", [1, 1, folds.filter]),
	method("list", "map", [1, 1, folds.map], [1, 2, folds.mapFilter]),
	method("list", "transformList", [2, 1, folds.transformList], [2, 2, folds.transformListFilter]),
	method("list", "transformMap", [2, 1, folds.transformMap], [2, 2, folds.transformMapFilter]),
	method(
		"list",
		"transformMapEntry",
		[2, 1, folds.transformMapEntry],
		[2, 2, folds.transformMapEntryFilter],
	),
	method("list", "sortBy", [1, 1, sortBy]),
	method("optional", "optMap", [1, 1, optMap]),
	method("optional", "optFlatMap", [1, 1, optFlatMap]),
]);

/** `math.greatest(…)`, `math.least(…)` of at least one number, or of a list of them. */
export function extreme(tree: SyntaxTree, offset: number, name: string, args: Node[]): Node {
	const whole = name === "greatest" ? "math.@max" : "math.@min";
	return tree.call(offset, whole, args.length <= 2 ? args : [tree.list(offset, args)]);
}

/** What a macro takes, and how it is written. */
export const MACRO_USAGE: ReadonlyMap<string, string> = new Map([
	...[...MACRO_FORMS].map(([name, [form]]) => {
		const variables = form?.variables === 1 ? "a loop variable" : "two loop variables";
		return [name, `${variables} and an expression, as in ${form?.example}`] as const;
	}),
	["cel.bind", "a variable, its value and an expression, as in cel.bind(x, …, …)"],
	["math.greatest", "at least one number, as in math.greatest(1, x)"],
	["math.least", "at least one number, as in math.least(1, x)"],
]);
