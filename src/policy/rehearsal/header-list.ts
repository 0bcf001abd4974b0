/**
 * Header lines that actions change one after the other, as a plain list: what the edge does in one pass with the text of
 * a live message (contract 5, add-headers, remove-headers, cors). Used by `rehearsed-exchange.ts`.
 */
import { asciiLowerCase } from "../../ascii.ts";
import type { HeaderLines } from "../../cel/attributes.ts";
import { NEVER_REMOVED } from "../../http/fields.ts";

export type Line = readonly [name: string, value: string];

export class HeaderList implements HeaderLines {
	/** names in lower case */
	#all: readonly Line[];

	constructor(lines: readonly Line[] = []) {
		this.#all = lines.map(([name, value]) => [asciiLowerCase(name), value]);
	}

	lines(name: string): readonly string[] {
		return this.#all.filter(([own]) => own === name).map(([, value]) => value);
	}

	names(): readonly string[] {
		return [...new Set(this.#all.map(([name]) => name))];
	}

	add(lines: readonly Line[]): void {
		this.#all = [
			...this.#all,
			...lines.map(([name, value]) => [asciiLowerCase(name), value] as const),
		];
	}

	/** @param names lower case; one that ends in `*` stands for all that begin so @returns those that were there */
	remove(names: readonly string[]): readonly string[] {
		const there = this.thereOf(names);
		const gone = new Set(there);
		this.#all = this.#all.filter(([name]) => !gone.has(name));
		return there;
	}

	thereOf(names: readonly string[]): readonly string[] {
		const exact = new Set(names);
		const begins = names.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));
		return this.names().filter(
			(name) =>
				!NEVER_REMOVED.has(name) &&
				(exact.has(name) || begins.some((prefix) => name.startsWith(prefix))),
		);
	}

	/** In place of all lines of this name. */
	set(name: string, value: string): void {
		this.#all = [...this.#all.filter(([own]) => own !== name), [name, value]];
	}

	/** bytes that the lines have in a message, as far as they are ASCII */
	get bytes(): number {
		return this.#all.reduce(
			(sum, [name, value]) => sum + name.length + value.length + LINE_BYTES,
			0,
		);
	}

	get count(): number {
		return this.#all.length;
	}
}

/** `: ` and the line's end */
const LINE_BYTES = 4;
