/**
 * How many steps a backtracking matcher takes at most from one place in a text: the part of
 * `search-bounds.ts` that follows the tree.
 *
 * A step is one try of a class or an assertion, one alternative or one turn of a loop. The part of the pattern
 * behind a loop is tried at one place for each turn of the loop. But if that part never begins like another turn
 * (`[0-9]+/`), it fails at once at all places but one. The matcher never comes back to a part that always
 * succeeds, such as a `.*` at the end.
 */
import { type Ahead, aheadOf, collide, joined } from "./ahead.ts";
import { ALL } from "./code-points.ts";
import { alwaysMatches, emptyWays, MANY, powers, stepsToFail } from "./first-steps.ts";
import { type Node, shortest } from "./tree.ts";

/** The part of a pattern behind a node. */
export interface Rest {
	readonly ahead: Ahead;
	/** does it match in any case? */
	readonly certain: boolean;
	/** steps where `ahead` doesn't hold */
	readonly fails: number;
}

/** turns of a loop that are counted one by one, not by the text's characters */
const FEW = 16;

export const ACCEPT: Rest = { ahead: { set: ALL, end: true }, certain: true, fails: 0 };

/** From one place in a text of some length: how often the rest is tried, and the steps before that. */
export interface Work {
	readonly ways: number;
	/** steps, and steps for each character of the text */
	readonly once: number;
	readonly perCharacter: number;
	/**
	 * may a search that comes to a match have looked, by `perCharacter`, at characters that the match leaves?
	 * If not, those steps are shared out among the matches of a text as its characters are
	 */
	readonly givesBack: boolean;
}

export interface Bound {
	/** is there one way at most, and every character looked at as often as its part of the tree says? */
	readonly single: boolean;
	/** asks each bound below once, as trees may be deep */
	at(length: number): Work;
}

export const totalSteps = ({ once, perCharacter }: Work, length: number): number =>
	once + perCharacter * length;

const fixed = (once: number): Bound => {
	const work: Work = { ways: 1, once, perCharacter: 0, givesBack: false };
	return { single: true, at: () => work };
};

function boundOf(node: Node, rest: Rest): Bound {
	switch (node.kind) {
		case "set":
			return fixed(1);
		case "assertion":
			return fixed(3);
		case "concat":
			return concatBound(node.parts, rest);
		case "alternate":
			return alternateBound(node.parts, rest);
		case "capture": {
			const body = boundOf(node.body, rest);
			return { single: body.single, at: (length) => plus(body.at(length), 1) };
		}
		case "repeat":
			return repeatBound(node, rest);
		default:
			return fixed(0);
	}
}

/** Finite however much it is. */
const workOf = (ways: number, once: number, perCharacter: number, givesBack = false): Work => ({
	ways: Math.min(ways, MANY),
	once: Math.min(once, MANY),
	perCharacter: Math.min(perCharacter, MANY),
	givesBack: givesBack && perCharacter > 0,
});

const plus = (work: Work, steps: number): Work => ({ ...work, once: work.once + steps });

export function concatBound(parts: readonly Node[], last: Rest): Bound {
	let rest = last;
	const bounds: Bound[] = [];
	for (const part of parts.toReversed()) {
		bounds.unshift(boundOf(part, rest));
		rest = restWith(part, rest);
	}
	return {
		single: bounds.every(({ single }) => single),
		at(length) {
			let [ways, once, perCharacter, givesBack] = [1, 0, 0, false];
			for (const bound of bounds) {
				const work = bound.at(length);
				givesBack ||= work.givesBack;
				once += ways * work.once + (ways > 1 ? ways * work.perCharacter * length : 0);
				perCharacter += ways > 1 ? 0 : work.perCharacter;
				ways = Math.min(ways * work.ways, MANY);
			}
			return workOf(ways, once, perCharacter, givesBack);
		},
	};
}

const restWith = (node: Node, rest: Rest): Rest => ({
	ahead: aheadOf(node, rest.ahead),
	certain: rest.certain && alwaysMatches(node),
	fails: Math.min(stepsToFail(node) + emptyWays(node) * rest.fails, MANY),
});

