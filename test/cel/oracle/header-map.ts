/**
 * Header lines as a CEL map<string, list<string>>: names in any case, a missing name is the empty list
 * (contract 4, "Variables"). Reads only what it is asked for. `variables.ts` makes it for `req.headers`
 * and the like; query parameters and cookies use its base too.
 */
import { type CelInput, type CelMap, celList } from "@bufbuild/cel";
import type { HeaderLines } from "../../../src/cel/attributes.ts";

type Key = bigint | string | boolean | unknown;
type List = ReturnType<typeof celList>;

const EMPTY: List = celList([]);

/** What the library recognises its maps by. */
const MAP_MARK = Symbol.for("@bufbuild/cel/map");

/** A map from strings to lists, in which every missing key has the empty list. */
abstract class ListMap {
	readonly [MAP_MARK] = {};

	protected abstract read(name: string): List | undefined;
	protected abstract names(): Iterable<string>;
	protected normal(name: string): string {
		return name;
	}

	get size(): number {
		return [...this.names()].length;
	}

	/** Hot. Undefined, which the library makes an error, for keys that are no strings only. */
	get(key: Key): List | undefined {
		return typeof key === "string" ? (this.read(this.normal(key)) ?? EMPTY) : undefined;
	}

	has(key: Key): boolean {
		return typeof key === "string" && this.read(this.normal(key)) !== undefined;
	}

	keys(): IterableIterator<string> {
		return [...this.names()].values();
	}

	*entries(): IterableIterator<[string, List]> {
		for (const name of this.names()) yield [name, this.read(name) ?? EMPTY];
	}

	*values(): IterableIterator<List> {
		for (const [, value] of this.entries()) yield value;
	}

	[Symbol.iterator](): IterableIterator<[string, List]> {
		return this.entries();
	}

	forEach(callback: (value: List, key: string, map: this) => void): void {
		for (const [name, value] of this.entries()) callback(value, name, this);
	}
}

class HeaderMap extends ListMap {
	readonly #lines: HeaderLines;

	constructor(lines: HeaderLines) {
		super();
		this.#lines = lines;
	}

	protected override normal(name: string): string {
		return name.toLowerCase();
	}

	protected read(name: string): List | undefined {
		const lines = this.#lines.lines(name);
		return lines.length === 0 ? undefined : celList(lines);
	}

	protected names(): readonly string[] {
		return this.#lines.names();
	}
}

class ValuesMap extends ListMap {
	readonly #make: () => ReadonlyMap<string, readonly CelInput[]>;
	#made: ReadonlyMap<string, readonly CelInput[]> | undefined;

	constructor(make: () => ReadonlyMap<string, readonly CelInput[]>) {
		super();
		this.#make = make;
	}

	get #values(): ReadonlyMap<string, readonly CelInput[]> {
		this.#made ??= this.#make();
		return this.#made;
	}

	protected read(name: string): List | undefined {
		const values = this.#values.get(name);
		return values === undefined ? undefined : celList(values);
	}

	protected names(): Iterable<string> {
		return this.#values.keys();
	}
}

/** Has this map something for every key, so that only `has` tells what is there? */
export const isListMap = (map: object): boolean => map instanceof ListMap;

/** The library's interface is marked with a symbol that its types keep to themselves. */
const asCelMap = (map: ListMap): CelMap => map as unknown as CelMap;

export const headerMap = (lines: HeaderLines): CelMap => asCelMap(new HeaderMap(lines));

/** @param make called at most once, when the first key is read */
export const lazyListMap = (make: () => ReadonlyMap<string, readonly CelInput[]>): CelMap =>
	asCelMap(new ValuesMap(make));

export const NO_HEADERS: CelMap = lazyListMap(() => new Map());

/** The elements of a comma-separated header, in lower case, over all its lines. */
export function listHeader(lines: HeaderLines, name: string): readonly string[] {
	return lines
		.lines(name)
		.flatMap((line) => line.split(","))
		.map((element) => element.trim().toLowerCase())
		.filter((element) => element !== "");
}
