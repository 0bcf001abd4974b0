/**
 * A request's header lines, which policies read and `proxying/upstream-header.ts` sends on. They come in two forms:
 * a flat array from `header-reader.ts`, or one text with all lines from `front-header.ts`, most of which is sent on
 * as it is. Nothing is searched or put together before somebody asks.
 */
import type { HeaderLines } from "../../cel/attributes.ts";
import { Cache } from "../../cel/cache.ts";
import { isOwn, namedInConnection } from "../../http/fields.ts";
import { ownCopy } from "../../own-copy.ts";
import { FlatHeaders, LookedUpHeaders } from "./header-lines.ts";

export interface RequestLines extends HeaderLines {
	/** of all lines with their ends */
	readonly bytes: number;
	/** how many there are */
	readonly count: number;
	/**
	 * Lines as they go upstream, each `name: value\r\n`, a character a byte, without the fields of the connection, of framing and about
	 * the client.
	 * @param host in place of the client's
	 */
	forwarded(host: string | undefined): string;
}

/** Over name, value, name, value, …; names in lower case. */
export class FlatRequestLines extends FlatHeaders implements RequestLines {
	readonly #flat: readonly string[];
	readonly #sent: readonly string[];
	readonly #connectionOptions: boolean;

	/**
	 * @param connectionOptions a `connection` field says more than whether the connection stays open
	 * @param sent the same as it goes upstream, a character a byte
	 */
	constructor(flat: readonly string[], connectionOptions: boolean, sent = flat) {
		super(flat);
		this.#flat = flat;
		this.#sent = sent;
		this.#connectionOptions = connectionOptions;
	}

	get bytes(): number {
		let bytes = 0;
		for (const text of this.#flat) bytes += text.length + 2;
		return bytes;
	}

	get count(): number {
		return this.#flat.length / 2;
	}

	/** Hot. */
	forwarded(host: string | undefined): string {
		const named = this.#connectionOptions ? namedInConnection(this.lines("connection")) : undefined;
		const flat = this.#sent;
		let forward = "";
		for (let index = 0; index < flat.length; index += 2) {
			const name = flat[index] ?? "";
			if (isOwn(name) || named?.has(name) === true) continue;
			const value = host !== undefined && name === "host" ? host : (flat[index + 1] ?? "");
			forward += `${name}: ${value}\r\n`;
		}
		return forward;
	}
}

/** What a line of some name begins with: the first of all, and another. */
interface Search {
	readonly first: string;
	readonly later: string;
}

/**
 * Rules ask for the same few names, but a rule may take one from the request: so there is a bound, of so many asked for lately and as
 * many before them, of this length at most.
 */
const SEARCHES_KEPT = 256;
const NAME_KEPT = 64;
const searches = new Cache<Search>(SEARCHES_KEPT, ownCopy);
const searchOf = (name: string): Search => ({ first: `${name}: `, later: `\r\n${name}: ` });
const searchFor = (name: string): Search => {
	if (name.length > NAME_KEPT) return searchOf(name);
	return searches.get(name) ?? searches.put(name, searchOf(ownCopy(name)));
};

/** Over a text that begins with lines, each `name: value\r\n`, names in lower case, of a plain request (`front-header.ts`). */
export class TextRequestLines extends LookedUpHeaders implements RequestLines {
	readonly #text: string;
	readonly #length: number;
	readonly #forwardedLength: number;
	readonly #hostOffset: number;
	readonly #hostLength: number;

	/**
	 * @param text behind its lines nothing looks like one
	 * @param length of the lines
	 * @param forwardedLength of the lines that go upstream, which come first
	 * @param hostOffset of the value of `host`
	 */
	constructor(
		text: string,
		length: number,
		forwardedLength: number,
		hostOffset: number,
		hostLength: number,
	) {
		super();
		this.#text = text;
		this.#length = length;
		this.#forwardedLength = forwardedLength;
		this.#hostOffset = hostOffset;
		this.#hostLength = hostLength;
	}

	get bytes(): number {
		return this.#length;
	}

	get count(): number {
		return this.#text.split("\r\n").length - 1;
	}

	/** Hot. */
	forwarded(host: string | undefined): string {
		const text = this.#text;
		const length = this.#forwardedLength;
		if (host === undefined) return text.slice(0, length);
		const before = text.slice(0, this.#hostOffset);
		return before + host + text.slice(this.#hostOffset + this.#hostLength, length);
	}

	protected override find(name: string): string[] | undefined {
		// A name with a colon could match a line's name and the beginning of its value.
		if (name.includes(":")) return undefined;
		const text = this.#text;
		const { first, later } = searchFor(name);
		let found: string[] | undefined;
		// Values hold no line ends, so a match behind a line end is a name.
		let at = text.startsWith(first) ? 0 : text.indexOf(later) + 2;
		while (at !== 1) {
			const end = text.indexOf("\r\n", at);
			const value = text.slice(at + first.length, end);
			if (found === undefined) found = [value];
			else found.push(value);
			at = text.indexOf(later, end) + 2;
		}
		return found;
	}

	protected override flat(): readonly string[] {
		const flat: string[] = [];
		for (const line of this.#text.slice(0, this.#length).split("\r\n")) {
			const colon = line.indexOf(": ");
			if (colon !== -1) flat.push(line.slice(0, colon), line.slice(colon + 2));
		}
		return flat;
	}
}
