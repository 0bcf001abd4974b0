/**
 * Where log lines go: a bounded queue in front of a file descriptor, for `log.ts` only. `write` never
 * waits and never throws. What doesn't fit is dropped and counted; a destination that fails (disk full)
 * costs the lines it was given and is tried again with the next ones. Not `sonic-boom`, which pino brings along: it
 * waits for a reader before it opens, reopens or flushes, and loses lines uncounted (test/telemetry/sonic-boom.test.ts).
 */
import { LIMITS } from "../limits/limits.ts";
import { type Output, openOutput, standardDescriptor, type Written } from "./log-output.ts";

const LINE_END = 10;

export class LogWriter {
	readonly #destination: string;
	readonly #maxBytes: number;
	readonly #onDrop: () => void;
	#output: Output;
	/** takes over when the write that is under way is done */
	#next: Output | undefined;
	#lines: string[] = [];
	/** queued and being written */
	#bytes = 0;
	#batch: Buffer = Buffer.alloc(0);
	#batchLines = 0;
	#offset = 0;
	#writing = false;
	#closed = false;
	#drained: (() => void)[] = [];

	/** why lines go to `instead`, until `reopen` */
	readonly failure: Error | undefined;

	/**
	 * @param instead a destination for as long as the first can't be opened
	 * @throws Error if a file can't be opened
	 */
	constructor(destination: string, maxBytes: number, onDrop: () => void, instead?: "stderr") {
		this.#destination = destination;
		this.#maxBytes = maxBytes;
		this.#onDrop = onDrop;
		try {
			this.#output = openOutput(destination);
		} catch (error) {
			if (instead === undefined) throw error;
			this.failure = error as Error;
			this.#output = openOutput(instead);
		}
	}

	/** a FIFO that nobody reads yet */
	get isUnread(): boolean {
		return this.#output.isUnread;
	}

	write(line: string): void {
		const bytes = Buffer.byteLength(line);
		if (this.#closed || this.#bytes + bytes > this.#maxBytes) {
			this.#onDrop();
			return;
		}
		this.#bytes += bytes;
		this.#lines.push(line);
		if (!this.#writing) {
			this.#writing = true;
			// After this turn, so that the lines of one turn share a system call.
			setImmediate(this.#writeBatch);
		}
	}

	/** Resolves when everything written so far is out, or after `timeoutMs`. */
	flush(timeoutMs: number): Promise<void> {
		if (!this.#writing) return Promise.resolve();
		return new Promise((resolve) => {
			const timer = setTimeout(resolve, timeoutMs);
			this.#drained.push(() => {
				clearTimeout(timer);
				resolve();
			});
		});
	}

	/**
	 * Opens the file again under the same name, for log rotation; lines that are not being written go there.
	 * Nothing happens for stdout and stderr. @throws Error it can't be opened; the old one stays
	 */
	reopen(): void {
		if (this.#closed || standardDescriptor(this.#destination) !== undefined) return;
		const output = openOutput(this.#destination);
		this.#next?.close();
		this.#next = output;
		if (!this.#writing) this.#takeNext();
	}

	/** Flushes for up to `timeoutMs`; what is left then and what comes after is dropped. */
	async close(timeoutMs: number): Promise<void> {
		await this.flush(timeoutMs);
		if (this.#closed) return;
		this.#closed = true;
		for (let left = this.#lines.length + this.#batchLines; left > 0; left--) this.#onDrop();
		this.#lines = [];
		this.#batchLines = 0;
		if (!this.#writing) this.#end();
	}

	/** Closed, and no write is under way any more. */
	#end(): void {
		this.#takeNext();
		this.#output.close();
	}

	#takeNext(): void {
		if (this.#next === undefined) return;
		this.#output.close();
		this.#output = this.#next;
		this.#next = undefined;
	}

	readonly #writeBatch = (): void => {
		this.#takeNext();
		let bytes = 0;
		let count = 0;
		for (const line of this.#lines) {
			bytes += line.length;
			count++;
			if (bytes >= LIMITS.logBatchBytes) break;
		}
		const lines = this.#lines.splice(0, count);
		this.#batch = Buffer.from(lines.join(""));
		this.#batchLines = count;
		this.#offset = 0;
		this.#writeRest();
	};

	readonly #writeRest = (): void => {
		if (this.#closed) {
			this.#end();
			return;
		}
		const batch = this.#batch.subarray(0, this.#pieceEnd(this.#output.wholeBytes));
		this.#output.write(batch, this.#offset, this.#onWritten);
	};

	/** Where the next write ends: whole lines, as many as nobody can come between, but one at least. */
	#pieceEnd(wholeBytes: number | undefined): number {
		if (wholeBytes === undefined || this.#batch.length - this.#offset <= wholeBytes)
			return this.#batch.length;
		const end = this.#batch.lastIndexOf(LINE_END, this.#offset + wholeBytes - 1) + 1;
		return end > this.#offset ? end : this.#batch.indexOf(LINE_END, this.#offset) + 1;
	}

	readonly #onWritten: Written = (error, written) => {
		if (this.#closed) {
			this.#end();
			return;
		}
		// A line that was begun in the old file can't be ended in the new one.
		if (error?.code === "EAGAIN" && (this.#next === undefined || this.#offset === 0)) {
			this.#takeNext();
			setTimeout(this.#writeRest, LIMITS.logRetryMs);
			return;
		}
		if (error === null) {
			this.#offset += written;
			if (this.#offset < this.#batch.length) {
				this.#writeRest();
				return;
			}
		} else {
			for (let lost = this.#batchLines; lost > 0; lost--) this.#onDrop();
		}
		this.#bytes -= this.#batch.length;
		this.#batchLines = 0;
		if (this.#lines.length > 0) {
			this.#writeBatch();
			return;
		}
		this.#writing = false;
		this.#takeNext();
		for (const drained of this.#drained.splice(0)) drained();
	};
}
