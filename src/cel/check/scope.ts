/**
 * What the checker carries while it walks one expression: the loop variables in scope, the faults found,
 * and what it learned about the expression, which `compile.ts`, `cost/` and `lower/` ask for. Made by
 * `compile.ts` for each expression; shared by all files of this folder.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { Phase } from "../expression.ts";
import {
	isPatternFault,
	type PatternFault,
	type PatternProgram,
	preparePattern,
} from "../pattern/pattern.ts";
import type { Fault, FaultCode } from "../problem.ts";
import type { Node } from "../tree/node.ts";
import type { SyntaxTree } from "../tree/syntax-tree.ts";
import { ERROR, substitute, type Type } from "./types.ts";
import { Unifier } from "./unify.ts";

export class Scope {
	readonly tree: SyntaxTree;
	readonly phase: Phase;
	readonly unifier = new Unifier();
	readonly faults: Fault[] = [];
	/** does the value depend on the exchange or on chance? */
	varies = false;
	/** does it read what actions have left? */
	readsResults = false;
	/** types of variables that are known better here than in general */
	readonly declared: ReadonlyMap<string, Type> | undefined;
	#patterns: Map<string, PatternProgram | PatternFault> | undefined;
	#patternInstructions = 0;
	readonly #locals: { readonly name: string; readonly type: Type }[] = [];

	constructor(tree: SyntaxTree, phase: Phase, declared?: ReadonlyMap<string, Type>) {
		this.tree = tree;
		this.declared = declared;
		this.phase = phase;
	}

	/** Of a node of the checked tree; what the checker left open is dyn. */
	typeOf(node: Node): Type {
		return substitute(node.type);
	}

	/** The type of the innermost loop variable of this name. */
	local(name: string): Type | undefined {
		for (let at = this.#locals.length - 1; at >= 0; at--) {
			const local = this.#locals[at];
			if (local?.name === name) return local.type;
		}
		return undefined;
	}

	enter(name: string, type: Type): void {
		this.#locals.push({ name, type });
	}

	leave(count = 1): void {
		this.#locals.length -= count;
	}

	/** Notes a fault; its node goes on as an error, which fits everywhere. */
	refuse(at: Node, code: FaultCode, message: string): Node {
		if (!this.isFull) this.faults.push({ offset: at.offset, code, message });
		at.type = ERROR;
		return at;
	}

	/** Have so many faults been noted that more are not looked into? */
	get isFull(): boolean {
		return this.faults.length >= LIMITS.problemsPerExpression;
	}

	/** A literal pattern. The same is prepared once; all of an expression's together have one bound. */
	pattern(source: string): PatternProgram | PatternFault {
		const kept = this.#patterns?.get(source);
		if (kept !== undefined) return kept;
		if (this.#patternInstructions > LIMITS.patternInstructions) {
			return { message: "the patterns of the expression are too large together", offset: 0 };
		}
		const prepared = preparePattern(source);
		this.#patterns ??= new Map();
		this.#patterns.set(source, prepared);
		if (!isPatternFault(prepared)) this.#patternInstructions += prepared.instructions;
		return prepared;
	}
}
