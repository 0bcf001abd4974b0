/**
 * What a backtracking search does where a node of a pattern is tried and the next character doesn't fit:
 * part of the bounds in `backtracking.ts`.
 */
import { isNullable, type Node } from "./tree.ts";

/** Is there a way through the node whatever the text is? */
export function alwaysMatches(node: Node): boolean {
	switch (node.kind) {
		case "empty":
			return true;
		case "concat":
			return node.parts.every(alwaysMatches);
		case "alternate":
			return node.parts.some(alwaysMatches);
		case "capture":
			return alwaysMatches(node.body);
		case "repeat":
			return node.min === 0 || alwaysMatches(node.body);
		default:
			return false;
	}
}

/** In how many ways the node can match nothing, at most. */
export function emptyWays(node: Node): number {
	switch (node.kind) {
		case "set":
			return 0;
		case "concat":
			return node.parts.reduce((ways, part) => ways * emptyWays(part), 1);
		case "alternate":
			return node.parts.reduce((ways, part) => ways + emptyWays(part), 0);
		case "capture":
			return emptyWays(node.body);
		case "repeat": {
			if (node.max === 0) return 1;
			const ways = emptyWays(node.body);
			return ways ** node.min * (node.max > node.min ? 1 + ways : 1);
		}
		default:
			return 1;
	}
}

/** Steps until the node has failed, or has matched nothing in all its ways. */
export function stepsToFail(node: Node): number {
	switch (node.kind) {
		case "empty":
			return 0;
		case "set":
			return 1;
		case "assertion":
			return 3;
		case "concat": {
			let [ways, steps] = [1, 0];
			for (const part of node.parts) {
				steps += ways * stepsToFail(part);
				if (!isNullable(part)) break;
				ways *= emptyWays(part);
			}
			return steps;
		}
		case "alternate":
			return node.parts.reduce((steps, part) => steps + 1 + stepsToFail(part), 0);
		case "capture":
			return 1 + stepsToFail(node.body);
		case "repeat": {
			const ways = emptyWays(node.body);
			let turns = 1;
			for (let turn = 1; turn < node.min && turns < Infinity; turn++) turns += ways ** turn;
			return 1 + (turns + ways ** node.min) * (1 + stepsToFail(node.body));
		}
	}
}
