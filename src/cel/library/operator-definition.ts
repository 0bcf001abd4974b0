/**
 * The shape of the table of operators (`operators.ts`), which is like that of functions (`definition.ts`). Lowering has
 * code of its own for each operator (`lower/lower.ts`).
 */
import type { OperatorEstimate } from "../cost/operators.ts";
import type { Example } from "./definition.ts";
import type { MayFail } from "./operator-failures.ts";

export interface OperatorDefinition {
	/** as trees name it */
	readonly name: string;
	/** as expressions write it */
	readonly written: string;
	readonly doc: string;
	readonly examples: readonly Example[];
	/** what follows the name; none for what the checker resolves by itself */
	readonly signatures: readonly string[];
	readonly mayFail: MayFail;
	/** of a result whose type has nulls: can it never be null? */
	readonly neverNull?: true;
	/** of an operator with two operands; the others are estimated in `cost/walk.ts` */
	readonly estimate?: OperatorEstimate;
}
