/**
 * Reduces a pattern to the part that decides whether there is a match at all: groups go, and so do repetitions
 * that only extend a match. `[a-z]+@[a-z]+` matches where `[a-z]@[a-z]` does, `.*foo.*` where `foo` does. A
 * backtracking search then has much less to try. Called by `prepare.ts`.
 */
import { type CodePoints, complement, overlaps } from "./code-points.ts";
import { alwaysMatches } from "./first-steps.ts";
import { concat, type Node } from "./tree.ts";

type Repeat = Node & { readonly kind: "repeat" };

/** @returns a tree that matches somewhere in a text if and only if the given one does */
export const essenceOf = (tree: Node): Node => trimmed(simplified(tree));

/** The same language, groups gone. */
function simplified(node: Node): Node {
	switch (node.kind) {
		case "capture":
			return simplified(node.body);
		case "concat":
			return concat(shared(concatParts(concat(node.parts.map(simplified)))));
		case "alternate":
			return { kind: "alternate", parts: node.parts.map(simplified) };
		case "repeat":
			return { ...node, body: simplified(node.body) };
		default:
			return node;
	}
}

const concatParts = (node: Node): readonly Node[] => (node.kind === "concat" ? node.parts : [node]);

/** In `[0-9]+.*` the second loop takes what the first one leaves: `[0-9].*` is the same. */
function shared(parts: readonly Node[]): readonly Node[] {
	const kept: Node[] = [];
	for (const part of parts) {
		let previous = kept.at(-1);
		for (; previous !== undefined && absorbs(part, previous); previous = kept.at(-1)) {
			kept.splice(-1, 1, ...least(previous));
		}
		kept.push(...(previous !== undefined && absorbs(previous, part) ? least(part) : [part]));
	}
	return kept;
}

/** Is `one` an endless loop over a class that holds all of that which `other` is a loop over? */
const absorbs = (one: Node, other: Node): boolean =>
	one.kind === "repeat" &&
	other.kind === "repeat" &&
	one.max === Infinity &&
	other.max > other.min &&
	one.body.kind === "set" &&
	other.body.kind === "set" &&
	holdsAll(one.body.set, other.body.set);

const holdsAll = (set: CodePoints, members: CodePoints): boolean =>
	!overlaps(complement(set), members);

/** A loop of as few turns as it may have. */
function least(node: Node): readonly Node[] {
	if (node.kind !== "repeat" || node.min === node.max) return [node];
	if (node.min === 0) return [];
	if (node.min === 1) return concatParts(node.body);
	const fixed: Repeat = { ...node, max: node.min };
	return [fixed];
}

/** Without the extent at either end. */
function trimmed(node: Node): Node {
	if (node.kind === "alternate") return { kind: "alternate", parts: node.parts.map(trimmed) };
	let parts = concatParts(node);
	for (let changes = true; changes; ) {
		const first = ends(parts[0]);
		if (first !== undefined) parts = [...first, ...parts.slice(1)];
		const last = ends(parts.at(-1));
		if (last !== undefined) parts = [...parts.slice(0, -1), ...last];
		changes = first !== undefined || last !== undefined;
	}
	const [only] = parts;
	return parts.length === 1 && only?.kind === "alternate" ? trimmed(only) : concat(parts);
}

/** The part of a node at an end that remains; undefined: all of it. */
function ends(node: Node | undefined): readonly Node[] | undefined {
	if (node === undefined) return undefined;
	if (alwaysMatches(node)) return [];
	return node.kind === "repeat" && node.min < node.max ? least(node) : undefined;
}
