/**
 * A log line of level info as bytes, field by field: what `infoLine` says of the same fields, for lines that there may be
 * one of for each request. As text such a line is some fifty strings, which the next collection of garbage meets; here
 * all lines are written into the same memory, in a little more than half of the time. Used by `edge/access/`.
 */
import { LIMITS } from "../limits/limits.ts";
import { PLAIN, timeText } from "./json-line.ts";

const COMMA = 44;
const QUOTE = 34;
const COLON = 58;
const BACKSLASH = 92;
const POINT = 46;
const ZERO = 48;
/** What a line has at first; it grows with the longest, and begins anew after one that was longer than a page of the log. */
const BYTES = 4096;
/** Numbers below it are written digit by digit. */
const SMALL = 1_000_000_000;
/** Bytes of UTF-8 for a unit of UTF-16, at most. */
const WIDEST = 3;
/** Above it, to look through and to copy a text as a whole is faster than byte by byte. */
const LONG = 32;
/** Quotes, a comma, a colon, and digits of a small number. */
const FRAME = 24;

export class JsonLine {
	/** of which the first `length` are the line */
	bytes = Buffer.allocUnsafeSlow(BYTES);
	length = 0;
	/** of the line's first bytes, which are still there when the next begins */
	#pid = -1;
	#nowMs = -1;
	#begun = 0;

	/** Another line, in place of the one before. */
	begin(pid: number, nowMs: number): void {
		if (this.bytes.length > LIMITS.logBatchBytes) {
			this.bytes = Buffer.allocUnsafeSlow(BYTES);
			this.#nowMs = -1;
		}
		if (nowMs !== this.#nowMs || pid !== this.#pid) {
			this.length = 0;
			this.#raw(`{"level":"info","time":"${timeText(nowMs)}","pid":${pid}`);
			this.#pid = pid;
			this.#nowMs = nowMs;
			this.#begun = this.length;
		}
		this.length = this.#begun;
	}

	/** Hot. @param name needs no escaping, as of all fields @param value undefined: there is no such field, as of all others */
	text(name: string, value: string | undefined): void {
		if (value === undefined) return;
		this.#room(name.length + value.length + FRAME);
		this.#name(name);
		const start = this.length + 1;
		const end = value.length > LONG ? this.#copied(value, start) : this.#short(value, start);
		if (end === undefined) {
			this.#raw(JSON.stringify(value));
			return;
		}
		this.bytes[this.length] = QUOTE;
		this.bytes[end] = QUOTE;
		this.length = end + 1;
	}

	/** @returns where it ends; undefined: it has to be escaped */
	#short(value: string, start: number): number | undefined {
		const { bytes } = this;
		let at = start;
		for (let each = 0; each < value.length; each++) {
			const code = value.charCodeAt(each);
			if (code < 0x20 || code > 0x7e || code === QUOTE || code === BACKSLASH) return undefined;
			bytes[at++] = code;
		}
		return at;
	}

	/** As `#short`. */
	#copied(value: string, start: number): number | undefined {
		return PLAIN.test(value) ? start + this.bytes.write(value, start, "latin1") : undefined;
	}

	/** Hot. A number that JSON has no form for is null. */
	number(name: string, value: number | undefined): void {
		if (value === undefined) return;
		this.#room(name.length + FRAME);
		this.#name(name);
		if (value >= 0 && value < SMALL && Number.isInteger(value)) this.#digits(value);
		else this.#raw(JSON.stringify(value));
	}

	/** Hot. To the microsecond. @param value milliseconds; below 0: there is no such field */
	milliseconds(name: string, value: number | undefined): void {
		if (value === undefined || value < 0) return;
		const micros = Math.round(value * 1000);
		if (!(micros < SMALL)) {
			this.number(name, micros / 1000);
			return;
		}
		this.#room(name.length + FRAME);
		this.#name(name);
		const whole = Math.floor(micros / 1000);
		this.#digits(whole);
		this.#thousandths(micros - whole * 1000);
	}

	/** @throws TypeError for what JSON can't hold: circles, bigints */
	json(name: string, value: unknown): void {
		const text = JSON.stringify(value) as string | undefined;
		if (text === undefined) return;
		this.#room(name.length + FRAME);
		this.#name(name);
		this.#raw(text);
	}

	/** @param message of weir's own */
	end(message: string): void {
		this.text("msg", message);
		this.#raw("}\n");
	}

	#name(name: string): void {
		const { bytes } = this;
		let at = this.length;
		bytes[at++] = COMMA;
		bytes[at++] = QUOTE;
		for (let each = 0; each < name.length; each++) bytes[at++] = name.charCodeAt(each);
		bytes[at++] = QUOTE;
		bytes[at++] = COLON;
		this.length = at;
	}

	/** Of a whole number, at least one. */
	#digits(value: number): void {
		let unit = 1;
		while (unit * 10 <= value) unit *= 10;
		let rest = value;
		for (; unit >= 1; unit = Math.floor(unit / 10)) {
			const digit = Math.floor(rest / unit);
			this.bytes[this.length++] = ZERO + digit;
			rest -= digit * unit;
		}
	}

	/** Up to three digits behind the point, none where all are 0. */
	#thousandths(value: number): void {
		if (value === 0) return;
		this.bytes[this.length++] = POINT;
		let rest = value;
		for (let unit = 100; rest > 0; unit = Math.floor(unit / 10)) {
			const digit = Math.floor(rest / unit);
			this.bytes[this.length++] = ZERO + digit;
			rest -= digit * unit;
		}
	}

	/** Text as it is. */
	#raw(text: string): void {
		this.#room(text.length * WIDEST);
		this.length += this.bytes.write(text, this.length, "utf8");
	}

	#room(bytes: number): void {
		const needed = this.length + bytes;
		if (needed <= this.bytes.length) return;
		const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2));
		this.bytes.copy(larger, 0, 0, this.length);
		this.bytes = larger;
	}
}
