/**
 * From a checked tree to code: evaluates the parts that are the same for every request, lowers the rest.
 * Called by `compile.ts`, and by itself for the parts that it evaluates.
 */

import type { Scope } from "../check/scope.ts";
import { resolve } from "../check/types.ts";
import { type Allowance, evaluateConstant, newAllowance } from "../evaluation.ts";
import { EvaluationFailure } from "../expression.ts";
import type { Node } from "../tree/node.ts";
import type { Value } from "../values/value.ts";
import { closedParts } from "./closed.ts";
import type { Code } from "./code.ts";
import { literalValue, valueConstant } from "./literals.ts";
import { truthOf } from "./logic.ts";
import { lowerNode } from "./lower.ts";
import { boxed, kindOf, type Lowered } from "./lowered.ts";
import { Lowering, type LoweringSteps } from "./lowering.ts";
import { openCode } from "./open.ts";
import { sharedShape } from "./shapes.ts";

/** What the code is to yield: a bool, the text that a template shows, or the value itself. */
export type Wants = "bool" | "text" | "value";

export interface Assembled {
	readonly code: Code;
	/** may it throw an EvaluationFailure? */
	readonly fails: boolean;
}

/** parts of one expression that are evaluated when it is compiled; each takes some 50 µs */
const FOLDS = 32;

export interface AssemblyOptions {
	readonly folds?: number;
	/** lowers a node in place of `lowerNode`, so that each part can be looked at (`trace/trace.ts`) */
	readonly node?: LoweringSteps["node"];
}

export function assemble(
	scope: Scope,
	expr: Node,
	wants: Wants,
	isMetered: boolean,
	{ folds = FOLDS, node = lowerNode }: AssemblyOptions = {},
): Assembled {
	const closed = folds > 0 ? closedParts(expr) : new Set<Node>();
	let left = folds;
	const lowering = new Lowering(scope, isMetered, {
		node,
		joins: node === lowerNode,
		folded(current, part) {
			if (!closed.has(part)) return undefined;
			const value = literalValue(part) ?? (left-- > 0 ? closedValue(scope, part) : undefined);
			return value === undefined ? undefined : valueConstant(current, value, scope.typeOf(part));
		},
	});
	const result = resultOf(lowering, lowering.lower(expr), wants);
	const shape = sharedShape({
		body: lowering.lines.join("\n"),
		result: result.code,
		functions: lowering.functions,
		names: [...lowering.runtimeNames],
		shared: [...lowering.shared],
		reads: [...lowering.reads],
	});
	return { code: { shape, constants: lowering.constants.slice() }, fails: result.fails };
}

/** Undefined if it fails: then it fails when evaluated, where another operand may absorb it. */
export function closedValue(scope: Scope, node: Node): Value | undefined {
	const allowance = ALLOWANCES.get(scope) ?? newAllowance();
	ALLOWANCES.set(scope, allowance);
	if (allowance.nanoseconds <= 0) return undefined;
	const { code } = assemble(scope, node, "value", true, { folds: 0 });
	const value = evaluateConstant(openCode(code), allowance);
	return value instanceof EvaluationFailure ? undefined : value;
}

/** By expression: all parts that are evaluated beforehand share one allowance of time. */
const ALLOWANCES = new WeakMap<Scope, Allowance>();

function resultOf(lowering: Lowering, lowered: Lowered, wants: Wants): Lowered {
	switch (wants) {
		case "bool":
			return truthOf(lowering, lowered);
		case "text":
			return textResult(lowering, lowered);
		case "value":
			return { ...lowered, code: boxed(lowered) };
	}
}

function textResult(lowering: Lowering, lowered: Lowered): Lowered {
	const { type, fails, range } = lowered;
	if (kindOf(lowered) === "string") return lowered;
	if (range !== undefined) return { code: `String(${lowered.code})`, type, fails };
	const isSure = ["bool", "int", "uint", "double"].includes(resolve(type).kind);
	const code = `${lowering.runtime("textOf")}(${boxed(lowered)})`;
	return { code, type, fails: fails || !isSure };
}
