/**
 * Lowers optional values (CEL's optional types extension): `a.?b` and `a[?b]`, and `or` and `orValue`, which
 * evaluate their argument only if the optional holds nothing. Called by `lower.ts`.
 */

import type { Type } from "../check/types.ts";
import type { BinaryNode, Node, OptionalSelectNode } from "../tree/node.ts";
import { boxed, type Lowered } from "./lowered.ts";
import type { Lowering } from "./lowering.ts";

export function lowerOptionalSelect(
	lowering: Lowering,
	{ operand, field }: OptionalSelectNode,
	type: Type,
): Lowered {
	const from = boxed(lowering.lower(operand));
	const code = `${lowering.runtime("optionalSelect")}(${from}, ${lowering.text(field)})`;
	return { code, type, fails: true };
}

export function lowerOptionalIndex(
	lowering: Lowering,
	{ left, right }: BinaryNode,
	type: Type,
): Lowered {
	const from = boxed(lowering.lower(left));
	const at = boxed(lowering.lower(right));
	return { code: `${lowering.runtime("optionalIndex")}(${from}, ${at})`, type, fails: true };
}

/** @param name `or` yields one of two optionals; `orValue` yields the value in the optional, or the other value */
export function lowerAlternative(
	lowering: Lowering,
	name: "or" | "orValue",
	[optional, other]: readonly [Node, Node],
	type: Type,
): Lowered {
	const whole = lowering.bound(boxed(lowering.lower(optional)));
	const held = lowering.bound(`${lowering.runtime("heldBy")}(${whole})`);
	const { lines, lowered } = lowering.captured(() => lowering.lower(other));
	const instead =
		name === "or" ? `${lowering.runtime("asOptional")}(${boxed(lowered)})` : boxed(lowered);
	const result = lowering.name();
	lowering.line(`let ${result} = ${name === "or" ? whole : held};`);
	lowering.line(`if (${held} === undefined) { ${lines.join(" ")} ${result} = ${instead}; }`);
	return { code: result, type, fails: true };
}
