/**
 * Finds out whether there is a match, by a deterministic automaton that is made while texts are searched, as RE2
 * does it. Each set of instructions that comes up is a state, whose transitions are a row of a table. So a letter
 * costs one look-up, 2 to 3 ns for every pattern (twice that beyond Latin-1). `engines.ts` uses it for patterns
 * and texts that V8 can't be trusted with.
 *
 * Bounds. The states of one pattern have a limit, and so have the states of all patterns together
 * (`state-memory.ts`); a full table is emptied and begun anew. A text that asks for a new transition at every
 * eighth letter, or oftener, is searched to its end without keeping transitions, which takes a third of the time
 * of making them. Either way the time is linear: letters times instructions. The caller charges for walking the
 * table (`cost.ts`). Making states is charged here as it happens, so a long search can end in the middle; the
 * states that it has made stay good.
 */
import { charge } from "../budget.ts";
import { type Alphabet, DIRECT, MET } from "./alphabet.ts";
import { LETTERS_FOR_ONE, MADE_FREELY, MADE_NS, STEP_NS, WORK_NS } from "./dfa-cost.ts";
import type { Nfa } from "./nfa.ts";
import { type KeptSet, NfaSteps } from "./nfa-steps.ts";
import { STATE_MEMORY } from "./state-memory.ts";

/** What stands in the table: one of these, or where a state's row begins. */
const UNKNOWN = 0;
const MATCH = 1;
const DEAD = 2;
/** rows of the table that no state has, so that no row begins at one of the above */
const RESERVED_ROWS = 2;
/** answer of `#made`: not kept, what the steps have in hand goes on */
const NOT_KEPT = -1;

/** bytes of a state beside its row and members */
const STATE_BYTES = 200;

/**
 * A part of the text as UTF-16 units: `charCodeAt` asks at each unit how the text is kept (4 to 12 ns for a unit of
 * the walk, 2 to 3 over a buffer that stays in the cache). Searches never overlap.
 */
const UNITS = new Uint16Array(4096);
const BYTES = Buffer.from(UNITS.buffer);

/** @param length units that are loaded */
function loadedAt(at: number, length: number): number {
	const unit = UNITS[at] as number;
	if ((unit & 0xfc00) !== 0xd800 || at + 1 >= length) return unit;
	const low = UNITS[at + 1] as number;
	return (low & 0xfc00) === 0xdc00 ? ((unit - 0xd800) << 10) + low - 0xdc00 + 0x10000 : unit;
}

/** where `walk` stopped: the row of the last state, and the unit that leads to no known one */
let stoppedIn = 0;
let stoppedAt = 0;

/** Hot: as little as can be between one unit and the next. @param at @param length units that are loaded */
function walk(
	table: Int32Array,
	{ direct, met, metLetters }: Alphabet,
	first: number,
	begin: number,
	length: number,
): void {
	let row = first;
	let at = begin;
	for (; at < length; at++) {
		const unit = UNITS[at] as number;
		let letter = 0;
		if (unit < DIRECT) letter = direct[unit] as number;
		else if (met[unit & (MET - 1)] === unit) letter = metLetters[unit & (MET - 1)] as number;
		else break;
		const next = table[row + letter] as number;
		if (next <= DEAD) break;
		row = next;
	}
	stoppedIn = row;
	stoppedAt = at;
}

/** @returns how many units were loaded; no pair is parted */
function load(text: string, from: number): number {
	const part =
		from === 0 && text.length <= UNITS.length ? text : text.slice(from, from + UNITS.length);
	const length = BYTES.write(part, "utf16le") >> 1;
	const isCut = from + length < text.length && ((UNITS[length - 1] ?? 0) & 0xfc00) === 0xd800;
	return isCut ? length - 1 : length;
}

export class Dfa {
	readonly #steps: NfaSteps;
	/** entries of a row: one for each letter, and the end of the text */
	readonly #width: number;
	/** by row */
	#states: KeptSet[] = [];
	/** where the rows of states begin, by their members */
	readonly #rows = new Map<string, number>();
	#table = new Int32Array(0);
	#first = UNKNOWN;

	/** is making states charged? Not the first time for a small automaton, which takes 2 ms at most */
	#isCharged: boolean;

