/** How expensive an expression is, in the terms by which the data path treats it. Used by `traced-policy.ts`. */
import { LIMITS } from "../../limits/limits.ts";
import type { ExpressionTrace } from "./shapes.ts";

/** @param nanoseconds at worst */
export function costClass(nanoseconds: number): ExpressionTrace["cost_class"] {
	if (nanoseconds > LIMITS.heavyAboveNanoseconds) return "heavy";
	return nanoseconds > LIMITS.countedAboveNanoseconds ? "counted" : "negligible";
}
