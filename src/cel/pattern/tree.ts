/**
 * The tree of a pattern, without flags and names of groups, and questions about its nodes that several files ask.
 * `syntax.ts` makes the tree, `translate.ts` writes it for JavaScript, `agreement.ts` and `backtracking.ts` judge it.
 */
import type { CodePoints } from "./code-points.ts";

export type Assertion =
	| "begin-text"
	| "end-text"
	| "begin-line"
	| "end-line"
	| "word-boundary"
	| "no-word-boundary";

export type Node =
	| { readonly kind: "empty" }
	/** one code point of the set */
	| { readonly kind: "set"; readonly set: CodePoints }
	| { readonly kind: "assertion"; readonly what: Assertion }
	| { readonly kind: "concat"; readonly parts: readonly Node[] }
	| { readonly kind: "alternate"; readonly parts: readonly Node[] }
	/** number counts from 1 */
	| { readonly kind: "capture"; readonly number: number; readonly body: Node }
	/** max may be Infinity */
	| {
			readonly kind: "repeat";
			readonly body: Node;
			readonly min: number;
			readonly max: number;
			readonly greedy: boolean;
	  };

export const EMPTY: Node = { kind: "empty" };

export function concat(nested: readonly Node[]): Node {
	const parts = nested.flatMap((part) => (part.kind === "concat" ? part.parts : [part]));
	const [first] = parts;
	if (first === undefined) return EMPTY;
	return parts.length === 1 ? first : { kind: "concat", parts };
}

/** UTF-16 units of the shortest text that the node can match. */
export function shortest(node: Node): number {
	switch (node.kind) {
		case "set":
			return (node.set[0] ?? 0) > 0xffff ? 2 : 1;
		case "concat":
			return node.parts.reduce((sum, part) => sum + shortest(part), 0);
		case "alternate":
			return node.parts.reduce((least, part) => Math.min(least, shortest(part)), Infinity);
		case "capture":
			return shortest(node.body);
		case "repeat":
			return node.min === 0 ? 0 : node.min * shortest(node.body);
		default:
			return 0;
	}
}

/** May it match the empty text (assertions granted)? */
export const isNullable = (node: Node): boolean => shortest(node) === 0;

/** Is there a node for which `is` holds? */
export function some(node: Node, is: (node: Node) => boolean): boolean {
	if (is(node)) return true;
	if (node.kind === "concat" || node.kind === "alternate") {
		return node.parts.some((part) => some(part, is));
	}
	return node.kind === "capture" || node.kind === "repeat" ? some(node.body, is) : false;
}
