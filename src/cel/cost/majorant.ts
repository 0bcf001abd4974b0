/**
 * Upper bounds of a function's cost and of its result's size where the sizes of the operands are bounds themselves:
 * the definitions in `library/` give cost and size for sizes that are numbers. Called by `cost/functions.ts`.
 */
import { type Bound, isConstant, largest, scaled, sum } from "./bound.ts";

/** Sizes up to here count as one. */
const SMALL = 32;
/** How much a size grows from one sample to the next, so that the bound is that much too large at most. */
const STEP = 1.5;

/**
 * A bound of `f` at sizes that are bounds themselves. `f` must not fall where a size grows.
 *
 * If all sizes are the same z, or as much of it as each can be, `f` is a function of z alone, and below a + b·z
 * for suitable a and b: found at samples, since between two of them `f` is at most what it is at the upper
 * one. The largest of several sizes is at most their sum.
 */
export function applied(f: (...sizes: number[]) => number, sizes: readonly Bound[]): Bound {
	const most = sizes.map(largest);
	const open = sizes.filter((size) => !isConstant(size));
	if (open.length === 0) return f(...most);
	const operands = [...most];
	const along = (z: number): number => {
		for (const [at, size] of sizes.entries()) {
			if (!isConstant(size)) operands[at] = Math.min(z, most[at] ?? 0);
		}
		return f(...operands);
	};
	const end = Math.max(...open.map(largest));
	const base = along(SMALL);
	let slope = 0;
	for (let below = SMALL; below < end; below *= STEP) {
		slope = Math.max(slope, (along(Math.min(below * STEP, end)) - base) / below);
	}
	return sum(base, scaled(sum(...open), slope));
}
