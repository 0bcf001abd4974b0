/**
 * What the actions of a policy change in the header of a message (contract 5, add-headers, remove-headers, cors). The
 * lines themselves stay the one text or list that they came as; the changes are applied to it in one pass when the
 * message is sent on. Immutable, so that whoever has read a header under it has read all of it. Made by
 * `policy-effects.ts` for requests and responses that are changed, and for no others.
 */
import { asciiLowerCase } from "../../ascii.ts";
import type { HeaderLines } from "../../cel/attributes.ts";
import { NEVER_REMOVED } from "../../http/fields.ts";

export type HeaderLine = readonly [name: string, value: string];

export class HeaderChanges {
	static readonly NONE = new HeaderChanges([], new Set(), []);

	/** in their order; names as they are to be written */
	readonly added: readonly HeaderLine[];
	/** lower case */
	readonly #removed: ReadonlySet<string>;
	readonly #prefixes: readonly string[];
	/** finds a line of the one name that is removed, in one pass; undefined: there are others */
	readonly #only: RegExp | undefined;

	private constructor(
		added: readonly HeaderLine[],
		removed: ReadonlySet<string>,
		prefixes: readonly string[],
		only?: RegExp,
	) {
		this.added = added;
		this.#only = only;
		this.#removed = removed;
		this.#prefixes = prefixes;
	}

	adding(lines: readonly HeaderLine[]): HeaderChanges {
		return new HeaderChanges([...this.added, ...lines], this.#removed, this.#prefixes, this.#only);
	}

	/** @param names lower case; one that ends in `*` stands for all that begin so */
	removing(names: readonly string[]): HeaderChanges {
		const exact = names.filter((name) => !name.endsWith("*"));
		const begins = names.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));
		const taken = new HeaderChanges([], new Set(exact), begins);
		// What was added before is removed too, what is added later is not: nor does an earlier removal come back for it.
		const left = this.added.filter(([name]) => !taken.removes(asciiLowerCase(name)));
		const removed = new Set([...this.#removed, ...exact]);
		return new HeaderChanges(left, removed, [...this.#prefixes, ...begins]);
	}

	/** As `removing` one name, for all messages alike: made once, and quick where there is no such line. */
	static removingAlways(name: string): HeaderChanges {
		const found = new RegExp(`(?:^|\n)${name.replaceAll(/[^a-z0-9-]/g, "\\$&")}:`, "i");
		return new HeaderChanges([], new Set([name]), [], found);
	}

	/** Of a line that the message came with. @param name lower case */
	removes(name: string): boolean {
		if (this.#removed.size === 0 && this.#prefixes.length === 0) return false;
		if (NEVER_REMOVED.has(name)) return false;
		return this.#removed.has(name) || this.#prefixes.some((prefix) => name.startsWith(prefix));
	}

	/** Equal where the changes are. @param but names of lines, lower case, that make no difference */
	textWithout(but: RegExp): string {
		const added = this.added.filter(([name]) => !but.test(asciiLowerCase(name)));
		return JSON.stringify([added, [...this.#removed].sort(), this.#prefixes]);
	}

	/** bytes of the added lines, as far as they are ASCII */
	get addedBytes(): number {
		let bytes = 0;
		for (const [name, value] of this.added) bytes += name.length + value.length + LINE_BYTES;
		return bytes;
	}

	/** @param text of lines, each `name: value\r\n`; names in any case */
	without(text: string): string {
		if (this.#removed.size === 0 && this.#prefixes.length === 0) return text;
		if (this.#only !== undefined && !this.#only.test(text)) return text;
		let left = "";
		let keptFrom = 0;
		for (let at = 0; at < text.length; ) {
			const next = text.indexOf("\r\n", at) + 2;
			const end = next === 1 ? text.length : next;
			const colon = text.indexOf(":", at);
			if (this.removes(asciiLowerCase(text.slice(at, colon)))) {
				left += text.slice(keptFrom, at);
				keptFrom = end;
			}
			at = end;
		}
		return keptFrom === 0 ? text : left + text.slice(keptFrom);
	}
}

/** `: ` and the line's end */
const LINE_BYTES = 4;

export interface NewHost {
	/** as it is sent */
	readonly line: string;
	/** as `req.host` has it */
	readonly host: string;
}

/** All of it that one request has, and its response: made for the first change, as most have none. */
export class ChangedHeaders {
	request: HeaderChanges | undefined;
	requestLines: HeaderLines | undefined;
	newHost: NewHost | undefined;
	response: HeaderChanges | undefined;
	responseLines: HeaderLines | undefined;
	/** of whatever response the client gets: those of the edge alone, and those of actions besides */
	own: HeaderChanges | undefined;
	standing: HeaderChanges | undefined;
}
