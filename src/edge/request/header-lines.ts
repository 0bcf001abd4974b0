/**
 * Header lines as expressions read them (contract 4, `req.headers`, `res.headers`), of a request or of an upstream's
 * response. Nothing is indexed or copied before a rule asks for it. Used by `exchange.ts` and `request-lines.ts`.
 */
import type { HeaderLines } from "../../cel/attributes.ts";
import { NOT_ASCII } from "../../http/fields.ts";

const NO_LINES: readonly string[] = Object.freeze([]);

/** Names that are remembered one by one; one more, and all lines are indexed in one go. */
const REMEMBERED_MAX = 8;

interface Remembered {
	readonly name: string;
	readonly lines: readonly string[];
	readonly before: Remembered | undefined;
}

/** All lines, once somebody has asked for them. */
interface Indexed {
	readonly byName: ReadonlyMap<string, readonly string[]>;
	readonly names: readonly string[];
}

/**
 * A name is looked for once, however many rules ask for it, and rules that ask for every name there is read all
 * lines a fixed number of times.
 */
export abstract class LookedUpHeaders implements HeaderLines {
	/** the first name that was asked for; most requests are asked for one name or none */
	#firstName: string | undefined;
	#firstLines = NO_LINES;
	#others: Remembered | undefined;
	#all: Indexed | undefined;

	/** @returns the values of the lines with this name, in lower case, in their order */
	protected abstract find(name: string): string[] | undefined;
	/** @returns name, value, name, value, … */
	protected abstract flat(): readonly string[];

	/** Hot. */
	lines(name: string): readonly string[] {
		if (name === this.#firstName) return this.#firstLines;
		if (this.#all !== undefined) return this.#all.byName.get(name) ?? NO_LINES;
		let count = 1;
		for (let each = this.#others; each !== undefined; each = each.before) {
			if (each.name === name) return each.lines;
			count++;
		}
		return this.look(name, count);
	}

	/** @param count how many names are remembered, if any is */
	private look(name: string, count: number): readonly string[] {
		if (this.#firstName === undefined) {
			this.#firstName = name;
			this.#firstLines = this.find(name) ?? NO_LINES;
			return this.#firstLines;
		}
		if (count > REMEMBERED_MAX) return this.index().byName.get(name) ?? NO_LINES;
		const lines = this.find(name) ?? NO_LINES;
		this.#others = { name, lines, before: this.#others };
		return lines;
	}

	private index(): Indexed {
		const byName = new Map<string, string[]>();
		const flat = this.flat();
		for (let at = 0; at < flat.length; at += 2) {
			const name = flat[at] ?? "";
			const value = flat[at + 1] ?? "";
			const lines = byName.get(name);
			if (lines === undefined) byName.set(name, [value]);
			else lines.push(value);
		}
		this.#all = { byName, names: [...byName.keys()] };
		return this.#all;
	}

	names(): readonly string[] {
		return (this.#all ?? this.index()).names;
	}
}

/** Over a flat array: name, value, name, value, …; names in lower case. */
export class FlatHeaders extends LookedUpHeaders {
	readonly #flat: readonly string[];

	constructor(flat: readonly string[]) {
		super();
		this.#flat = flat;
	}

	protected override find(name: string): string[] | undefined {
		const flat = this.#flat;
		let found: string[] | undefined;
		for (let index = 0; index < flat.length; index += 2) {
			if (flat[index] !== name) continue;
			const value = flat[index + 1] ?? "";
			if (found === undefined) found = [value];
			else found.push(value);
		}
		return found;
	}

	protected override flat(): readonly string[] {
		return this.#flat;
	}
}

export const NO_HEADERS: HeaderLines = new FlatHeaders([]);

/** UTF-8 bytes of `text`, as a string of as many characters; the text itself where it is ASCII. */
export const utf8Bytes = (text: string): string =>
	NOT_ASCII.test(text) ? Buffer.from(text, "utf8").toString("latin1") : text;
