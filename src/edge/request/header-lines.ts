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
	/** length of the list from here on */
	readonly count: number;
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
	#index: ReadonlyMap<string, readonly string[]> | undefined;
	#names: readonly string[] | undefined;

	/** @returns the values of the lines with this name, in lower case, in their order */
	protected abstract find(name: string): string[] | undefined;
	/** @returns name, value, name, value, … */
	protected abstract flat(): readonly string[];

	/** Hot. */
	lines(name: string): readonly string[] {
		if (name === this.#firstName) return this.#firstLines;
		if (this.#index !== undefined) return this.#index.get(name) ?? NO_LINES;
		for (let each = this.#others; each !== undefined; each = each.before) {
			if (each.name === name) return each.lines;
		}
		return this.#look(name);
	}

	#look(name: string): readonly string[] {
		if (this.#firstName === undefined) {
			this.#firstName = name;
			this.#firstLines = this.find(name) ?? NO_LINES;
			return this.#firstLines;
		}
		const before = this.#others;
		const count = (before?.count ?? 0) + 1;
		if (count > REMEMBERED_MAX) return this.#all().get(name) ?? NO_LINES;
		const lines = this.find(name) ?? NO_LINES;
		this.#others = { name, lines, before, count };
		return lines;
	}

	#all(): ReadonlyMap<string, readonly string[]> {
		const index = new Map<string, string[]>();
		const flat = this.flat();
		for (let at = 0; at < flat.length; at += 2) {
			const name = flat[at] ?? "";
			const value = flat[at + 1] ?? "";
			const lines = index.get(name);
			if (lines === undefined) index.set(name, [value]);
			else lines.push(value);
		}
		this.#index = index;
		return index;
	}

	names(): readonly string[] {
		this.#names ??= [...(this.#index ?? this.#all()).keys()];
		return this.#names;
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

/** UTF-8 text of bytes, a character a byte; what is no UTF-8 becomes U+FFFD. */
export const textOfBytes = (bytes: string): string => Buffer.from(bytes, "latin1").toString();

/** UTF-8 bytes of `text`, as a string of as many characters; the text itself where it is ASCII. */
export const utf8Bytes = (text: string): string =>
	NOT_ASCII.test(text) ? Buffer.from(text, "utf8").toString("latin1") : text;
