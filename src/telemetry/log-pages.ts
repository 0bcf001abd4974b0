/** Log lines as bytes, in pages of what one write is given, within a bound; for `log-writer.ts` only. */
import { LIMITS } from "../limits/limits.ts";

const LINE_END = 10;
/** Bytes of UTF-8 for a unit of UTF-16, at most. */
const WIDEST = 3;

/** Whole lines. */
export class LogPage {
	readonly bytes: Buffer;
	length = 0;
	lines = 0;

	constructor(size: number) {
		this.bytes = Buffer.allocUnsafeSlow(size);
	}

	/** Where a write from `start` ends: whole lines, as many as `wholeBytes` hold, but one at least. */
	pieceEnd(start: number, wholeBytes: number | undefined): number {
		if (wholeBytes === undefined || this.length - start <= wholeBytes) return this.length;
		const end = this.bytes.lastIndexOf(LINE_END, start + wholeBytes - 1) + 1;
		return end > start ? end : this.bytes.indexOf(LINE_END, start) + 1;
	}

	/** Where the first line begins that is not before `at`. */
	lineStart(at: number): number {
		if (at === 0 || this.bytes[at - 1] === LINE_END) return at;
		return this.bytes.indexOf(LINE_END, at) + 1;
	}

	/** Lines that end there. */
	linesBetween(start: number, end: number): number {
		let count = 0;
		for (let at = start; at < end; at++) if (this.bytes[at] === LINE_END) count++;
		return count;
	}
}

export class LogPages {
	readonly #maxBytes: number;
	/** the oldest first; the last is being filled */
	#pages: LogPage[] = [];
	/** in place of one that would have to be made */
	#spare: LogPage | undefined;
	/** in pages, also in those that were taken and not given back */
	#bytes = 0;

	/** @param maxBytes of lines, those that are being written among them */
	constructor(maxBytes: number) {
		this.#maxBytes = maxBytes;
	}

	get isEmpty(): boolean {
		return this.#pages.length === 0;
	}
	/** There is a page that no line has room in any more. */
	get hasFull(): boolean {
		return this.#pages.length > 1;
	}

	/** @returns whether there was room for the line */
	addText(line: string): boolean {
		const most = line.length * WIDEST;
		// Bytes are counted only where it matters: counting costs as much as writing them.
		const bytes = most <= this.#room && this.#fits(most) ? most : Buffer.byteLength(line);
		if (!this.#fits(bytes)) return false;
		const page = this.#pageFor(bytes);
		this.#added(page, page.bytes.write(line, page.length, "utf8"));
		return true;
	}

	/** Copies the first `length` bytes, a line. @returns whether there was room for it */
	addBytes(bytes: Buffer, length: number): boolean {
		if (!this.#fits(length)) return false;
		const page = this.#pageFor(length);
		bytes.copy(page.bytes, page.length, 0, length);
		this.#added(page, length);
		return true;
	}

	/** The oldest page, to be written and given back. */
	take(): LogPage | undefined {
		return this.#pages.shift();
	}

	/** Its lines are written, or lost. */
	giveBack(page: LogPage): void {
		this.#bytes -= page.length;
		if (page.bytes.length !== LIMITS.logBatchBytes) return;
		page.length = 0;
		page.lines = 0;
		this.#spare = page;
	}

	clear(): void {
		this.#pages = [];
	}

	#fits(bytes: number): boolean {
		return this.#bytes + bytes <= this.#maxBytes;
	}

	/** Of the page that is being filled. */
	get #room(): number {
		const page = this.#pages.at(-1);
		return page === undefined ? 0 : page.bytes.length - page.length;
	}

	#added(page: LogPage, bytes: number): void {
		page.length += bytes;
		page.lines++;
		this.#bytes += bytes;
	}

	/** Where so many bytes have room. */
	#pageFor(bytes: number): LogPage {
		const last = this.#pages.at(-1);
		if (last !== undefined && bytes <= this.#room) return last;
		const page = this.#emptyPage(bytes);
		this.#pages.push(page);
		return page;
	}

	#emptyPage(bytes: number): LogPage {
		const spare = this.#spare;
		if (spare === undefined || bytes > spare.bytes.length)
			return new LogPage(Math.max(bytes, LIMITS.logBatchBytes));
		this.#spare = undefined;
		return spare;
	}
}
