/**
 * Guesses what the author of a call that fits no overload meant, and says how to write it (contract 3): a number
 * stands in quotes, a text stands without quotes, a list of header lines stands for one of them. Called by
 * `operations.ts`, whose sentence it completes.
 */
import type { Node } from "../tree/node.ts";
import { textLiteral, textsOf } from "../tree/parts.ts";
import { written } from "../tree/written.ts";
import { resolve, type Type, typeName } from "./types.ts";

/** `; write …`, or nothing. */
export function remedy(name: string, isMethod: boolean, operands: readonly Node[]): string {
	const [left, right] = operands;
	if (left === undefined || right === undefined || operands.length !== 2) return "";
	const meant = isMethod
		? ofMethod(name, left, right)
		: name === "@in"
			? ofIn(left, right)
			: COMPARISONS.has(name)
				? (ofComparison(name, left, right) ?? ofComparison(name, right, left))
				: undefined;
	return meant === undefined ? "" : `; write ${meant}`;
}

const COMPARISONS: ReadonlySet<string> = new Set(["_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_"]);
const TEXT_TESTS: ReadonlySet<string> = new Set(["contains", "startsWith", "endsWith", "matches"]);
const NUMBER = /^-?\d{1,15}$/;

const typeOf = (node: Node): Type => resolve(node.type);
const isNumber = (node: Node): boolean => /^(?:int|uint|double)$/.test(typeOf(node).kind);
const isLiteral = (node: Node): boolean => node.kind === "constant";

function ofComparison(name: string, operand: Node, literal: Node): string | undefined {
	const value = written(literal);
	if (value === undefined || !isLiteral(literal) || isLiteral(operand)) return undefined;
	const text = textLiteral(literal);
	if (isNumber(operand) && text !== undefined && NUMBER.test(text)) {
		return `${text} without quotes`;
	}
	const subject = written(operand);
	const type = typeName(typeOf(operand));
	const isEquality = name === "_==_" || name === "_!=_";
	if (type === "string" && text === undefined && isNumber(literal)) {
		if (isEquality) return `'${value}' in quotes`;
		return subject === undefined ? undefined : `int(${subject})`;
	}
	if (text === undefined || subject === undefined || !isEquality) return undefined;
	const not = name === "_!=_" ? "!" : "";
	if (type === "list<string>") return not ? `!(${value} in ${subject})` : `${value} in ${subject}`;
	if (/^list<(?:set_)?cookie>$/.test(type)) {
		return `${not}${subject}.exists(c, c.value == ${value})`;
	}
	return /^(?:set_)?cookie$/.test(type) ? `${subject}.value` : undefined;
}

function ofMethod(name: string, list: Node, argument: Node): string | undefined {
	if (!TEXT_TESTS.has(name) || typeName(typeOf(list)) !== "list<string>") return undefined;
	const [subject, value] = [written(list), written(argument)];
	if (subject === undefined || value === undefined) return undefined;
	return `${subject}.exists(v, v.${name}(${value}))`;
}

function ofIn(element: Node, list: Node): string | undefined {
	const texts = textsOf(list);
	if (texts === undefined || texts.length === 0) return undefined;
	if (isNumber(element) && !isLiteral(element) && texts.every((text) => NUMBER.test(text))) {
		return `[${texts.join(", ")}] without quotes`;
	}
	const [subject, values] = [written(element), written(list)];
	if (typeName(typeOf(element)) !== "list<string>" || subject === undefined) return undefined;
	return `${subject}.exists(v, v in ${values})`;
}
