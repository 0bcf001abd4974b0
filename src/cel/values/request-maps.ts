/**
 * Maps over what a request brings along, in which a missing name is the empty list (contract 4,
 * "Variables"): header lines, read as they are asked for, and what is parsed when the first name is read.
 * The variables are made of them.
 */
import type { HeaderLines } from "../attributes.ts";
import { charge } from "../budget.ts";
import { type Value, ValueMap } from "../value.ts";

const NONE: readonly Value[] = Object.freeze([]);

/** Names in any case. */
class HeaderMap extends ValueMap {
	readonly #lines: HeaderLines;

	constructor(lines: HeaderLines) {
		super();
		this.#lines = lines;
	}

	get size(): number {
		return this.#lines.names().length;
	}

	/** Hot. The lines themselves, not a copy. */
	get(key: Value): readonly Value[] | undefined {
		if (typeof key !== "string") return undefined;
		const lines = this.#lines.lines(lowerName(key));
		return lines.length === 0 ? NONE : lines;
	}

	has(key: Value): boolean {
		return typeof key === "string" && this.#lines.lines(lowerName(key)).length > 0;
	}

	keys(): readonly Value[] {
		return this.#lines.names();
	}
}

/** Hot: most names are written in lower case, and to find that out costs less than to convert them. */
function lowerName(name: string): string {
	for (let index = 0; index < name.length; index++) {
		const unit = name.charCodeAt(index);
		if ((unit > 0x40 && unit < 0x5b) || unit > 0x7f) return name.toLowerCase();
	}
	return name;
}

type Lists = ReadonlyMap<string, readonly Value[]>;

class ParsedMap extends ValueMap {
	readonly #parse: () => Lists;
	#parsed: Lists | undefined;

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
		return typeof key === "string" ? (this.#lists.get(key) ?? NONE) : undefined;
	}

	has(key: Value): boolean {
		return typeof key === "string" && this.#lists.has(key);
	}

	keys(): readonly Value[] {
		return [...this.#lists.keys()];
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
		.map((element) => element.trim().toLowerCase())
		.filter((element) => element !== "");
}
