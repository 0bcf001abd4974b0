/**
 * Compiles a pattern to plain data, once for all threads: judges its source, translates it for V8 and finds the
 * lengths of text up to which V8 can be trusted with it. Called through `pattern.ts`, which also has patterns
 * judged here that come with a request.
 */
import { LIMITS } from "../../limits/limits.ts";
import { Cache } from "../cache.ts";
import { agreesOnGroups } from "./agreement.ts";
import { type PatternSize, re2ReplaceCost, V8_STEP } from "./cost.ts";
import { type AutomatonSize, automatonSize } from "./dfa-size.ts";
import { essenceOf } from "./essence.ts";
import { type Nfa, nfaOf } from "./nfa.ts";
import type { PatternProgram, V8Program } from "./program.ts";
import { compileRe2, type PatternFault, Re2Pattern } from "./re2.ts";
import { isBeginOfText, type StepBound, searchBounds } from "./search-bounds.ts";
import { parsePattern } from "./syntax.ts";
import { translate } from "./translate.ts";
import { type Node, shortest } from "./tree.ts";

/** Is it a pattern, and not too large? @param bytesMax UTF-8 bytes of the source */
export function checkPattern(source: string, bytesMax: number): Re2Pattern | PatternFault {
	if (Buffer.byteLength(source) > bytesMax) {
		return { message: `the pattern has more than ${bytesMax} bytes`, offset: 0, isTooLarge: true };
	}
	const re2 = compileRe2(source);
	if (re2 instanceof Re2Pattern && re2.instructions > LIMITS.patternInstructions) {
		const message = "the pattern is too large when its repetitions are written out";
		return { message, offset: 0, isTooLarge: true };
	}
	return re2;
}

const prepared = new Cache<PatternProgram | PatternFault>(LIMITS.preparedPatterns);

/** Some 0.3 ms for an ordinary pattern that was not prepared lately. */
export const preparePattern = (source: string): PatternProgram | PatternFault =>
	prepared.get(source) ?? prepared.put(source, newProgram(source));

function newProgram(source: string): PatternProgram | PatternFault {
	const re2 = checkPattern(source, LIMITS.patternBytes);
	if (!(re2 instanceof Re2Pattern)) return re2;
	const { groupCount, groupNames, instructions } = re2;
	const tree = parsePattern(source);
	const essence = tree && essenceOf(tree);
	const nfa = essence && nfaOf(essence);
	const automaton = nfa && automatonSize(nfa);
	const matchesApart = tree === undefined ? 1 : leastApart(tree);
	const size = { groupCount, instructions, matchesApart };
	return {
		original: source,
		test: essence && v8Program(essence, searchBounds(essence).one, mostTestSteps(automaton)),
		automaton,
		replace:
			tree && agreesOnGroups(tree)
				? v8Program(tree, searchBounds(tree).all, (length) => mostReplaceSteps(size, length))
				: undefined,
		groupNames,
		...size,
	};
}

/** What finds out whether there is a match; undefined for a pattern that only RE2 knows. */
export function matchAutomaton(source: string): Nfa | undefined {
	const tree = parsePattern(source);
	return tree && nfaOf(essenceOf(tree));
}

function leastApart(tree: Node): number {
	const first = tree.kind === "concat" ? tree.parts[0] : tree;
	return isBeginOfText(first) ? Infinity : Math.max(1, shortest(tree));
}

const mostSteps: StepBound = (length) =>
	LIMITS.patternSteps + LIMITS.patternStepsPerCharacter * length;

/** To find out whether there is a match. */
function mostTestSteps(automaton: AutomatonSize | undefined): StepBound {
	if (automaton === undefined) return mostSteps;
	return (length) =>
		automaton.isSmall && length > LIMITS.patternV8Text
			? 0
			: LIMITS.patternStepsBesideAutomaton + LIMITS.patternStepsPerCharacter * length;
}

/** To find all matches V8 may take as long as RE2 at its worst, up to a bound. */
const mostReplaceSteps = (size: PatternSize, length: number): number =>
	Math.max(
		mostSteps(length),
		Math.min(re2ReplaceCost(size, length) / V8_STEP, LIMITS.replaceSteps),
	);

export const isPatternFault = (program: PatternProgram | PatternFault): program is PatternFault =>
	"message" in program;

/** @param most the steps that V8 may take */
function v8Program(tree: Node, bound: StepBound, most: StepBound): V8Program | undefined {
	const translation = translate(tree);
	if (translation === undefined) return undefined;
	if (!isAccepted(translation.source)) return undefined;
	const admitted = admittedTexts(bound, most);
	if (admitted.longestText < LIMITS.patternShortestText) return undefined;
	return { ...translation, ...admitted };
}

/** V8 refuses patterns that are nested too deeply for its stack, which can't be known without asking it. */
function isAccepted(source: string): boolean {
	if (source.length > LIMITS.patternTranslatedCharacters) return false;
	try {
		new RegExp(source);
		return true;
	} catch {
		return false;
	}
}

/** The texts a search of which stays within bounds; to a sixteenth, as the bound itself is no sharper. */
function admittedTexts(
	bound: StepBound,
	most: StepBound,
): Pick<V8Program, "longestText" | "steps"> {
	const steps: number[] = [];
	let longestText = 0;
	const admits = (length: number): boolean => {
		const taken = Math.ceil(bound(length));
		if (taken > most(length)) return false;
		// a length between two powers of 2 takes the place of the former one before it
		steps[Math.ceil(Math.log2(length))] = taken;
		longestText = length;
		return true;
	};
	for (let length = 1; length <= LIMITS.evaluationTextCharacters && admits(length); ) length *= 2;
	if (longestText < LIMITS.evaluationTextCharacters) {
		const fits = longestText;
		for (let part = 2; part <= 16 && fits >= 16; part *= 2) admits(longestText + fits / part);
	}
	return { longestText, steps };
}
