/**
 * A response that the front writes: few calls of the addon, each with all there is to be sent. Made by `front.ts` for
 * each request. Once it has ended, or its client has gone, it does nothing any more: its connection may have another
 * request by then.
 */
import { addon } from "../native-addon.ts";
import type { BodyChunk, ClientResponse, Leaver } from "./client-response.ts";
import { NOT_ASCII } from "./fields.ts";
import type { FrontConnection, PendingResponse } from "./front-connection.ts";
import type { BackendPort, PortTunnel, Tunnel, TunnelStart } from "./tunnel.ts";
import { openPortTunnel, openTunnel } from "./tunnels.ts";

const UNFRAMED = addon.frontLayout.unframed;
const EMPTY = new Uint8Array();

/** Strings are sent as latin1: what they are as UTF-8, for those that hold more. */
const asBytes = (text: string): string =>
	NOT_ASCII.test(text) ? Buffer.from(text).toString("latin1") : text;

const latin1 = (text: string | Uint8Array): string =>
	typeof text === "string" ? text : Buffer.from(text).toString("latin1");

/** Of a request or response that comes in pieces, as few do. */
class Pieces {
	hasChunks = false;
	offset = 0;
	onData: ((chunk: BodyChunk, isLast: boolean) => void) | undefined;
	onWritable: ((offset: number) => boolean) | undefined;
}

export class FrontResponse implements ClientResponse, PendingResponse {
	readonly #connection: FrontConnection;
	/** what was written of it and not sent */
	#head: string | Uint8Array = "";
	#leaver: Leaver | undefined;
	#pieces: Pieces | undefined;

	constructor(connection: FrontConnection) {
		this.#connection = connection;
	}

	/** The addon gathers what is written within a request's handler, and each call sends all that belongs together. */
	cork(write: () => void): this {
		write();
		return this;
	}
	writeStatus(status: string | Uint8Array): this {
		this.#head = status;
		return this;
	}
	writeHeader(name: string, value: string | Uint8Array): this {
		const text = typeof value === "string" ? asBytes(value) : latin1(value);
		this.#head = `${latin1(this.#head)}\r\n${name}: ${text}`;
		return this;
	}

	/** Hot. A whole answer as one text: status line without version, lines but `date`, and body. */
	sendText(text: string): void {
		if (this.ends()) addon.sendText(this.#connection.handle, text);
	}
	/** Hot. */
	sendRecord(status: string, record: number): void {
		if (this.ends()) addon.sendRecord(this.#connection.handle, status, record);
	}
	end(body?: string | Uint8Array): this {
		if (!this.ends()) return this;
		if (this.#pieces?.hasChunks === true) addon.sendLastChunk(this.#connection.handle);
		else addon.sendWhole(this.#connection.handle, this.takeHead(), body ?? EMPTY);
		return this;
	}
	endWithoutBody(): this {
		if (this.ends()) addon.sendHead(this.#connection.handle, this.takeHead(), UNFRAMED);
		return this;
	}

	openTunnel(start: TunnelStart, backend: number): Tunnel | undefined {
		if (!this.isCurrent()) return undefined;
		return this.became(openTunnel(this.#connection, start, backend));
	}
	openPortTunnel(start: TunnelStart, backend: BackendPort): PortTunnel | undefined {
		if (!this.isCurrent()) return undefined;
		return this.became(openPortTunnel(this.#connection, start, backend));
	}

	write(chunk: Uint8Array): boolean {
		if (!this.isCurrent()) return true;
		this.inPieces().hasChunks = true;
		return addon.sendChunk(this.#connection.handle, this.takeHead(), chunk);
	}
	tryEnd(chunk: Uint8Array, total: number): [boolean, boolean] {
		if (!this.isCurrent()) return [true, false];
		const taken = addon.sendPiece(this.#connection.handle, this.takeHead(), total, chunk);
		const pieces = this.inPieces();
		pieces.offset += taken;
		const hasEnded = pieces.offset === total && this.ends();
		return [taken === chunk.byteLength, hasEnded];
	}
	getWriteOffset(): number {
		return this.#pieces?.offset ?? 0;
	}

	onWritable(handler: (offset: number) => boolean): this {
		this.inPieces().onWritable = handler;
		return this;
	}
	onAborted(handler: () => void): this {
		this.#leaver = { clientLeft: handler };
		return this;
	}
	onLeaving(leaver: Leaver): void {
		this.#leaver = leaver;
	}
	onData(handler: (chunk: BodyChunk, isLast: boolean) => void): this {
		this.inPieces().onData = handler;
		return this;
	}
	close(): this {
		if (this.isCurrent()) addon.closeClient(this.#connection.handle);
		return this;
	}

	/** Of `front.ts`. */
	received(chunk: Uint8Array, isLast: boolean): void {
		this.#pieces?.onData?.(chunk, isLast);
	}
	writable(): void {
		this.#pieces?.onWritable?.(this.#pieces.offset);
	}
	gone(): void {
		if (this.ends()) this.#leaver?.clientLeft();
	}

	/** Nothing of HTTP follows on this connection. */
	private became<Opened extends Tunnel>(tunnel: Opened | undefined): Opened | undefined {
		if (tunnel !== undefined) this.ends();
		return tunnel;
	}
	private isCurrent(): boolean {
		return this.#connection.response === this;
	}
	/** @returns false: it has ended before */
	private ends(): boolean {
		if (!this.isCurrent()) return false;
		this.#connection.response = undefined;
		return true;
	}
	private inPieces(): Pieces {
		this.#pieces ??= new Pieces();
		return this.#pieces;
	}
	private takeHead(): string | Uint8Array {
		const head = this.#head;
		if (head !== "") this.#head = "";
		return head;
	}
}
