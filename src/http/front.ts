/**
 * The front of this process: the addon reads what clients send before the server library does, and hands on one good
 * request of a connection at a time (native/README.md, "The front"). Used by `edge/server.ts` for each listener.
 */
import { descriptorShares } from "../descriptors.ts";
import { LIMITS } from "../limits/limits.ts";
import { addon } from "../native-addon.ts";
import type { FrontCounts } from "../native-addon-front.ts";
import type { Counter } from "../telemetry/metrics.ts";
import { FrontConnection } from "./front-connection.ts";
import { addressIn } from "./peer-address.ts";
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
	proxied: AT_PROXIED,
	port: AT_PORT,
	openedMs: AT_OPENED_MS,
} = addon.frontLayout;
const TICKS_PER_COUNT = 10;

/** What differs between listeners. */
export interface FrontSettings {
	readonly requestHeaderMs: number;
	readonly idleMs: number;
	readonly requestHeaderBytes: number;
}

/** One for all requests, because their handlers run one after the other: it holds the one that was taken last. */
export class Front {
	/** `frontLayout` says which is what */
	readonly numbers = new Float64Array(AT_NUMBERS);
	text = "";
	readonly #address = new Uint8Array(AT_ADDRESS_BYTES_MAX);
	readonly #turns: Uint8Array;
	readonly #connections: FrontConnection[] = [];
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
		if (!addon.openFront(file, front.#turns, front.numbers, front.#address)) return undefined;
		setInterval(() => front.#tick(), LIMITS.frontTickMs).unref();
		Front.#opened = front;
		return front;
	}

	/**
	 * To be called at once when the listener listens, before its first connection.
	 * @returns false if the library's handlers can't be learnt: then it serves alone
	 */
	hook(token: us_listen_socket, tls: boolean, settings: FrontSettings): boolean {
		return addon.hookFront(token, tls, {
			headBytes: settings.requestHeaderBytes,
			targetBytes: settings.requestHeaderBytes - LIMITS.besideTargetBytes,
			lines: LIMITS.requestHeaderLines,
			headerMs: settings.requestHeaderMs,
			idleMs: settings.idleMs,
			lingerMs: LIMITS.lingerMs,
			waitingBytes: LIMITS.pipelinedBytes,
			lingerBytes: LIMITS.lingerBytes,
		});
	}

	/** Hot. To be called in a request's handler, once. */
	take(): FrontConnection {
		const text = addon.takeRequest();
		if (text === undefined) throw new Error("no request is being handed on");
		this.text = text;
		const numbers = this.numbers;
		const slot = numbers[AT_SLOT] ?? 0;
		const flags = numbers[AT_FLAGS] ?? 0;
		let connection = this.#connections[slot];
		if (connection === undefined || (flags & AT_FRESH) !== 0) connection = this.#meet(slot, flags);
		connection.flags = flags;
		return connection;
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
		const connection = new FrontConnection(
			{
				handle: numbers[AT_HANDLE] ?? 0,
				slot,
				address: addressIn(this.#address, numbers[AT_ADDRESS_BYTES] ?? 0),
				port: (flags & AT_PROXIED) === 0 ? 0 : (numbers[AT_PORT] ?? 0),
				startMs: numbers[AT_OPENED_MS] ?? 0,
			},
			this.#turns,
			this.#goOnSoon,
		);
		this.#connections[slot] = connection;
		return connection;
	}
}
