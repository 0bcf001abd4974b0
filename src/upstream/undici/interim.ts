/**
 * Takes interim responses (1xx) out of the bytes that a backend sends before its answer. undici gives a connection
 * up when the backend says `100`, which servers do unasked, and the edge has no use for the other interim
 * responses. `101` stays in: no request asked for it, so that the parser shall fail. Each connection of
 * `undici-upstream.ts` has one.
 */

/** `HTTP/1.x 1yz` */
const STATUS_LINE_START = 12;
const LF = 0x0a;
const CR = 0x0d;

/** @returns the offset behind the empty line, or -1 */
const headEnd = (bytes: Buffer): number => {
	for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) {
		const next = bytes[at + 1];
		if (next === LF) return at + 2;
		if (next === CR && bytes[at + 2] === LF) return at + 3;
	}
	return -1;
};

/** All but 101. */
const START = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r\n]/;
const EXAMPLE = "HTTP/1.1 199 ";

/** Whether the bytes could still turn out to begin an interim response other than 101. */
const mayBeInterim = (bytes: Buffer): boolean => {
	const known = bytes.toString("latin1", 0, EXAMPLE.length);
	// Bytes that have not come yet are taken for the right ones.
	return START.test(known + EXAMPLE.slice(known.length));
};

export class InterimFilter {
	readonly #maxBytes: number;
	#held: Buffer | undefined;
	/** a final answer is still to come: look at what arrives */
	#awaiting = false;
	/** any byte has come since `begin`, interim or not */
	sawByte = false;

	/** @param maxBytes of one interim response; a longer one is left to the parser, which refuses it */
	constructor(maxBytes: number) {
		this.#maxBytes = maxBytes;
	}

	/** A request is about to be written. */
	begin(): void {
		this.#awaiting = true;
		this.#held = undefined;
		this.sawByte = false;
	}

	/**
	 * Hot.
	 * @returns the bytes for the parser; undefined if there are none for now
	 */
	filter(chunk: Buffer): Buffer | undefined {
		this.sawByte = true;
		if (!this.#awaiting) return chunk;
		let bytes = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk]);
		this.#held = undefined;
		while (mayBeInterim(bytes)) {
			const end = bytes.length < STATUS_LINE_START ? -1 : headEnd(bytes);
			if (end === -1) {
				if (bytes.length > this.#maxBytes) break;
				if (bytes.length > 0) this.#held = bytes;
				return undefined;
			}
			bytes = bytes.subarray(end);
			if (bytes.length === 0) return undefined;
		}
		this.#awaiting = false;
		return bytes;
	}
}
