/**
 * Turns offsets and RFC 6901 pointers into lines and columns, for `json.ts` and whoever prints problems
 * of a document beside its text.
 */
import type { Node } from "jsonc-parser";

/** Both count from 1; columns in UTF-16 units, as editors do. */
export interface Position {
	readonly line: number;
	readonly column: number;
}

const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/** Lines end with LF, CR LF or CR. */
export function positionAt(text: string, offset: number): Position {
	let line = 1;
	let lineStart = 0;
	for (let index = 0; index < offset && index < text.length; index++) {
		const code = text.charCodeAt(index);
		if (code === RETURN && text.charCodeAt(index + 1) === LINE_FEED) continue;
		if (code === LINE_FEED || code === RETURN) {
			line++;
			lineStart = index + 1;
		}
	}
	return { line, column: offset - lineStart + 1 };
}

/** The reference tokens of an RFC 6901 pointer, unescaped; undefined if it is no pointer. */
export function pointerTokens(pointer: string): readonly string[] | undefined {
	if (pointer === "") return [];
	if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return undefined;
	return pointer
		.slice(1)
		.split("/")
		.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** RFC 6901 pointer to `path`; numbers are indexes. */
export function pointerTo(path: readonly PropertyKey[]): string {
	return path
		.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`)
		.join("");
}

/** Walks `tree` along `pointer` as far as it goes. */
export function positionOfPointer(text: string, tree: Node, pointer: string): Position | undefined {
	const tokens = pointerTokens(pointer);
	if (tokens === undefined) return undefined;
	let node = tree;
	let offset = tree.offset;
	for (const token of tokens) {
		const next = step(node, token);
		if (next === undefined) break;
		offset = next.offset;
		node = next.node;
	}
	return positionAt(text, offset);
}

function step(node: Node, token: string): { node: Node; offset: number } | undefined {
	const children = node.children ?? [];
	if (node.type === "array") {
		const element = /^(0|[1-9][0-9]*)$/.test(token) ? children[Number(token)] : undefined;
		return element && { node: element, offset: element.offset };
	}
	for (const property of node.type === "object" ? children : []) {
		const [name, value] = property.children ?? [];
		if (name?.value === token && value) return { node: value, offset: name.offset };
	}
	return undefined;
}
