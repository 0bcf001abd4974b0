/**
 * What is known of a pattern once it is compiled: plain data, so that it can be cloned to other threads.
 * `engines.ts` runs it.
 */
import { LIMITS } from "../../limits.ts";
import { agreesOnGroups } from "./agreement.ts";
import { essenceOf } from "./essence.ts";
import { compileRe2, type PatternFault, Re2Pattern } from "./re2.ts";
import { type StepBound, searchBounds } from "./search-bounds.ts";
import { parsePattern } from "./syntax.ts";
import { translate } from "./translate.ts";
import type { Node } from "./tree.ts";

/** For V8, instead of the pattern: for texts up to a length. */
export interface V8Program {
	/** of a RegExp without flags */
	readonly source: string;
	/** means the same in texts without lone surrogates only */
	readonly wellFormedOnly: boolean;
	/** UTF-16 units of the longest text for which the steps of a search are within bounds */
	readonly longestText: number;
	/** the most steps on a text of up to 2 ** index units, up to the longest text */
	readonly steps: readonly number[];
}

export interface PatternProgram {
	/** as written, in RE2 syntax; what V8 can't be given is run from it */
	readonly original: string;
	/** to find out whether there is a match; undefined: RE2 only */
	readonly test: V8Program | undefined;
	/** to find all matches with their groups; undefined: RE2 only */
	readonly replace: V8Program | undefined;
	readonly groupCount: number;
	/** numbers count from 1 */
	readonly groupNames: ReadonlyMap<string, number>;
	/** of RE2's program, repetitions written out: what its run time grows with */
	readonly instructions: number;
}

/** @param bytesMax UTF-8 bytes of the source */
export function preparePattern(
	source: string,
	bytesMax: number = LIMITS.patternBytes,
): PatternProgram | PatternFault {
	if (Buffer.byteLength(source) > bytesMax) {
		return { message: `the pattern has more than ${bytesMax} bytes`, offset: 0 };
	}
	const re2 = compileRe2(source);
	if (!(re2 instanceof Re2Pattern)) return re2;
	const { groupCount, groupNames, instructions } = re2;
	if (instructions > LIMITS.patternInstructions) {
		return { message: "the pattern is too large when its repetitions are written out", offset: 0 };
	}
	const tree = parsePattern(source);
	const essence = tree && essenceOf(tree);
	return {
		original: source,
		test: essence && v8Program(essence, searchBounds(essence).one),
		replace: tree && agreesOnGroups(tree) ? v8Program(tree, searchBounds(tree).all) : undefined,
		groupCount,
		groupNames,
		instructions,
	};
}

export const isPatternFault = (program: PatternProgram | PatternFault): program is PatternFault =>
	"message" in program;

function v8Program(tree: Node, bound: StepBound): V8Program | undefined {
	const translation = translate(tree);
	if (translation === undefined) return undefined;
	if (!isAccepted(translation.source)) return undefined;
	const longestText = longestWithin(bound);
	if (longestText < 0) return undefined;
	const steps: number[] = [];
	for (let length = 1; length < 2 * longestText; length *= 2) {
		steps.push(Math.ceil(bound(Math.min(length, longestText))));
	}
	return { ...translation, longestText, steps };
}

/** V8 refuses what is nested too deeply for its stack; that can't be known beforehand. */
function isAccepted(source: string): boolean {
	if (source.length > LIMITS.patternTranslatedCharacters) return false;
	try {
		new RegExp(source);
		return true;
	} catch {
		return false;
	}
}

const isWithin = (bound: StepBound, length: number): boolean =>
	bound(length) <= LIMITS.patternSteps + LIMITS.patternStepsPerCharacter * length;

/** @returns UTF-16 units, less than 0 if even short texts take too many steps */
function longestWithin(bound: StepBound): number {
	let fits = 1;
	while (fits < LIMITS.evaluationTextCharacters && isWithin(bound, 2 * fits)) fits *= 2;
	let exceeds = 2 * fits;
	if (fits >= LIMITS.evaluationTextCharacters) return fits;
	while (exceeds - fits > 1) {
		const middle = (fits + exceeds) >> 1;
		if (isWithin(bound, middle)) fits = middle;
		else exceeds = middle;
	}
	return fits < LIMITS.patternShortestText ? -1 : fits;
}
