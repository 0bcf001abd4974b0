/**
 * An expression compiled to plain data, which another thread can make and a worker opens at next to no cost.
 * `compile.ts` makes it, `program.ts` runs it; a suspended evaluation takes it along to its thread.
 */
import type { Phase } from "./attributes.ts";
import type { Code } from "./lower/code.ts";

export interface ExpressionProgram {
	readonly source: string;
	readonly phase: Phase;
	/** a rule's condition, the text that a template puts in its place, or the value itself */
	readonly wants: "bool" | "text" | "value";
	readonly code: Code;
	/** may it fail or be suspended? */
	readonly canFail: boolean;
	/** may it take longer than an event loop should be held up? */
	readonly isHeavy: boolean;
	/** paths into `Attributes`; those of the code's shape */
	readonly reads: readonly string[];
	/** of one that wants a value, what the checker knows of its type, as signatures write it */
	readonly type: string | undefined;
	/** of what actions leave, the names that it reads (`named-results.ts`) */
	readonly results: readonly string[] | undefined;
}
