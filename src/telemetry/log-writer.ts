/**
 * Where log lines go: bounded pages of memory in front of a file descriptor, for `log.ts` only. `write` never
 * waits and never throws. What doesn't fit is dropped and counted; a destination that fails (disk full)
 * costs the lines it was given and is tried again with the next ones. Not `sonic-boom`, which pino brings along: it
 * waits for a reader before it opens, reopens or flushes, and loses lines uncounted (test/telemetry/sonic-boom.test.ts).
 *
 * A write is another thread's, so that a disk that hangs keeps no request waiting. To wake that thread costs more than to
 * copy some hundred lines, and where it shares a core with this one, each time delays requests. So lines that may be
 * many (`later`) are written every `LIMITS.logPaceMs`; the first after a pause, and all others, when their turn of the
 * event loop is over.
 */
import { LIMITS } from "../limits/limits.ts";
import { type Output, openOutput, standardDescriptor, type Written } from "./log-output.ts";
import { type LogPage, LogPages } from "./log-pages.ts";

interface Flush {
	/** of all lines that there were, the number that have to be out */
	readonly upTo: number;
	readonly done: () => void;
}

export class LogWriter {
	readonly #destination: string;
	readonly #onDrop: () => void;
	#output: Output;
	/** takes over when the write that is under way is done */
	#next: Output | undefined;
	readonly #pages: LogPages;
	/** taken so far, and of these written or lost */
	#taken = 0;
	#settled = 0;
	#batch: LogPage | undefined;
	#offset = 0;
	/** what will begin to write */
	#turn: NodeJS.Immediate | undefined;
	#timer: NodeJS.Timeout | undefined;
	/** of all lines that there were, the number that are not to wait for long */
	#urgentUpTo = 0;
	#begunMs = Number.NEGATIVE_INFINITY;
	/** takes no lines any more */
	#closing = false;
	/** writes none either */
	#closed = false;
	#flushes: Flush[] = [];

	/** why lines go to `instead`, until `reopen` */
	readonly failure: Error | undefined;

	/**
	 * @param instead a destination for as long as the first can't be opened
	 * @throws Error if a file can't be opened
	 */
	constructor(destination: string, maxBytes: number, onDrop: () => void, instead?: "stderr") {
		this.#destination = destination;
		this.#pages = new LogPages(maxBytes);
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

	/** A line with its end, which is out soon after this turn of the event loop. */
	write(line: string): void {
		if (!this.#closing && this.#pages.addText(line)) {
			this.#urgentUpTo = ++this.#taken;
			this.#soon();
		} else this.#onDrop();
	}

	/** A line with its end, as there may be one for each request: written together with those that come shortly after. */
	later(line: string): void {
		if (!this.#closing && this.#pages.addText(line)) this.#takenAtPace();
		else this.#onDrop();
	}

	/** As `later`, of a line that is bytes already; they are copied. */
	laterBytes(bytes: Buffer, length: number): void {
		if (!this.#closing && this.#pages.addBytes(bytes, length)) this.#takenAtPace();
		else this.#onDrop();
	}

	/** Resolves when everything written so far is out, or after `timeoutMs`. */
	flush(timeoutMs: number): Promise<void> {
		if (this.#settled === this.#taken) return Promise.resolve();
		if (this.#batch === undefined) this.#writeBatch();
		return new Promise((resolve) => {
			const timer = setTimeout(resolve, timeoutMs);
			const done = () => {
				clearTimeout(timer);
				resolve();
			};
			this.#flushes.push({ upTo: this.#taken, done });
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
		if (this.#batch === undefined) this.#takeNext();
	}

	/** Flushes for up to `timeoutMs`; what is left then, and what comes from now on, is dropped. */
	async close(timeoutMs: number): Promise<void> {
		this.#closing = true;
		await this.flush(timeoutMs);
		if (this.#closed) return;
		this.#closed = true;
		this.#cancel();
		const batch = this.#batch;
		const out = batch === undefined ? 0 : batch.linesBetween(0, this.#offset);
		this.#drop(this.#taken - this.#settled - out);
		this.#settled = this.#taken;
		this.#pages.clear();
		if (this.#batch === undefined) this.#end();
	}

	/** Closed, and no write is under way any more. */
	#end(): void {
		this.#batch = undefined;
		this.#takeNext();
		this.#output.close();
	}

	#takeNext(): void {
		if (this.#next === undefined) return;
		this.#output.close();
		this.#output = this.#next;
		this.#next = undefined;
	}

	#takenAtPace(): void {
		this.#taken++;
		this.#atPace();
	}

	#drop(lines: number): void {
		for (let lost = lines; lost > 0; lost--) this.#onDrop();
	}

	/** Somebody waits for lines that wait. */
	get #isUrgent(): boolean {
		return this.#settled < this.#urgentUpTo || this.#flushes.length > 0;
	}

	#soon(): void {
		if (this.#batch !== undefined || this.#turn !== undefined) return;
		// After this turn, so that the lines of one turn share a system call.
		this.#turn = setImmediate(this.#writeBatch);
	}

	#atPace(): void {
		if (this.#batch !== undefined || this.#turn !== undefined) return;
		if (this.#timer !== undefined) {
			if (this.#pages.hasFull) this.#soon();
			return;
		}
		const waitMs = this.#begunMs + LIMITS.logPaceMs - performance.now();
		if (waitMs <= 0) this.#turn = setImmediate(this.#writeBatch);
		else this.#timer = setTimeout(this.#writeBatch, waitMs);
	}

	#cancel(): void {
		clearImmediate(this.#turn);
		clearTimeout(this.#timer);
		this.#turn = undefined;
		this.#timer = undefined;
	}

	readonly #writeBatch = (): void => {
		this.#cancel();
		const page = this.#pages.take();
		if (page === undefined) return;
		this.#takeNext();
		this.#begunMs = performance.now();
		this.#batch = page;
		this.#offset = 0;
		this.#writeRest(page);
	};

	readonly #writeRest = (batch: LogPage): void => {
		if (this.#closed) {
			this.#end();
			return;
		}
		const end = batch.pieceEnd(this.#offset, this.#output.wholeBytes);
		this.#output.write(batch.bytes.subarray(0, end), this.#offset, this.#onWritten);
	};

	readonly #onWritten: Written = (error, written) => {
		const batch = this.#batch;
		if (this.#closed || batch === undefined) {
			this.#end();
			return;
		}
		if (error?.code === "EAGAIN") {
			// A line that was begun in the old file can't be ended in the new one.
			const start = this.#next === undefined ? this.#offset : batch.lineStart(this.#offset);
			this.#drop(batch.linesBetween(this.#offset, start));
			this.#offset = start;
			this.#takeNext();
			setTimeout(this.#writeRest, LIMITS.logRetryMs, batch);
			return;
		}
		if (error === null) {
			this.#offset += written;
			if (this.#offset < batch.length) {
				this.#writeRest(batch);
				return;
			}
		} else {
			this.#drop(batch.linesBetween(this.#offset, batch.length));
		}
		this.#settled += batch.lines;
		this.#batch = undefined;
		this.#pages.giveBack(batch);
		this.#goOn();
	};

	/** After a write. */
	#goOn(): void {
		this.#flushes = this.#flushes.filter(({ upTo, done }) => {
			if (upTo > this.#settled) return true;
			done();
			return false;
		});
		if (this.#pages.isEmpty) this.#takeNext();
		else if (this.#isUrgent || this.#pages.hasFull) this.#writeBatch();
		else this.#atPace();
	}
}
