/**
 * How many steps a backtracking search takes where it tries a node of a pattern and the next character doesn't
 * fit. Part of the bounds in `backtracking.ts`.
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

/** more than any search may take, and finite, so that no times it is still none */
export const MANY = 1e50;

/** In how many ways the node can match nothing, at most. */
export const emptyWays = (node: Node): number => Math.min(emptyWaysOf(node), MANY);

function emptyWaysOf(node: Node): number {
	switch (node.kind) {
		case "set":
			return 0;
		case "concat":
			return node.parts.reduce((ways, part) => Math.min(ways * emptyWays(part), MANY), 1);
		case "alternate":
			return node.parts.reduce((ways, part) => ways + emptyWays(part), 0);
		case "capture":
			return emptyWays(node.body);
		case "repeat": {
			if (node.max === 0) return 1;
			const ways = emptyWays(node.body);
			return Math.min(ways ** node.min, MANY) * (node.max > node.min ? 1 + ways : 1);
		}
		default:
			return 1;
	}
}

/** Steps until the node has failed, or has matched nothing in all its ways. */
export const stepsToFail = (node: Node): number => Math.min(stepsToFailOf(node), MANY);

function stepsToFailOf(node: Node): number {
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
				ways = Math.min(ways * emptyWays(part), MANY);
			}
			return steps;
		}
		case "alternate":
			return node.parts.reduce((steps, part) => steps + 1 + stepsToFail(part), 0);
		case "capture":
			return 1 + stepsToFail(node.body);
		case "repeat": {
			// each turn that must be taken is tried once for each way to take those before it with nothing
			const turns = powers(emptyWays(node.body), 0, node.min);
			return 1 + (turns + 1) * (1 + stepsToFail(node.body));
		}
	}
}

/** The sum of `base ** exponent` for all exponents of a range. */
export function powers(base: number, from: number, to: number): number {
	if (base === 1) return Math.max(0, to - from + 1);
	let sum = 0;
	for (let exponent = from; exponent <= to && sum < MANY; exponent++) sum += base ** exponent;
	return Math.min(sum, MANY);
}
