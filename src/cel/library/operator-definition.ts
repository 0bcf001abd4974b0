/**
 * The shape of the table of operators (`operators.ts`), which is like that of functions (`definition.ts`). Lowering has
 * code of its own for each operator (`lower/lower.ts`).
 */
import type { OperatorEstimate } from "../cost/operators.ts";
import type { BinaryOperator, UnaryOperator } from "../tree/node.ts";
import type { Example } from "./definition.ts";
import type { MayFail } from "./operator-failures.ts";

export type OperatorName = UnaryOperator | BinaryOperator | "_?_:_" | "_?._";

export interface OperatorDefinition {
	/** as trees name it */
	readonly name: OperatorName;
	/** as expressions write it */
	readonly written: string;
	readonly doc: string;
	readonly examples: readonly Example[];
	/** what follows the name; none for what the checker resolves by itself */
	readonly signatures: readonly string[];
	readonly mayFail: MayFail;
	/** of a result whose type has nulls: can it never be null? */
	readonly neverNull?: true;
	/**
	 * Of an operator that has two values as operands, but `&&` and `||`. `cost/walk.ts` estimates the others itself.
	 */
	readonly estimate?: OperatorEstimate;
}
