/**
 * Maps of a message's headers, cookies or parameters, in which a missing name is the empty list (contract 4,
 * "Variables"). Header lines are read name by name; cookies and parameters are parsed when the first name is
 * read. `derived.ts` makes the variables of them.
 */
import { asciiLowerCase } from "../../ascii.ts";
import { charge } from "../budget.ts";
import { chargeKey } from "./entry-map.ts";
import type { HeaderLines } from "./header-lines.ts";
import { type Value, ValueMap } from "./value.ts";

const NONE: readonly Value[] = Object.freeze([]);

/** Names in any case. */
class HeaderMap extends ValueMap {
	readonly #lines: HeaderLines;
	#names: readonly string[] | undefined;
	/** characters of the longest name, known once a long one was asked for */
	#longest: number | undefined;

	constructor(lines: HeaderLines) {
		super();
		this.#lines = lines;
	}

	get size(): number {
		return this.keys().length;
	}

	/** Hot. The lines themselves, not a copy. */
	get(key: Value): readonly Value[] | undefined {
		if (typeof key !== "string") return undefined;
		const lines = this.#linesOf(key);
		return lines.length === 0 ? NONE : lines;
	}

	has(key: Value): boolean {
		return typeof key === "string" && this.#linesOf(key).length > 0;
	}

	keys(): readonly string[] {
		this.#names ??= this.#lines.names();
		return this.#names;
	}

	#linesOf(key: string): readonly string[] {
		if (key.length > COMMON_CHARACTERS) {
			this.#longest ??= this.keys().reduce((most, { length }) => Math.max(most, length), 0);
			if (key.length > this.#longest) return NO_LINES;
			chargeKey(key);
		}
		const name = lowerName(key);
		return name === undefined ? NO_LINES : this.#lines.lines(name);
	}
}

const NO_LINES: readonly string[] = Object.freeze([]);
/** longer names are hardly ever sent; a text that may be anything is not looked at for nothing */
const COMMON_CHARACTERS = 64;

/**
 * Hot: most names are written in lower case, and to find that out costs less than to convert them. Undefined
 * for what is no name of a header: the Kelvin sign would become a k.
 */
function lowerName(name: string): string | undefined {
	let hasUpper = false;
	for (let index = 0; index < name.length; index++) {
		const unit = name.charCodeAt(index);
		if (unit > 0x7f) return undefined;
		hasUpper ||= unit > 0x40 && unit < 0x5b;
	}
	return hasUpper ? asciiLowerCase(name) : name;
}

type Lists = ReadonlyMap<string, readonly Value[]>;

class ParsedMap extends ValueMap {
	readonly #parse: () => Lists;
	#parsed: Lists | undefined;
	#names: readonly string[] | undefined;

	constructor(parse: () => Lists) {
		super();
		this.#parse = parse;
	}

	get #lists(): Lists {
		this.#parsed ??= this.#parse();
		return this.#parsed;
	}

	get size(): number {
		return this.#lists.size;
	}

	get(key: Value): readonly Value[] | undefined {
		if (typeof key !== "string") return undefined;
		chargeKey(key);
		return this.#lists.get(key) ?? NONE;
	}

	has(key: Value): boolean {
		if (typeof key !== "string") return false;
		chargeKey(key);
		return this.#lists.has(key);
	}

	keys(): readonly string[] {
		this.#names ??= [...this.#lists.keys()];
		return this.#names;
	}
}

export const headerMap = (lines: HeaderLines): ValueMap => new HeaderMap(lines);

/** @param parse called at most once, when the first name is read; no list in it is empty */
export const parsedMap = (parse: () => Lists): ValueMap => new ParsedMap(parse);

/** What there is of trailers. */
export const NO_HEADERS: ValueMap = parsedMap(() => new Map());

/** nanoseconds for a character, of elements of one character each */
const LIST_CHARACTER_NS = 140;

/** The elements of a comma-separated header, in lower case, over all its lines. */
export function listHeader(lines: HeaderLines, name: string): readonly string[] {
	const found = lines.lines(name);
	if (found.length === 0) return found;
	for (const line of found) charge(line.length * LIST_CHARACTER_NS);
	return found
		.flatMap((line) => line.split(","))
		.map((element) => asciiLowerCase(element.trim()))
		.filter((element) => element !== "");
}
