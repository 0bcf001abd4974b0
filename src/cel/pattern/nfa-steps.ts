/**
 * Follows all ways of a search at once: the set of instructions that the search may have come to, and the set after
 * one more letter. `dfa.ts` keeps these sets as states, or steps from letter to letter where keeping does not pay.
 *
 * Assertions. The letter before a place is known when the set is made, so `^` is decided then. `$` and `\b` need the
 * next letter: they stay in the set, together with the letter before them (`Context`), until it is seen.
 */
import {
	ACCEPT,
	ASSERT,
	BEGIN_LINE,
	BEGIN_TEXT,
	END_LINE,
	END_TEXT,
	type Nfa,
	SET,
	SPLIT,
	WORD_BOUNDARY,
} from "./nfa.ts";

/** What stands before a place: bits. Kept with a set only where its assertions ask for it. */
const AT_BEGIN = 1;
const AFTER_NEWLINE = 2;
const AFTER_WORD = 4;

/** in a kept context: the set has assertions that wait for the next letter */
const WAITS = 8;

export interface KeptSet {
	readonly members: Uint16Array;
	readonly context: number;
	readonly key: string;
}

/** not known yet */
const UNSEEN = -1;

export class NfaSteps {
	readonly nfa: Nfa;
	/** the set in hand: the first `length` of `members`, each once, and its context */
	members: Uint16Array;
	length = 0;
	context = 0;
	/** a match was reached while the set was made */
	matched = false;
	/** instructions looked at by the last step, which its time depends on */
	work = 0;
	#spare: Uint16Array;
	readonly #stack: Uint16Array;
	/** of each instruction, the number of the set that it was last added to */
	readonly #marks: Uint32Array;
	#mark = 0;
	#waits = false;

	constructor(nfa: Nfa) {
		this.nfa = nfa;
		this.members = new Uint16Array(nfa.size);
		this.#spare = new Uint16Array(nfa.size);
		this.#stack = new Uint16Array(2 * nfa.size + 2);
		this.#marks = new Uint32Array(nfa.size);
	}

	/** The set at the text's begin. */
	begin(): void {
		this.#clear(AT_BEGIN);
		this.#close(this.nfa.start, UNSEEN);
		this.#settle();
	}

	/** Hot. The set becomes the one behind a letter; the end of the text is the letter `alphabet.size`. */
	step(letter: number): void {
		const { nfa } = this;
		this.#seeNext(letter);
		if (this.matched) return;
		const before = this.length;
		const isEnd = letter === nfa.alphabet.size;
		const from = this.members;
		this.members = this.#spare;
		this.#spare = from;
		this.#clear(
			(nfa.newline[letter] === 1 ? AFTER_NEWLINE : 0) | (nfa.word[letter] === 1 ? AFTER_WORD : 0),
		);
		if (isEnd) return;
		const { kinds, next, other, sets } = nfa;
		const [marks, mark, members] = [this.#marks, this.#mark, this.members];
		const column = letter * nfa.setCount;
		let length = 0;
		for (let index = 0; index < before; index++) {
			const at = from[index] as number;
			if (kinds[at] !== SET || sets[column + (other[at] as number)] === 0) continue;
			const to = next[at] as number;
			if (marks[to] === mark) continue;
			if (kinds[to] === SET) {
				marks[to] = mark;
				members[length++] = to;
				continue;
			}
			this.length = length;
			this.#close(to, UNSEEN);
			length = this.length;
		}
		this.length = length;
		// a match may begin anywhere
		this.#close(nfa.start, UNSEEN);
		this.work += before + length;
		this.#settle();
	}

	/** The set in hand, to be taken up again; equal sets have equal keys. */
	kept(): KeptSet {
		const members = this.members.slice(0, this.length);
		sort(members);
		const context = this.#waits ? this.context | WAITS : 0;
		return { members, context, key: String.fromCharCode(context, ...members) };
	}

	resume({ members, context }: KeptSet): void {
		this.members.set(members);
		this.length = members.length;
		this.context = context & ~WAITS;
		this.#waits = (context & WAITS) !== 0;
		this.matched = false;
	}

	/** Decides the assertions that waited for the next letter. */
	#seeNext(letter: number): void {
		this.work = 0;
		if (!this.#waits) return;
		const before = this.length;
		const from = this.members;
		this.members = this.#spare;
		this.#spare = from;
		this.#clear(this.context);
		for (let index = 0; index < before; index++) this.#close(from[index] as number, letter);
		this.work += before;
	}

	#clear(context: number): void {
		this.#mark++;
		if (this.#mark > 0xffff_fff0) {
			this.#marks.fill(0);
			this.#mark = 1;
		}
		this.length = 0;
		this.context = context;
		this.matched = false;
		this.#waits = false;
	}

	/** What it asks for is dropped where nothing asks. */
	#settle(): void {
		if (!this.#waits) this.context = 0;
	}

	/** Adds the instructions that can be reached from an instruction without a letter. */
	#close(from: number, letter: number): void {
		const { kinds, next, other } = this.nfa;
		const [stack, marks, mark] = [this.#stack, this.#marks, this.#mark];
		let top = 0;
		stack[top++] = from;
		while (top > 0) {
			const at = stack[--top] as number;
			if (marks[at] === mark) continue;
			marks[at] = mark;
			this.work++;
			const kind = kinds[at];
			if (kind === SPLIT) {
				stack[top++] = other[at] as number;
				stack[top++] = next[at] as number;
			} else if (kind === SET) {
				this.members[this.length++] = at;
			} else if (kind === ACCEPT) {
				this.matched = true;
			} else if (kind === ASSERT) {
				const assertion = other[at] as number;
				if (letter === UNSEEN && assertion >= END_TEXT) {
					this.members[this.length++] = at;
					this.#waits = true;
				} else if (this.#holds(assertion, letter)) stack[top++] = next[at] as number;
			}
		}
	}

	#holds(assertion: number, letter: number): boolean {
		const { context, nfa } = this;
		const isEnd = letter === nfa.alphabet.size;
		switch (assertion) {
			case BEGIN_TEXT:
				return (context & AT_BEGIN) !== 0;
			case BEGIN_LINE:
				return (context & (AT_BEGIN | AFTER_NEWLINE)) !== 0;
			case END_TEXT:
				return isEnd;
			case END_LINE:
				return isEnd || nfa.newline[letter] === 1;
			default: {
				const isBoundary = ((context & AFTER_WORD) !== 0) !== (!isEnd && nfa.word[letter] === 1);
				return isBoundary === (assertion === WORD_BOUNDARY);
			}
		}
	}
}

/** members up to which sorting here is quicker than asking the platform to */
const FEW = 24;

function sort(members: Uint16Array): void {
	if (members.length > FEW) {
		members.sort();
		return;
	}
	for (let end = 1; end < members.length; end++) {
		const member = members[end] as number;
		let at = end - 1;
		for (; at >= 0 && (members[at] as number) > member; at--) {
			members[at + 1] = members[at] as number;
		}
		members[at + 1] = member;
	}
}
