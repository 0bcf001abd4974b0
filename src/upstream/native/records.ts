/**
 * Reads the records of one batch from the memory that the native client shares with JS; the layout is that of
 * native/src/upstream/record.h, as the addon tells it. A record is valid until its batch has been read. Used by `client.ts`, which walks
 * the records, and `call.ts`, which hands them to sinks. Hot.
 */
import { asciiLowerCase } from "../../ascii.ts";
import { addon } from "../../native-addon.ts";
import type { WholeResponse } from "../response-head.ts";
import type { UpstreamTrail } from "../trail.ts";
import type { UpstreamFailure } from "../upstream.ts";

const { upstreamLayout: LAYOUT } = addon;

/** What a record tells; native/src/upstream/record.h says what each kind means. */
export const KIND = LAYOUT.kind;

const WORD = LAYOUT.word;
const LENGTH_DOUBLE = LAYOUT.lengthDouble;
const ASCII = LAYOUT.asciiFlag;

export const RECORD_BYTES = LAYOUT.recordBytes;
const WORDS = RECORD_BYTES / Int32Array.BYTES_PER_ELEMENT;
const DOUBLES = RECORD_BYTES / Float64Array.BYTES_PER_ELEMENT;

/** by their code */
const FAILURES: UpstreamFailure[] = [];
for (const name of Object.keys(LAYOUT.failure) as UpstreamFailure[]) {
	FAILURES[LAYOUT.failure[name]] = name;
}
const NO_BYTES = new Uint8Array(0);

const isSpace = (character: string | undefined): boolean => character === " " || character === "\t";

/** From `start` on, without white space around it. A pattern would take quadratic time within long runs of it. */
function trimmed(line: string, start: number): string {
	let from = start;
	let to = line.length;
	while (from < to && isSpace(line[from])) from += 1;
	while (to > from && isSpace(line[to - 1])) to -= 1;
	return line.slice(from, to);
}

/** All lines as they came, each ending with CRLF → name, value, name, value…, as `ResponseHead.lines`. */
function parseLines(text: string): string[] {
	const parsed: string[] = [];
	for (const line of text.split("\r\n")) {
		const colon = line.indexOf(":");
		if (colon === -1) continue;
		parsed.push(asciiLowerCase(line.slice(0, colon)), trimmed(line, colon + 1));
	}
	return parsed;
}

/** A record of a response: nothing of it is read before somebody asks. Throws where that is too late, as other bytes may be there. */
class NativeResponse implements WholeResponse {
	readonly record: number;
	readonly #records: Records;
	readonly #batch: number;

	constructor(records: Records, record: number) {
		this.record = record;
		this.#records = records;
		this.#batch = records.batch;
	}

	get passed(): string {
		return this.#read().passed(this.record);
	}
	get ascii(): boolean {
		return (this.#read().word(this.record, WORD.flags) & ASCII) !== 0;
	}
	get passedBytes(): number {
		return this.#read().word(this.record, WORD.passedLength);
	}
	get bodyBytes(): number {
		return this.#read().word(this.record, WORD.bodyLength);
	}
	lines(): readonly string[] {
		return parseLines(this.#read().text(this.record));
	}
	body(): Uint8Array {
		return this.#read().body(this.record);
	}

	#read(): Records {
		if (this.#batch !== this.#records.batch) {
			throw new Error("a response can be read only while the sink's call lasts");
		}
		return this.#records;
	}
}

/** The shared memory. `at` is a record's number in the batch. */
export class Records {
	/** changes with every batch */
	batch = 0;
	readonly #words: Int32Array;
	readonly #doubles: Float64Array;
	readonly #arena: ArrayBuffer;
	readonly #bytes: Buffer;

	/** @param records a multiple of `RECORD_BYTES` @param arena what offsets count from */
	constructor(records: ArrayBuffer, arena: ArrayBuffer) {
		this.#words = new Int32Array(records);
		this.#doubles = new Float64Array(records);
		this.#arena = arena;
		this.#bytes = Buffer.from(arena);
	}

	word(at: number, word: number): number {
		return this.#words[at * WORDS + word] ?? 0;
	}

	/** all lines of a response as they came; or why something failed */
	text(at: number): string {
		const offset = this.word(at, WORD.textOffset);
		return this.#bytes.toString("utf8", offset, offset + this.word(at, WORD.textLength));
	}

	/** lines of a response that pass */
	passed(at: number): string {
		const offset = this.word(at, WORD.passedOffset);
		return this.#bytes.toString("latin1", offset, offset + this.word(at, WORD.passedLength));
	}

	kind(at: number): number {
		return this.word(at, WORD.kind);
	}

	/** of `KIND.backendClosed`: the backend */
	call(at: number): number {
		return this.word(at, WORD.call);
	}

	backend(at: number): number {
		return this.word(at, WORD.backend);
	}

	address(at: number): number {
		return this.word(at, WORD.address);
	}

	statusCode(at: number): number {
		return this.word(at, WORD.code);
	}

	/** content-length as the head says, or -1 */
	length(at: number): number {
		return this.#doubles[at * DOUBLES + LENGTH_DOUBLE] ?? -1;
	}

	failure(at: number): UpstreamFailure {
		return FAILURES[this.word(at, WORD.code)] ?? "broken";
	}

	/** Of a call's answer or failure. */
	tellTrail(at: number, trail: UpstreamTrail): void {
		const connectMs = this.word(at, WORD.connectMicroseconds) / 1000;
		trail.came(this.address(at), this.word(at, WORD.attempts), connectMs);
	}

	response(at: number): WholeResponse {
		return new NativeResponse(this, at);
	}

	/** The body's bytes in the shared memory. */
	body(at: number): Uint8Array {
		const length = this.word(at, WORD.bodyLength);
		if (length === 0) return NO_BYTES;
		return new Uint8Array(this.#arena, this.word(at, WORD.bodyOffset), length);
	}
}
