/**
 * Where in the text of a policy something stands, also while it is no valid JSON: by the editor's own syntax tree. Used by
 * completion.ts, policy-editor.ts and rule-hits.ts.
 */
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { SyntaxNode, Tree } from "@lezer/common";

export type Phase = "inbound" | "outbound";

export interface RulePlace {
	readonly phase: Phase;
	readonly index: number;
	/** offset of its first character */
	readonly from: number;
}

const VALUES = new Set(["Object", "Array", "String", "Number", "True", "False", "Null"]);

const textOf = (state: EditorState, { from, to }: SyntaxNode): string => state.sliceDoc(from, to);

/** The contents of a string as it stands there; escapes stay. */
export const unquoted = (text: string): string => text.replace(/^"/, "").replace(/"$/, "");

function children(node: SyntaxNode): SyntaxNode[] {
	const found: SyntaxNode[] = [];
	for (let child = node.firstChild; child !== null; child = child.nextSibling) found.push(child);
	return found;
}

export const itemsOf = (array: SyntaxNode): SyntaxNode[] =>
	children(array).filter(({ name }) => VALUES.has(name));

export function member(
	state: EditorState,
	object: SyntaxNode,
	name: string,
): SyntaxNode | undefined {
	const property = children(object).find(
		(each) => each.name === "Property" && keyOf(state, each) === name,
	);
	return property === undefined
		? undefined
		: children(property).findLast((each) => VALUES.has(each.name));
}

function keyOf(state: EditorState, property: SyntaxNode): string {
	const name = property.getChild("PropertyName");
	return name === null ? "" : unquoted(textOf(state, name));
}

/** A document of a megabyte takes a tenth of it; the editor alone parses what is seen. */
const PARSE_MS = 500;

/** Of the whole document. The editor's own parsing has 20 ms, which are over before it has begun where the machine is busy. */
export const treeOf = (state: EditorState): Tree =>
	ensureSyntaxTree(state, state.doc.length, PARSE_MS) ?? syntaxTree(state);

export function rulePlaces(state: EditorState): RulePlace[] {
	const top = treeOf(state).topNode.getChild("Object");
	if (top === null) return [];
	return (["inbound", "outbound"] as const).flatMap((phase) => {
		const rules = member(state, top, phase);
		if (rules?.name !== "Array") return [];
		return itemsOf(rules).map(({ from }, index) => ({ phase, index, from }));
	});
}

/** What the cursor is in. A string without its second quote is none: the editor writes both at once. */
export interface Spot {
	/** of the value, or of the object whose name is being written */
	readonly path: readonly (string | number)[];
	readonly kind: "string" | "name" | "between";
	/** of the contents of the string or the name; where it is neither, both are the cursor */
	readonly from: number;
	readonly to: number;
	readonly node: SyntaxNode;
}

export function spotAt(state: EditorState, position: number): Spot {
	let node = treeOf(state).resolveInner(position, -1);
	const isText = node.name === "String" || node.name === "PropertyName";
	const within = isText && position > node.from && position < node.to;
	if (!within) {
		while (!["Object", "Array", "JsonText"].includes(node.name) && node.parent !== null)
			node = node.parent;
		return { path: pathOf(state, node), kind: "between", from: position, to: position, node };
	}
	const place = { from: node.from + 1, to: node.to - 1, node };
	if (node.name === "String") return { path: pathOf(state, node), kind: "string", ...place };
	const object = node.parent?.parent ?? node;
	return { path: pathOf(state, object), kind: "name", ...place };
}

function pathOf(state: EditorState, node: SyntaxNode): (string | number)[] {
	const path: (string | number)[] = [];
	for (let at: SyntaxNode = node; at.parent !== null; at = at.parent) {
		const { parent } = at;
		if (parent.name === "Property") path.push(keyOf(state, parent));
		if (parent.name === "Array")
			path.push(itemsOf(parent).findIndex(({ from }) => from === at.from));
	}
	return path.reverse();
}
