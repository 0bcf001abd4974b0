/**
 * Reads one response off the wire as it comes and holds its body against what it must be, so that a test
 * with hundreds of megabytes keeps none of them and can say where framing or bytes went wrong.
 */

/** Longer than any line of a chunk's framing; what comes without an end of line is none. */
const LINE_CHARACTERS = 20;

export class BodyReader {
	/** body bytes so far */
	received = 0;
	/** its end was seen */
	complete = false;
	/** the first thing that was wrong, after which nothing is read */
	mistake: string | undefined;
	readonly #expected: Buffer;
	#line = "";
	/** until its end is there */
	#head: Buffer | undefined = Buffer.alloc(0);
	#chunked = false;
	/** bytes to come of the chunk, or of the body */
	#left = 0;

	/** @param expected the body repeats it */
	constructor(expected: Buffer) {
		this.#expected = expected;
	}

	push(bytes: Buffer): void {
		let at = 0;
		while (at < bytes.length && this.mistake === undefined) {
			if (this.complete) this.#wrong("bytes after the end", bytes.subarray(at));
			else if (this.#head !== undefined) at += this.#takeHead(bytes.subarray(at));
			else if (this.#left > 0) at += this.#take(bytes.subarray(at, at + this.#left));
			else this.#character(String.fromCharCode(bytes[at++] ?? 0));
		}
	}

	#takeHead(bytes: Buffer): number {
		const before = this.#head?.length ?? 0;
		this.#head = Buffer.concat([this.#head ?? bytes, bytes]);
		const end = this.#head.indexOf("\r\n\r\n");
		if (end < 0) return bytes.length;
		const text = this.#head.toString("latin1", 0, end + 2);
		this.#head = undefined;
		this.#chunked = /^transfer-encoding: chunked\r$/im.test(text);
		this.#left = Number(/^content-length: (\d+)\r$/im.exec(text)?.[1] ?? 0);
		// The end of the head stands for the line end that is behind each chunk.
		this.#line = "\r\n";
		return end + 4 - before;
	}

	#take(bytes: Buffer): number {
		const place = this.received % this.#expected.length;
		const part = bytes.subarray(0, this.#expected.length - place);
		if (!part.equals(this.#expected.subarray(place, place + part.length))) {
			this.#wrong(`with ${this.#left} bytes of it to come`, part);
			return part.length;
		}
		this.received += part.length;
		this.#left -= part.length;
		if (this.#left === 0 && !this.#chunked) this.complete = true;
		return part.length;
	}

	#character(character: string): void {
		this.#line += character;
		if (this.#line.length > 2 && this.#line.endsWith("\r\n")) {
			const digits = /^\r\n([0-9a-f]+)\r\n$/i.exec(this.#line)?.[1];
			this.complete = this.#line === "\r\n0\r\n\r\n";
			if (this.#line === "\r\n0\r\n") return;
			if (digits !== undefined) this.#left = Number.parseInt(digits, 16);
			else if (!this.complete) this.#wrong("no size of a chunk", Buffer.from(this.#line, "latin1"));
			this.#line = "";
		} else if (this.#line.length > LINE_CHARACTERS) {
			this.#wrong("no size of a chunk", Buffer.from(this.#line, "latin1"));
		}
	}

	#wrong(what: string, bytes: Buffer): void {
		const start = JSON.stringify(bytes.subarray(0, 40).toString("latin1"));
		this.mistake = `at byte ${this.received} of the body, ${what}: ${start}`;
	}
}
