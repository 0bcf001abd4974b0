/**
 * The counter's algorithm without an addon, for bench/counters.mjs: the same ring of block stamps, in one
 * SharedArrayBuffer that the worker threads of one process share. It has what the hot path needs and no
 * more: cells are never taken back, its hash has no secret, stamps last 24 days, a count 4e9 admissions,
 * and no other process, nor the next start, knows of it. 32-bit words, since a BigInt is an allocation.
 *
 *   fingerprint (0: free) | admitted | stamps, milliseconds since `epochMs`, only ever raised
 */
const KEY = 0;
const HEAD = 1;
const FIRST_STAMP = 2;
/** cells that a key may be in, from its home on */
const PROBES = 128;

/** @param {number} capacity the smallest ring that is exact, else the largest */
const ringFor = (capacity) => [6, 14, 30, 62].find((ring) => capacity <= ring - 1) ?? 62;

/** @param {number} capacity @param {number} cells a power of two */
export const makeTwinBuffer = (capacity, cells) =>
	new SharedArrayBuffer(cells * (ringFor(capacity) + FIRST_STAMP) * Int32Array.BYTES_PER_ELEMENT);

/**
 * Without an addon to read strings, a key is written unit by unit.
 * @param {readonly import("#dist/policy/actions/rate-limit/bucket-key.js").KeyElement[]} elements
 * @param {{ host: string, clientIp: string, requestHeaders: { lines(name: string): readonly string[] } }} attributes
 * @param {Uint16Array} units
 * @returns its length
 */
export function writeKey(elements, attributes, units) {
	let end = 0;
	const write = (/** @type {string} */ value) => {
		units[end++] = value.length;
		for (let i = 0; i < value.length; i++) units[end + i] = value.charCodeAt(i);
		end += value.length;
	};
	for (const element of elements) {
		if (element.kind === "host") write(attributes.host);
		else if (element.kind === "client_ip") write(attributes.clientIp);
		else if (element.kind === "header")
			for (const line of attributes.requestHeaders.lines(element.name)) write(line);
	}
	return end;
}

export class SharedArrayTwin {
	/** @type {Int32Array<SharedArrayBuffer>} */
	#words;
	/** @type {number} */
	#cellWords;
	/** @type {number} */
	#mask;
	/** @type {number} */
	#ring;
	/** @type {number} */
	#block;
	/** @type {number} */
	#capacity;
	/** @type {number} */
	#windowMs;
	/** @type {number} the same for all threads, before now */
	#epochMs;
	#units = new Uint16Array(4096);
	#pairs = new Int32Array(this.#units.buffer);
	/** where writeKey() writes to */
	get units() {
		return this.#units;
	}

	/**
	 * @param {SharedArrayBuffer} buffer
	 * @param {{ capacity: number, windowMs: number, epochMs: number }} limit
	 */
	constructor(buffer, { capacity, windowMs, epochMs }) {
		this.#words = new Int32Array(buffer);
		this.#ring = ringFor(capacity);
		this.#cellWords = this.#ring + FIRST_STAMP;
		this.#mask = this.#words.length / this.#cellWords - 1;
		this.#block = Math.ceil(capacity / (this.#ring - 1));
		this.#capacity = capacity;
		this.#windowMs = windowMs;
		this.#epochMs = epochMs;
	}

	/** @param {number} units length of the key in `units` @returns 0, or the milliseconds to wait */
	admit(units) {
		const cell = this.#find(units);
		// No room: a table for measuring is made large enough.
		if (cell < 0) return 1;
		const words = this.#words;
		const now = Date.now() - this.#epochMs;
		let head = Atomics.load(words, cell + HEAD);
		for (;;) {
			const number = head >>> 0;
			if (number >= this.#capacity) {
				const age = now - Atomics.load(words, this.#stamp(cell, number - this.#capacity));
				if (age < this.#windowMs) return Math.min(this.#windowMs, this.#windowMs - age);
			}
			const before = number === 0 ? 0 : Atomics.load(words, this.#stamp(cell, number - 1));
			this.#raise(this.#stamp(cell, number), Math.max(now, before));
			const seen = Atomics.compareExchange(words, cell + HEAD, head, (number + 1) | 0);
			if (seen === head) return 0;
			head = seen;
		}
	}

	/** @param {number} cell @param {number} number */
	#stamp(cell, number) {
		const block = this.#block === 1 ? number : Math.floor(number / this.#block);
		return cell + FIRST_STAMP + (block % this.#ring);
	}

	/** @param {number} at @param {number} ms */
	#raise(at, ms) {
		const words = this.#words;
		let seen = Atomics.load(words, at);
		while (seen < ms) {
			const found = Atomics.compareExchange(words, at, seen, ms);
			if (found === seen) return;
			seen = found;
		}
	}

	/** @param {number} units @returns the first word of the key's cell, taken if it had none; -1 if there is no room */
	#find(units) {
		if (units % 2 === 1) this.#units[units] = 0;
		const length = (units + 1) >>> 1;
		const pairs = this.#pairs;
		let home = units;
		let fingerprint = ~units;
		for (let index = 0; index < length; index++) {
			const pair = pairs[index] ?? 0;
			home = Math.imul((home << 13) ^ (home >>> 19) ^ pair, 0x9e3779b1);
			fingerprint = Math.imul((fingerprint << 15) ^ (fingerprint >>> 17) ^ pair, 0x85ebca6b);
		}
		home = Math.imul(home ^ (home >>> 16), 0xc2b2ae35);
		home ^= home >>> 15;
		fingerprint = fingerprint ^ (fingerprint >>> 16) || 1;
		const words = this.#words;
		for (let probe = 0; probe < PROBES; probe++) {
			const cell = ((home + probe) & this.#mask) * this.#cellWords;
			let seen = Atomics.load(words, cell + KEY);
			if (seen === 0)
				seen = Atomics.compareExchange(words, cell + KEY, 0, fingerprint) || fingerprint;
			if (seen === fingerprint) return cell;
		}
		return -1;
	}
}
