/**
 * Evaluates an expression once more for somebody who wants to see why it is what it is: every part with its value, its
 * place in the source and what it reads. The code is lowered as for the data path, with a note taken at each part, so a
 * part means here what it means there; it is made when somebody asks, and thrown away. Called by `policy/trace/`, in a
 * thread.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { Attributes, Phase } from "../attributes.ts";
import type { GoesOn } from "../budget.ts";
import { resolve, typeName } from "../check/types.ts";
import { type CheckedExpression, checkExpression } from "../compile.ts";
import { evaluateWithin } from "../evaluation.ts";
import { assemble } from "../lower/assemble.ts";
import { headerReadOf } from "../lower/header-reads.ts";
import { lowerNode } from "../lower/lower.ts";
import type { Lowered } from "../lower/lowered.ts";
import type { Lowering } from "../lower/lowering.ts";
import { openCode } from "../lower/open.ts";
import { problemAt } from "../problem.ts";
import type { Node } from "../tree/node.ts";
import { chainOf, childrenOf } from "../tree/parts.ts";
import { writtenText } from "../tree/written.ts";
import type { Value } from "../values/value.ts";
import { Extents } from "./extents.ts";
import { type PartRecord, recording } from "./record.ts";
import { shownValue } from "./shown.ts";

/** `skipped`: another part had decided before; `failed`: it was evaluated and has no value */
type PartState = "value" | "failed" | "skipped";

export interface TracedPart {
	/** as written */
	readonly text: string;
	/** of its first character, from 1; columns in characters */
	readonly line: number;
	readonly column: number;
	/** UTF-16 offsets into the expression */
	readonly from: number;
	readonly to: number;
	/** how many parts it is within */
	readonly depth: number;
	readonly type: string;
	readonly state: PartState;
	/** as an expression would write it, the last one of several; undefined unless `state` is `value` */
	readonly value: string | undefined;
	/** how often it was evaluated: once, or at each turn of a macro */
	readonly times: number;
	/** the attribute that it is, as expressions name it */
	readonly reads: string | undefined;
}

export interface Traced {
	readonly parts: readonly TracedPart[];
	/** parts that are not told, because there are so many */
	readonly more: number;
}

/** @returns undefined for an expression that may not run, or takes too long */
export function traceExpression(
	source: string,
	phase: Phase,
	attributes: Attributes,
	goesOn: GoesOn,
): Traced | undefined {
	const checked = checkExpression(source, phase, () => undefined);
	if (!checked.ok) return undefined;
	const { expr } = checked.value;
	const ids = new Map<Node, number>();
	const { scope } = checked.value;
	const { code } = assemble(scope, expr, "value", true, { node: recordingParts(ids) });
	const run = openCode(code);
	const records = recording(ids.size, () => {
		evaluateWithin(run, attributes, LIMITS.heavyPollNanoseconds, goesOn);
	});
	const nodes = nodesOf(expr).filter(({ node }) => ids.has(node));
	const extents = new Extents(source);
	const told = nodes.slice(0, LIMITS.tracedParts).map((each) => {
		const record = records[ids.get(each.node) ?? -1];
		return partOf(source, each, extents, checked.value, record);
	});
	return { parts: told, more: nodes.length - told.length };
}

/** Lowers as ever, and wraps the code of all but literals and names, which say what they are. */
const recordingParts =
	(ids: Map<Node, number>) =>
	(lowering: Lowering, node: Node): Lowered => {
		const lowered = lowerNode(lowering, node);
		if (lowered.constant !== undefined || node.kind === "typeName") return lowered;
		const id = ids.get(node) ?? ids.size;
		ids.set(node, id);
		const [asking, noted] = [lowering.runtime("asking"), lowering.runtime("noted")];
		return { ...lowered, code: `${noted}(${asking}(${id}), ${lowered.code})` };
	};

interface DeepNode {
	readonly node: Node;
	readonly depth: number;
}

/** In the order of the source, a part before the parts that it is made of. */
function nodesOf(expr: Node): readonly DeepNode[] {
	const found: DeepNode[] = [];
	const walk = (node: Node, depth: number): void => {
		found.push({ node, depth });
		for (const child of operandsOf(node)) walk(child, depth + 1);
	};
	walk(expr, 0);
	return found;
}

/** A chain of one operator is one part, however it is nested in the tree. */
function operandsOf(node: Node): readonly Node[] {
	const isLogical = node.kind === "binary" && /^_(?:&&|\|\|)_$/.test(node.operator);
	return isLogical ? chainOf(node, node.operator) : childrenOf(node);
}

function partOf(
	source: string,
	{ node, depth }: DeepNode,
	extents: Extents,
	{ scope }: CheckedExpression,
	record: PartRecord | undefined,
): TracedPart {
	const { from, to } = extents.of(node);
	const { line, column } = problemAt(source, {
		...{ offset: from, code: "expression_syntax", message: "" },
	});
	const type = scope.typeOf(node);
	const state = stateOf(record);
	const isInt = resolve(type).kind === "int";
	return {
		text: source.slice(from, to),
		...{ line, column, from, to, depth, state },
		type: typeName(type),
		value: state === "value" ? shownValue(record?.value as Value, isInt) : undefined,
		times: record?.asked ?? 0,
		reads: readBy(node),
	};
}

function stateOf(record: PartRecord | undefined): PartState {
	if (record === undefined || record.asked === 0) return "skipped";
	return record.hasValue ? "value" : "failed";
}

function readBy(node: Node): string | undefined {
	if (node.kind === "variable") return node.name;
	const header = headerReadOf(node);
	return header && `${header.variable}[${writtenText(header.name)}]`;
}
