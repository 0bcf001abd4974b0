/**
 * The front of this process: the addon reads what clients send, hands on one good request of a connection at a time,
 * and writes the answers (native/README.md, "The front"). Used by `edge/server.ts` and
 * `management/http/listener.ts` for each listener.
 */
import { descriptorShares } from "../descriptors.ts";
import { LIMITS } from "../limits/limits.ts";
import { addon } from "../native-addon.ts";
import type { FrontCounts } from "../native-addon-front.ts";
import type { Counter } from "../telemetry/metrics.ts";
import type { ClientResponse } from "./client-response.ts";
import { FrontConnection } from "./front-connection.ts";
import { FrontResponse } from "./front-response.ts";
import { addressIn } from "./peer-address.ts";
import { tickTunnels } from "./tunnels.ts";
import { libraryFile, type us_listen_socket } from "./uws.ts";

// Numbers rather than properties of an object with many, which are slow to read.
const {
	numbers: AT_NUMBERS,
	addressBytesMax: AT_ADDRESS_BYTES_MAX,
	addressBytes: AT_ADDRESS_BYTES,
	slot: AT_SLOT,
	flags: AT_FLAGS,
	fresh: AT_FRESH,
	handle: AT_HANDLE,
	listener: AT_LISTENER,
	bodyLength: AT_BODY_LENGTH,
	proxied: AT_PROXIED,
	secure: AT_SECURE,
	port: AT_PORT,
	openedMs: AT_OPENED_MS,
} = addon.frontLayout;
const TICKS_PER_COUNT = 10;
const EMPTY = new Uint8Array();

/** What differs between listeners. */
export interface FrontSettings {
	readonly requestHeaderMs: number;
	readonly idleMs: number;
	readonly requestHeaderBytes: number;
	/** each connection begins with a PROXY protocol header */
	readonly proxyProtocol?: boolean;
	/** bytes that are read and thrown away of a client whose connection ends, so that it reads its answer */
	readonly lingerBytes?: number;
}

/** Called for each request of a listener; numbers and text are of this one until it returns. */
export type Serve = (response: ClientResponse, client: FrontConnection) => void;

/** One for all requests, because their handlers run one after the other: it holds the one that came last. */
export class Front {
	/** `frontLayout` says which is what */
	readonly numbers = new Float64Array(AT_NUMBERS);
	text = "";
	readonly #address = new Uint8Array(AT_ADDRESS_BYTES_MAX);
	readonly #body = new Uint8Array(LIMITS.bodyPieceBytes);
	readonly #turns: Uint8Array;
	readonly #connections: FrontConnection[] = [];
	readonly #listeners: Serve[] = [];
	#silent: Counter | undefined;
	#unread: Counter | undefined;
	#counted: FrontCounts = { silent: 0, unread: 0 };
	#ticks = 0;
	readonly #goOnSoon = (): void => {
		setImmediate(Front.#goOn);
	};

	/** The addon has one. */
	static #opened: Front | undefined;
	static readonly #goOn = (): void => addon.runFront();

	private constructor(connections: number) {
		this.#turns = new Uint8Array(connections);
	}

	/** @returns the same one each time; undefined where this build of the library, or this Node, has no way to it */
	static open(file = libraryFile()): Front | undefined {
		if (Front.#opened !== undefined || file === undefined) return Front.#opened;
		const { clients, management } = descriptorShares();
		// A few more than there may be, as a connection is refused after it was opened.
		const front = new Front(Math.max(clients, management) + LIMITS.frontSpareConnections);
		if (!front.#open(file)) return undefined;
		setInterval(() => front.#tick(), LIMITS.frontTickMs).unref();
		Front.#opened = front;
		return front;
	}

	#open(file: string): boolean {
		const memory = {
			turns: this.#turns,
			numbers: this.numbers,
			address: this.#address,
			body: this.#body,
		};
		return addon.openFront(file, memory, {
			requested: (text) => this.#requested(text),
			received: (slot, size, isLast) => this.#received(slot, size, isLast),
			writable: (slot) => this.#connections[slot]?.response?.writable(),
			gone: (slot) => this.#connections[slot]?.response?.gone(),
		});
	}

	/**
	 * To be called at once when the listener listens, before its first connection.
	 * @returns false if the library's handlers can't be learnt: then it serves alone
	 */
	hook(token: us_listen_socket, tls: boolean, settings: FrontSettings, serve: Serve): boolean {
		const bounds = {
			headBytes: settings.requestHeaderBytes,
			targetBytes: settings.requestHeaderBytes - LIMITS.besideTargetBytes,
			lines: LIMITS.requestHeaderLines,
			headerMs: settings.requestHeaderMs,
			idleMs: settings.idleMs,
			lingerMs: LIMITS.lingerMs,
			waitingBytes: LIMITS.pipelinedBytes,
			lingerBytes: settings.lingerBytes ?? LIMITS.lingerBytes,
		};
		const number = addon.hookFront(token, tls, settings.proxyProtocol === true, bounds);
		if (number < 0) return false;
		this.#listeners[number] = serve;
		return true;
	}

	/** Hot. */
	#requested(text: string): void {
		this.text = text;
		const numbers = this.numbers;
		const slot = numbers[AT_SLOT] ?? 0;
		const flags = numbers[AT_FLAGS] ?? 0;
		const hasBody = numbers[AT_BODY_LENGTH] !== 0;
		const serve = this.#listeners[numbers[AT_LISTENER] ?? 0];
		if (serve === undefined) throw new Error("a request of a listener that nobody knows");
		let connection = this.#connections[slot];
		if (connection === undefined || (flags & AT_FRESH) !== 0) {
			connection = this.#meet(slot, flags);
		}
		connection.flags = flags;
		const response = new FrontResponse(connection);
		connection.response = response;
		serve(response, connection);
		if (!hasBody && connection.response === response) response.received(EMPTY, true);
	}

	#received(slot: number, size: number, isLast: boolean): void {
		const chunk = size === 0 ? EMPTY : this.#body.subarray(0, size);
		this.#connections[slot]?.response?.received(chunk, isLast);
	}

	/** Clients that have connected, and whose request is still on its way. */
	get beginning(): number {
		return addon.beginningClients();
	}

	/** Counts connections that were closed because their client sent nothing, or did not read its answer, in time. */
	countInto(silent: Counter, unread: Counter): void {
		this.#silent = silent;
		this.#unread = unread;
	}

	#tick(): void {
		addon.tickFront();
		tickTunnels();
		this.#ticks = (this.#ticks + 1) % TICKS_PER_COUNT;
		if (this.#ticks > 0) return;
		const counts = addon.frontCounts();
		const { silent, unread } = this.#counted;
		this.#counted = counts;
		if (this.#silent !== undefined) this.#silent.value += counts.silent - silent;
		if (this.#unread !== undefined) this.#unread.value += counts.unread - unread;
	}

	#meet(slot: number, flags: number): FrontConnection {
		const numbers = this.numbers;
		const handle = numbers[AT_HANDLE] ?? 0;
		const connection = new FrontConnection(
			{
				handle,
				slot,
				address: addressIn(this.#address, numbers[AT_ADDRESS_BYTES] ?? 0),
				port: (flags & AT_PROXIED) === 0 ? 0 : (numbers[AT_PORT] ?? 0),
				startMs: numbers[AT_OPENED_MS] ?? 0,
				tls: (flags & AT_SECURE) === 0 ? "" : addon.takeTlsClient(handle),
			},
			this.#turns,
			this.#goOnSoon,
		);
		this.#connections[slot] = connection;
		return connection;
	}
}
