/**
 * The macros, by the comprehensions that they become. `parse/expand.ts` expands them, as the CEL
 * specification and the reference implementation's extensions do; `lower/` asks `macroBody` for what the
 * author wrote, instead of running the comprehension word by word. `@result` is the accumulator, `x` the
 * loop variable, or `i, v` two of them (index and element of a list, key and value of a map).
 *
 * | macro | written | starts as | each step | in the end |
 * |---|---|---|---|---|
 * | `all` | `.all(x, c)` | `true` | `@result && c` | `@result` |
 * | `exists` | `.exists(x, c)` | `false` | `@result \|\| c` | `@result` |
 * | `exists_one` | `.exists_one(x, c)`, `.existsOne(x, c)` | `0` | `c ? @result + 1 : @result` | `@result == 1` |
 * | `filter` | `.filter(x, c)` | `[]` | `c ? @result + [x] : @result` | `@result` |
 * | `map`, `transform_list` | `.map(x, e)`, `.transformList(i, v, e)` | `[]` | `@result + [e]` | `@result` |
 * | `map_filter`, `transform_list_filter` | `.map(x, c, e)` … | `[]` | `c ? @result + [e] : @result` | `@result` |
 * | `transform_map` | `.transformMap(i, v, e)` | `{}` | `cel.@mapInsert(@result, i, e)` | `@result` |
 * | `transform_map_filter` | `.transformMap(i, v, c, e)` | `{}` | `c ? cel.@mapInsert(@result, i, e) : @result` | `@result` |
 * | `transform_map_entry` | `.transformMapEntry(i, v, m)` | `{}` | `cel.@mapInsert(@result, m)` | `@result` |
 * | `transform_map_entry_filter` | `.transformMapEntry(i, v, c, m)` | `{}` | `c ? cel.@mapInsert(@result, m) : @result` | `@result` |
 * | `bind` | `cel.bind(x, init, e)` | `init`, in `x` | never | `e` |
 *
 * `all`, `exists` and `exists_one` have forms with two variables too. `optMap`, `optFlatMap` and `sortBy`
 * become calls around these; `math.greatest` and `math.least` become calls of `math.@max` and `math.@min`.
 */
import { type Comprehension, type Expr, type Node, nodeOf } from "./syntax.ts";

export type Macro =
	| "all"
	| "exists"
	| "exists_one"
	| "filter"
	| "map"
	| "map_filter"
	| "transform_list"
	| "transform_list_filter"
	| "transform_map"
	| "transform_map_filter"
	| "transform_map_entry"
	| "transform_map_entry_filter"
	| "bind";

/** What the author wrote between the brackets, the loop variables left out. */
export interface MacroBody {
	readonly condition?: Node;
	/** of `filter` the loop variable; of `transform_map_entry` the map; of `bind` the expression */
	readonly element?: Node;
	/** under which `transform_map` puts the element: the first loop variable */
	readonly key?: Node;
	/** what `bind` binds */
	readonly init?: Node;
}

export function macroBody(macro: Macro, comprehension: Comprehension): MacroBody {
	const { loopStep, accuInit, result } = comprehension;
	if (!loopStep || !accuInit || !result) throw new Error("a comprehension has all its parts");
	switch (macro) {
		case "all":
		case "exists":
			return { condition: argument(loopStep, 1) };
		case "exists_one":
			return { condition: argument(loopStep, 0) };
		case "map":
		case "transform_list":
			return { element: appended(loopStep) };
		case "filter":
		case "map_filter":
		case "transform_list_filter":
			return { condition: argument(loopStep, 0), element: appended(argument(loopStep, 1)) };
		case "transform_map":
			return { key: argument(loopStep, 1), element: argument(loopStep, 2) };
		case "transform_map_filter": {
			const insertion = argument(loopStep, 1);
			const condition = argument(loopStep, 0);
			return { condition, key: argument(insertion, 1), element: argument(insertion, 2) };
		}
		case "transform_map_entry":
			return { element: argument(loopStep, 1) };
		case "transform_map_entry_filter":
			return {
				condition: argument(loopStep, 0),
				element: argument(argument(loopStep, 1), 1),
			};
		case "bind":
			return { init: nodeOf(accuInit), element: nodeOf(result) };
	}
}

/** `e` of `@result + [e]` */
function appended(step: Expr): Node {
	const { exprKind } = argument(step, 1);
	const element = exprKind.case === "listExpr" ? exprKind.value.elements[0] : undefined;
	if (element === undefined) throw new Error("a macro appends a list of one element");
	return nodeOf(element);
}

function argument({ exprKind }: Expr, index: number): Node {
	const arg = exprKind.case === "callExpr" ? exprKind.value.args[index] : undefined;
	if (arg === undefined) throw new Error(`a macro's step has no argument ${index}`);
	return nodeOf(arg);
}
