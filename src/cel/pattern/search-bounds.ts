/**
 * How many steps a backtracking search takes at most, as a function of the text's length: decides which
 * patterns and texts V8 gets. Called by `prepare.ts`.
 *
 * V8's own remedy, to fall back to a linear engine after many backtracks, is none: loops over one class are
 * compiled to code that counts no backtracks, so `x*x*y` took 0.5 s on 8 KiB and `x*y` 5 s on 64 KiB (node
 * 20.20 and 22.23, `--enable-experimental-regexp-engine-on-excessive-backtracks`, 2 cores).
 *
 * `test/cel/pattern/search-bounds.test.ts` counts the steps of real searches and compares.
 */
import { ACCEPT, concatBound, totalSteps } from "./backtracking.ts";
import { type CodePoints, overlaps } from "./code-points.ts";
import { alwaysMatches } from "./first-steps.ts";
import { type Node, shortest } from "./tree.ts";

/** Steps of one search at most, from the text's begin to a match or to its end. @param length UTF-16 units */
export type StepBound = (length: number) => number;

export interface SearchBounds {
	/** until the first match */
	readonly one: StepBound;
	/** of all searches together that find every match */
	readonly all: StepBound;
}

export function searchBounds(tree: Node): SearchBounds {
	if (tree.kind === "capture") return searchBounds(tree.body);
	const bounds = sequenceBounds(tree);
	if (tree.kind !== "alternate") return bounds;
	const parts = tree.parts.map(searchBounds);
	const apart = (of: (part: SearchBounds) => number, length: number) =>
		parts.reduce((steps, part) => steps + of(part) + length + 1, 0);
	return {
		one: (length) =>
			Math.min(
				bounds.one(length),
				apart((part) => part.one(length), length),
			),
		all: (length) =>
			Math.min(
				bounds.all(length),
				apart((part) => part.all(length), length),
			),
	};
}

function sequenceBounds(tree: Node): SearchBounds {
	const parts = partsOf(tree);
	const whole = concatBound(parts, ACCEPT);
	const uncertain = partsThatMayFail(parts);
	const failing = concatBound(uncertain, ACCEPT);
	const isAnchored = isBeginOfText(parts[0]);
	const { steps: prefix, apart } = leadingSets(uncertain);
	// where a match may begin, all that may fail is tried, and elsewhere its first classes; what a late begin
	// leaves of the text is less than all of it
	const begins = (length: number, slices: number): number => {
		let steps = 0;
		for (let slice = 1; slice <= slices; slice++) {
			const left = (length * slice) / slices;
			steps += (length / slices / apart + 1) * totalSteps(failing.at(left), left);
		}
		return steps;
	};
	const failed: StepBound = (length) =>
		isAnchored
			? totalSteps(failing.at(length), length) + (length + 1) * (prefix + 4)
			: Math.min(begins(length, 1), begins(length, SLICES)) + (length + 1) * (prefix + 1);
	const least = Math.max(1, shortest(tree));
	return {
		one: (length) => failed(length) + totalSteps(whole.at(length), length),
		all(length) {
			const matches = isAnchored ? 2 : length / least + 1;
			const work = whole.at(length);
			// matches don't overlap: what each takes of the text is looked at once
			const looks = (work.givesBack ? matches : 1) * work.perCharacter * length;
			return failed(length) + matches * (work.once + prefix) + looks;
		},
	};
}

/** parts of a text, in each of which a match may begin with all the rest before it */
const SLICES = 4;

const partsOf = (node: Node): readonly Node[] => (node.kind === "concat" ? node.parts : [node]);

/** Without the end that always matches, of a last `x+` all but one `x`: what decides whether there is a match. */
function partsThatMayFail(parts: readonly Node[]): readonly Node[] {
	const last = parts.at(-1);
	if (last === undefined) return parts;
	const before = parts.slice(0, -1);
	if (alwaysMatches(last)) return partsThatMayFail(before);
	if (last.kind === "capture" || (last.kind === "repeat" && last.min === 1)) {
		return partsThatMayFail([...before, ...partsOf(last.body)]);
	}
	return parts;
}

/** Is a match bound to the text's begin? So there is one at most. */
export const isBeginOfText = (node: Node | undefined): boolean =>
	node?.kind === "capture"
		? isBeginOfText(partsOf(node.body)[0])
		: node?.kind === "assertion" && node.what === "begin-text";

/** how many of the classes that a match begins with are looked at */
const LEADING = 32;

/** The classes a match begins with: `http://` is found again at every seventh character at most. */
function leadingSets(parts: readonly Node[]): { steps: number; apart: number } {
	const sets: CodePoints[] = [];
	let steps = 0;
	for (const part of parts) {
		if (sets.length >= LEADING) break;
		if (part.kind === "set") sets.push(part.set);
		else if (part.kind === "repeat" && part.body.kind === "set") {
			const count = Math.min(part.min, LEADING);
			for (let turn = 0; turn < count; turn++) sets.push(part.body.set);
			steps += count + 1;
			if (part.min !== part.max || part.min > LEADING) break;
		} else if (part.kind === "assertion") steps += 3;
		else break;
	}
	let apart = 1;
	const fits = (shift: number): boolean =>
		sets.every((set, index) => {
			const other = sets[index + shift];
			return other === undefined || overlaps(set, other);
		});
	while (apart < sets.length && !fits(apart)) apart++;
	return { steps: steps + sets.length, apart };
}
