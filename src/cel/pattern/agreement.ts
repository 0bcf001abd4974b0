/**
 * Tells whether V8 finds the same begin, end and groups of a match as RE2, which replacing needs. Both take
 * the leftmost match and prefer earlier alternatives, but they differ in repetitions: JavaScript refuses a
 * repetition that matched nothing (`(|a)*`, `(a*)?`) and forgets the groups of earlier repetitions
 * (`(?:(a)|b)*`). Called by `prepare.ts`.
 */
import { isNullable, type Node } from "./tree.ts";

export function agreesOnGroups(node: Node): boolean {
	switch (node.kind) {
		case "concat":
		case "alternate":
			return node.parts.every(agreesOnGroups);
		case "capture":
			return agreesOnGroups(node.body);
		case "repeat":
			if (isNullable(node.body)) return false;
			return agreesOnGroups(node.body) && (node.max <= 1 || setsAllGroups(node.body, true));
		default:
			return true;
	}
}

/** Has every way through the node all its groups take part? @param always false below a choice */
function setsAllGroups(node: Node, always: boolean): boolean {
	switch (node.kind) {
		case "concat":
			return node.parts.every((part) => setsAllGroups(part, always));
		case "alternate":
			return node.parts.every((part) => setsAllGroups(part, false));
		case "capture":
			return always && setsAllGroups(node.body, always);
		case "repeat":
			return setsAllGroups(node.body, always && node.min > 0);
		default:
			return true;
	}
}
