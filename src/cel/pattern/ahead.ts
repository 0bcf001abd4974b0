/**
 * The characters with which a text must go on at a node of a pattern, if there is to be a match. By these a
 * search tells alternatives, and the turns of a loop, from each other. Part of the bounds in `backtracking.ts`.
 */
import { type CodePoints, NONE, overlaps, union } from "./code-points.ts";
import type { Node } from "./tree.ts";

/** What the text may go on with where a node begins, if the match is to go on. */
export interface Ahead {
	readonly set: CodePoints;
	/** may it be the text's end? */
	readonly end: boolean;
}

export const joined = (one: Ahead, other: Ahead): Ahead => ({
	set: union(one.set, other.set),
	end: one.end || other.end,
});

export const collide = (one: Ahead, other: Ahead): boolean =>
	(one.end && other.end) || overlaps(one.set, other.set);

/** @param rest the characters ahead of the place behind the node */
export function aheadOf(node: Node, rest: Ahead): Ahead {
	switch (node.kind) {
		case "set":
			return { set: node.set, end: false };
		case "assertion":
			if (node.what === "end-text") return { set: NONE, end: rest.end };
			return node.what === "end-line" ? { set: [0x0a, 0x0a], end: rest.end } : rest;
		case "concat":
			return node.parts.reduceRight((ahead, part) => aheadOf(part, ahead), rest);
		case "alternate":
			return node.parts.map((part) => aheadOf(part, rest)).reduce(joined);
		case "capture":
			return aheadOf(node.body, rest);
		case "repeat": {
			if (node.max === 0) return rest;
			const body = aheadOf(node.body, rest);
			return node.min === 0 ? joined(body, rest) : body;
		}
		default:
			return rest;
	}
}
