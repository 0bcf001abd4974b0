/** A lint's finding about an expression (contract 3): the code of a warning, and a sentence with its remedy. */
import type { WarningCode } from "./warnings.ts";

/** Without the expression's place in the document, which the asking file knows. */
export interface ExpressionFinding {
	readonly code: WarningCode;
	readonly message: string;
}
