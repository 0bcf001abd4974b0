/**
 * All operators. The checker takes their signatures from here, the estimate of costs what they take and whether they
 * may fail, lowering whether they may fail, docs/expressions.md their text.
 */
import { ARITHMETIC } from "./arithmetic-operators.ts";
import { CONTAINERS } from "./container-operators.ts";
import { COMPARISONS, LOGIC } from "./logic-operators.ts";
import type { OperatorDefinition } from "./operator-definition.ts";
import type { Operand } from "./operator-failures.ts";

/** In the order in which docs name them. */
export const OPERATORS: readonly OperatorDefinition[] = [
	...COMPARISONS,
	...LOGIC,
	...CONTAINERS,
	...ARITHMETIC,
];

const BY_NAME: ReadonlyMap<string, OperatorDefinition> = new Map(
	OPERATORS.map((operator) => [operator.name, operator]),
);

export const operatorNamed = (name: string): OperatorDefinition | undefined => BY_NAME.get(name);

/** May the operator fail, unless an operand does? */
export function operatorMayFail(name: string, operands: readonly Operand[]): boolean {
	const operator = BY_NAME.get(name);
	if (operator === undefined) throw new Error(`there is no operator ${name}`);
	return operator.mayFail(operands);
}
