/** A compiler that remembers what each expression of a rule costs at worst. Made by `traced-policy.ts`. */
import type { Inspect } from "../../cel/compile.ts";
import { knownCost } from "../../cel/cost/cost.ts";
import { Compiler } from "../programs/compiler.ts";

export class CostingCompiler extends Compiler {
	readonly #costs = new Map<string, number>();

	protected override inspector(
		kind: "predicate" | "template" | "value",
		source: string,
	): Inspect | undefined {
		if (kind !== "predicate") return undefined;
		return (expr) => void this.#costs.set(source, Math.round(knownCost(expr)));
	}

	/** Nanoseconds of one evaluation of a rule's expression, once that is compiled. */
	costOf(source: string): number {
		return this.#costs.get(source) ?? 0;
	}
}