	/** @param isSmall as `dfa-size.ts` has found it */
	constructor(nfa: Nfa, isSmall: boolean) {
		this.#isCharged = !isSmall;
		this.#steps = new NfaSteps(nfa);
		this.#width = nfa.alphabet.size + 1;
	}

	get instructions(): number {
		return this.#steps.nfa.size;
	}

	/** states there are at present */
	get states(): number {
		return this.#states.length;
	}

	/** Hot. @throws OutOfBudget */
	test(text: string): boolean {
		const { alphabet } = this.#steps.nfa;
		if (this.#first === UNKNOWN) this.#begin();
		let row = this.#first;
		if (row <= DEAD) return row === MATCH;
		let made = 0;
		for (let from = 0; from < text.length; ) {
			const length = load(text, from);
			for (let at = 0; at < length; at++) {
				walk(this.#table, alphabet, row, at, length);
				row = stoppedIn;
				at = stoppedAt;
				if (at === length) break;
				const codePoint = loadedAt(at, length);
				if (codePoint > 0xffff) at++;
				const letter = alphabet.letterOf(codePoint);
				let next = this.#table[row + letter] as number;
				if (next === UNKNOWN) {
					const isKept = made++ < MADE_FREELY + (from + at) / LETTERS_FOR_ONE;
					next = this.#made(row, letter, isKept);
					if (next === NOT_KEPT) return this.#searchOn(text, from + at + 1);
				}
				if (next <= DEAD) return next === MATCH;
				row = next;
			}
			from += length;
		}
		const end = alphabet.size;
		const last = this.#table[row + end] as number;
		return (last === UNKNOWN ? this.#made(row, end, true) : last) === MATCH;
	}

	/** Forgets all states, for others to have the room. */
	flush(): void {
		this.#states = [];
		this.#rows.clear();
		this.#table = new Int32Array(0);
		this.#first = UNKNOWN;
		this.#isCharged = true;
	}

	/** Makes a transition. @returns MATCH, DEAD, where the state's row begins, or NOT_KEPT */
	#made(row: number, letter: number, isKept: boolean): number {
		const steps = this.#steps;
		const index = row / this.#width - RESERVED_ROWS;
		const state = this.#states[index];
		if (state === undefined) throw new Error("no such state");
		steps.resume(state);
		steps.step(letter);
		const next = this.#kept(isKept);
		// where a full table was emptied, the row is gone
		if (next !== NOT_KEPT && this.#states[index] === state) this.#table[row + letter] = next;
		if (this.#isCharged) charge(MADE_NS + WORK_NS * steps.work);
		return next;
	}

	#begin(): void {
		this.#steps.begin();
		this.#first = this.#kept(true);
	}

	/** The row of the state that the steps have in hand. */
	#kept(isKept: boolean): number {
		const steps = this.#steps;
		if (steps.matched) return MATCH;
		if (steps.length === 0) return DEAD;
		if (!isKept) return NOT_KEPT;
		const set = steps.kept();
		return this.#rows.get(set.key) ?? this.#added(set);
	}

	#added(state: KeptSet): number {
		const bytes = STATE_BYTES + 4 * this.#width + 4 * state.members.length;
		if (!STATE_MEMORY.take(this, bytes)) {
			this.flush();
			STATE_MEMORY.take(this, bytes);
		}
		const row = (this.#states.length + RESERVED_ROWS) * this.#width;
		if (row + this.#width > this.#table.length) {
			const longer = new Int32Array(2 * (row + this.#width));
			longer.set(this.#table);
			this.#table = longer;
		}
		this.#states.push(state);
		this.#rows.set(state.key, row);
		return row;
	}

	/** The rest of a text, with nothing kept. */
	#searchOn(text: string, from: number): boolean {
		const steps = this.#steps;
		const { alphabet } = steps.nfa;
		for (let at = from; at < text.length; at++) {
			const codePoint = text.codePointAt(at) ?? 0;
			if (codePoint > 0xffff) at++;
			steps.step(alphabet.letterOf(codePoint));
			if (steps.matched) return true;
			if (steps.length === 0) return false;
			charge(STEP_NS + WORK_NS * steps.work);
		}
		steps.step(alphabet.size);
		return steps.matched;
	}
}
