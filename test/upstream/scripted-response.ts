/**
 * Stands in for uWebSockets.js's response, its buffers included, with a socket that takes as much of each
 * piece as a test says. What is corked waits in a buffer of 16 KiB. A piece that doesn't fit is sent after
 * the buffer, unless the socket doesn't take the buffer whole: then the piece is lost. That of `tryEnd` is
 * reported as not taken. What the socket didn't take is kept and sent before anything else. A handler of
 * writable events takes over: the library then keeps what it has until the next write.
 */
const CORK_BYTES = 16_384;

export class ScriptedResponse {
	/** what the socket took */
	readonly wire: Buffer[] = [];
	readonly #takes: readonly number[];
	#calls = 0;
	#wide = false;
	/** the socket didn't take all, and tells when it can take more */
	#polls = false;
	#backlog = Buffer.alloc(0);
	#corked: Buffer[] | undefined;
	#state: "head" | "chunks" | "sized" | "ended" = "head";
	#offset = 0;
	#handler: (() => boolean) | undefined;

	/** @param takes part of a piece that the socket takes, in turn */
	constructor(takes: readonly number[]) {
		this.#takes = takes;
	}

	/** The socket tells that it can take more, which it must have been asked for. */
	becomeWritable(): void {
		if (!this.#polls) throw new Error("waits for what never comes");
		this.#polls = false;
		if (this.#handler === undefined) this.#send(Buffer.alloc(0), true);
		else this.#handler();
	}

	/** The client takes all there is. */
	drain(): void {
		this.#wide = true;
		while (this.#polls) this.becomeWritable();
		this.#wide = false;
	}

	cork(inside: () => void): this {
		if (this.#corked !== undefined) throw new Error("corked twice");
		this.#corked = [];
		inside();
		this.#uncork(Buffer.alloc(0), false);
		return this;
	}

	writeStatus(status: string): this {
		this.#text(`HTTP/1.1 ${status}\r\n`);
		return this;
	}

	writeHeader(name: string, value: string | Buffer): this {
		this.#text(`${name}: ${value.toString("latin1")}\r\n`);
		return this;
	}

	write(chunk: Uint8Array): boolean {
		this.#mustBeOpen();
		if (chunk.length === 0) return true;
		if (this.#state === "head") this.#text("transfer-encoding: chunked\r\n");
		this.#state = "chunks";
		this.#text(`\r\n${chunk.length.toString(16)}\r\n`);
		return this.#send(chunk, false) === chunk.length && this.#backlog.length === 0;
	}

	tryEnd(chunk: Uint8Array, total: number): [boolean, boolean] {
		this.#mustBeOpen();
		if (this.#state === "head") this.#text(`content-length: ${total}\r\n\r\n`);
		this.#state = "sized";
		const sent = this.#send(chunk, true);
		this.#offset += sent;
		if (this.#offset === total) this.#finish();
		return [sent === chunk.length, this.#offset === total];
	}

	end(): this {
		this.#mustBeOpen();
		if (this.#state !== "chunks") this.#text("content-length: 0\r\n\r\n");
		else this.#text("\r\n0\r\n\r\n");
		this.#finish();
		return this;
	}

	getWriteOffset(): number {
		this.#mustBeOpen();
		return this.#offset;
	}

	onWritable(handler: () => boolean): this {
		this.#mustBeOpen();
		this.#handler = handler;
		return this;
	}

	#mustBeOpen(): void {
		if (this.#state === "ended") throw new Error("touched after its end");
	}

	#finish(): void {
		this.#state = "ended";
		this.#handler = undefined;
	}

	#text(text: string): void {
		this.#send(Buffer.from(text, "latin1"), false);
	}

	/** @returns bytes of the piece that it keeps or that are sent */
	#send(piece: Uint8Array, optional: boolean): number {
		if (this.#backlog.length > 0) {
			this.#backlog = this.#backlog.subarray(this.#socketTakes(this.#backlog));
			if (this.#backlog.length > 0) {
				if (optional) return 0;
				this.#backlog = Buffer.concat([this.#backlog, piece]);
				return piece.length;
			}
		}
		if (this.#corked === undefined) {
			const sent = this.#socketTakes(piece);
			if (optional) return sent;
			this.#backlog = Buffer.from(piece.subarray(sent));
			return piece.length;
		}
		const buffered = this.#corked.reduce((sum, { length }) => sum + length, 0);
		if (buffered + piece.length > CORK_BYTES) return this.#uncork(piece, optional);
		this.#corked.push(Buffer.from(piece));
		return piece.length;
	}

	#uncork(piece: Uint8Array, optional: boolean): number {
		if (this.#corked === undefined) return 0;
		const buffer = Buffer.concat(this.#corked);
		this.#corked = undefined;
		if (buffer.length > 0) this.#send(buffer, false);
		return buffer.length > 0 && this.#backlog.length > 0 ? 0 : this.#send(piece, optional);
	}

	#socketTakes(piece: Uint8Array): number {
		if (piece.length === 0) return 0;
		const part = this.#wide ? 1 : (this.#takes[this.#calls++ % this.#takes.length] ?? 1);
		const taken = Math.floor(piece.length * part);
		this.wire.push(Buffer.from(piece.subarray(0, taken)));
		if (taken < piece.length) this.#polls = true;
		return taken;
	}
}
