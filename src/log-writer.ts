/**
 * Where log lines go: a bounded queue in front of a file descriptor, for `log.ts` only. `write` never
 * waits and never throws. What doesn't fit is dropped and counted; a destination that fails (disk full)
 * costs the lines it was given and is tried again with the next ones.
 */
import { closeSync, constants, fstatSync, openSync, write } from "node:fs";
import { Socket } from "node:net";

/** milliseconds before a full pipe is tried again */
const RETRY_MS = 20;
/** bytes handed to one system call */
const BATCH_BYTES = 262_144;

type Written = (error: NodeJS.ErrnoException | null, bytes: number) => void;

/** One asynchronous write at a time; may write less than it was given. */
interface Output {
	write(bytes: Buffer, offset: number, written: Written): void;
	close(): void;
}

const descriptorOutput = (descriptor: number): Output => ({
	write: (bytes, offset, written) =>
		write(descriptor, bytes, offset, bytes.length - offset, null, written),
	close: () => closeSync(descriptor),
});

/** A socket (systemd, a parent process) can't be opened anew; libuv makes it non-blocking instead. */
const socketOutput = (descriptor: number): Output => {
	const socket = new Socket({ fd: descriptor, readable: false, writable: true });
	socket.on("error", () => {});
	socket.unref();
	return {
		write: (bytes, offset, written) => {
			socket.write(bytes.subarray(offset), (error) =>
				written(error ?? null, bytes.length - offset),
			);
		},
		close: () => socket.destroy(),
	};
};

/**
 * A pipe is opened anew so that it can be non-blocking without changing it for the processes that share
 * it: a thread stuck in a blocking write would keep this process from ending.
 */
const standardOutput = (descriptor: 1 | 2): Output => {
	const status = fstatSync(descriptor);
	if (status.isSocket()) return socketOutput(descriptor);
	// A file never blocks for long, and opened anew it would have a position of its own: what others
	// print through the descriptor and these lines would overwrite each other.
	if (status.isFile()) return descriptorOutput(descriptor);
	const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK;
	try {
		return descriptorOutput(openSync(`/dev/fd/${descriptor}`, flags));
	} catch {
		return descriptorOutput(descriptor);
	}
};

const openOutput = (destination: string): Output => {
	if (destination === "stdout") return standardOutput(1);
	if (destination === "stderr") return standardOutput(2);
	return descriptorOutput(openSync(destination, "a", 0o640));
};

export class LogWriter {
	readonly #destination: string;
	readonly #maxBytes: number;
	readonly #onDrop: () => void;
	#output: Output;
	#lines: string[] = [];
	/** queued and being written */
	#bytes = 0;
	#batch: Buffer = Buffer.alloc(0);
	#batchLines = 0;
	#offset = 0;
	#writing = false;
	#closed = false;
	#drained: (() => void)[] = [];

	/** @throws Error if a file can't be opened */
	constructor(destination: string, maxBytes: number, onDrop: () => void) {
		this.#destination = destination;
		this.#maxBytes = maxBytes;
		this.#onDrop = onDrop;
		this.#output = openOutput(destination);
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

	/** Opens the file again under the same name, for log rotation. Nothing happens for stdout and stderr. */
	reopen(): void {
		if (this.#destination === "stdout" || this.#destination === "stderr" || this.#writing) return;
		const old = this.#output;
		this.#output = openOutput(this.#destination);
		old.close();
	}

	/** Flushes for up to `timeoutMs`; what is left then and what comes after is dropped. */
	async close(timeoutMs: number): Promise<void> {
		await this.flush(timeoutMs);
		this.#closed = true;
		for (let left = this.#lines.length + this.#batchLines; left > 0; left--) this.#onDrop();
		this.#lines = [];
		this.#batchLines = 0;
	}

	readonly #writeBatch = (): void => {
		let bytes = 0;
		let count = 0;
		for (const line of this.#lines) {
			bytes += line.length;
			count++;
			if (bytes >= BATCH_BYTES) break;
		}
		const lines = this.#lines.splice(0, count);
		this.#batch = Buffer.from(lines.join(""));
		this.#batchLines = count;
		this.#offset = 0;
		this.#writeRest();
	};

	readonly #writeRest = (): void => {
		if (!this.#closed) this.#output.write(this.#batch, this.#offset, this.#onWritten);
	};

	readonly #onWritten: Written = (error, written) => {
		if (error?.code === "EAGAIN") {
			setTimeout(this.#writeRest, RETRY_MS);
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
		for (const drained of this.#drained.splice(0)) drained();
	};
}
