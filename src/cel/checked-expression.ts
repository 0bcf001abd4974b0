/** An expression that may run, between its check and its lowering. `compile.ts` makes it; `alike/` keeps some. */
import type { Scope } from "./check/scope.ts";
import type { Type } from "./check/types.ts";
import type { Node } from "./tree/node.ts";

/** Its tree, and what the checker found out about it. */
export interface CheckedExpression {
	readonly scope: Scope;
	readonly expr: Node;
	readonly type: Type;
	/** nanoseconds that one evaluation takes at most */
	readonly cost: number;
}

/** Is shown the checked tree of an expression that may run (lint), while it is compiled and no longer. */
export type Inspect = (expr: Node) => void;
