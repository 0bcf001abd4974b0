/**
 * What the checker carries while it walks one expression: the loop variables in scope, the faults found,
 * and what it learned for `compile.ts`. Shared by `check.ts` and `check/`.
 */
import { LIMITS } from "../limits.ts";
import { Unifier } from "./check/unify.ts";
import type { Phase } from "./expression.ts";
import { type BakedPattern, bakePattern } from "./pattern.ts";
import type { Fault, FaultCode } from "./problem.ts";
import type { Expr, SyntaxTree } from "./syntax.ts";
import { ERROR, type Type } from "./types.ts";

/** A checked node: what it yields, and the node to plan in its place. */
export interface Checked {
	readonly type: Type;
	readonly expr: Expr;
}

export class Scope {
	readonly tree: SyntaxTree;
	readonly phase: Phase;
	readonly unifier = new Unifier();
	readonly faults: Fault[] = [];
	/** objects that the planned expression refers to by name, e.g. compiled patterns */
	readonly constants: object[] = [];
	/** does the value depend on the exchange or on chance? */
	varies = false;
	readonly #patterns = new Map<string, BakedPattern>();
	#patternInstructions = 0;
	readonly #locals: { readonly name: string; readonly type: Type }[] = [];

	constructor(tree: SyntaxTree, phase: Phase) {
		this.tree = tree;
		this.phase = phase;
	}

	local(name: string): Type | undefined {
		return this.#locals.findLast((local) => local.name === name)?.type;
	}

	enter(name: string, type: Type): void {
		this.#locals.push({ name, type });
	}

	leave(): void {
		this.#locals.pop();
	}

	/** Notes a fault; its node goes on as an error, which fits everywhere. */
	refuse(at: Expr, code: FaultCode, message: string): Checked {
		if (!this.isFull) this.faults.push({ offset: this.tree.offsetOf(at), code, message });
		return { type: ERROR, expr: at };
	}

	/** Have so many faults been noted that more are not looked into? */
	get isFull(): boolean {
		return this.faults.length >= LIMITS.problemsPerExpression;
	}

	/** The same pattern is compiled once; all of an expression's together have one bound. */
	pattern(source: string): BakedPattern {
		const kept = this.#patterns.get(source);
		if (kept !== undefined) return kept;
		if (this.#patternInstructions > LIMITS.patternInstructions) {
			return { message: "the patterns of the expression are too large together", offset: 0 };
		}
		const baked = bakePattern(source);
		this.#patterns.set(source, baked);
		if (!("message" in baked)) this.#patternInstructions += baked.value.programSize();
		return baked;
	}

	/** An identifier that yields `value` when evaluated. */
	constant(at: Expr, value: object): Expr {
		this.constants.push(value);
		return this.tree.identifier(this.tree.offsetOf(at), constantName(this.constants.length - 1));
	}
}

export const constantName = (index: number): string => `@constant:${index}`;