/** Alternatives in groups of which the next character lets in one. */
function alternateBound(parts: readonly Node[], rest: Rest): Bound {
	let groups: { readonly ahead: Ahead; readonly bounds: readonly Bound[] }[] = [];
	let fails = parts.length;
	for (const part of parts) {
		fails += stepsToFail(part) + emptyWays(part) * rest.fails;
		const ahead = aheadOf(part, rest.ahead);
		const own = groups.filter((group) => collide(group.ahead, ahead));
		groups = groups.filter((group) => !own.includes(group));
		groups.push({
			ahead: own.map((group) => group.ahead).reduce(joined, ahead),
			bounds: [...own.flatMap(({ bounds }) => bounds), boundOf(part, rest)],
		});
	}
	return {
		single: groups.every(({ bounds }) => bounds.length === 1 && bounds[0]?.single === true),
		at(length) {
			let [ways, once, perCharacter, givesBack] = [0, 0, 0, false];
			for (const { bounds } of groups) {
				const works = bounds.map((bound) => bound.at(length));
				// where several are let in, one may fail far behind the begin, and another match
				givesBack ||= works.length > 1 || works.some((work) => work.givesBack);
				const sum = (of: (work: Work) => number) => works.reduce((sum, work) => sum + of(work), 0);
				ways = Math.max(
					ways,
					sum((work) => work.ways),
				);
				once = Math.max(
					once,
					sum((work) => work.once),
				);
				perCharacter = Math.max(
					perCharacter,
					sum((work) => work.perCharacter),
				);
			}
			return workOf(rest.certain ? 1 : ways, once + fails, perCharacter, givesBack);
		},
	};
}

function repeatBound(node: Node & { readonly kind: "repeat" }, rest: Rest): Bound {
	const { body, min, max } = node;
	if (max === 0) return fixed(1);
	const least = shortest(body);
	const consumes = least > 0;
	const turnsIn = (length: number): number =>
		Math.min(max, consumes ? length / least + 1 : length + 1 + min);
	const passes = (length: number, turn: Work): Work =>
		inPasses(turn, turnsIn(length), failsAgain, {
			consumes,
			mayGiveBack: rest.certain && min < max,
		});
	const ahead = aheadOf(body, rest.ahead);
	const failsAgain = stepsToFail(body) + 1 + rest.fails;
	// whatever a turn comes to, it is followed by success
	if (rest.certain && min <= 1) {
		const turn = boundOf(body, { ...ACCEPT, fails: failsAgain });
		return {
			single: max === 1 && turn.single,
			at(length) {
				const work = turn.at(length);
				if (max === 1 || work.perCharacter === 0) return passes(length, work);
				return workOf(1, (turnsIn(length) + 1) * (totalSteps(work, length) + failsAgain), 0);
			},
		};
	}
	const again: Ahead = rest.certain ? ahead : joined(ahead, rest.ahead);
	const inner: Rest =
		max === 1
			? { ...rest, fails: rest.fails + 1 }
			: { ahead: again, certain: false, fails: failsAgain };
	const turn = boundOf(body, inner);
	const mayChoose = min < max && (max === 1 || !rest.certain);
	if (turn.single && !(mayChoose && collide(ahead, rest.ahead))) {
		return { single: true, at: (length) => passes(length, turn.at(length)) };
	}
	return {
		single: false,
		at(length) {
			const turns = Math.floor(turnsIn(length));
			const work = turn.at(length);
			const entries = powers(work.ways, 0, turns);
			const bodies = turns < max ? entries : powers(work.ways, 0, max - 1);
			const exits = rest.certain ? 1 : powers(work.ways, min, turns);
			const once = bodies * totalSteps(work, length) + entries * (failsAgain + 1);
			return workOf(exits, once, 0);
		},
	};
}

/**
 * A loop whose turns share the text among them, so that all see each character as often as one does.
 * @param consumes does each turn take a character?
 * @param mayGiveBack may there be a match after a turn that has failed behind its first character?
 */
function inPasses(
	turn: Work,
	turns: number,
	fails: number,
	{ consumes, mayGiveBack }: { readonly consumes: boolean; readonly mayGiveBack: boolean },
): Work {
	const { perCharacter } = turn;
	const once = turn.once + fails + 1;
	const givesBack = turn.givesBack || (mayGiveBack && perCharacter > 0);
	return turns <= FEW || !consumes
		? workOf(1, once * (turns + 1), perCharacter, givesBack)
		: workOf(1, once, perCharacter + once, givesBack);
}
