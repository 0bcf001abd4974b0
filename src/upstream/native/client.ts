/**
 * The native upstream client (native/src/upstream/), which all backends of one thread share: the memory of its
 * batches, the objects behind its numbers of calls and backends, and the one function that reads a batch. A thread
 * has one client, made for the thread's first backend. Used by `native-upstream.ts`.
 */
import { randomInt } from "node:crypto";
import { LIMITS } from "../../limits/limits.ts";
import { addon, type UpstreamAddon, type UpstreamBackendOptions } from "../../native-addon.ts";
import type { TunnelsAddon } from "../../native-addon-tunnels.ts";
import type { BackendAddress } from "../names/backend-addresses.ts";
import { isLatin1, requestFlags } from "../request-flags.ts";
import type { ResponseSink, UpstreamFailure, UpstreamRequest } from "../upstream.ts";
import { NativeCall } from "./call.ts";
import { KIND, RECORD_BYTES, Records } from "./records.ts";

const { upgrade: UPGRADE, expects: EXPECTS } = addon.upstreamLayout.requestFlag;
const upgradeLines = (lines: string, upgrade: string): string =>
	`${lines}connection: upgrade\r\nupgrade: ${upgrade}\r\n`;

const EXPECTATION = "expect: 100-continue\r\n";

/** Beside a call's number, in what `send` returns: the body may begin. */
const { bodyWanted: BODY_WANTED } = addon.upstreamLayout;
const SEED_BELOW = 2 ** 48 - 1;
/**
 * The shared memory: events of one batch, and bytes that it may point to. A read of a socket takes up to 128 KiB,
 * so a turn of the event loop that reads more has several batches.
 */
const RECORDS = 4096;
const ARENA_BYTES = 1_048_576;

type ClientAddon = UpstreamAddon & Pick<TunnelsAddon, "abortUpgraded">;

/** Hears what the client tells of a backend, not of one of its calls. */
export interface BackendListener {
	/** @param address number of an address, or -1 */
	attemptFailed(failure: UpstreamFailure, address: number, message: string): void;
	retried(): void;
	/** No connection of the backend is open any more; another backend may get its number. */
	closed(): void;
}

export class NativeClient {
	readonly #addon: ClientAddon;
	readonly #records: Records;
	/** by number; a call that is over stays until its number is used again */
	readonly #calls: (NativeCall | undefined)[] = [];
	readonly #backends: (BackendListener | undefined)[] = [];

	constructor(upstreamAddon: ClientAddon) {
		const records = new ArrayBuffer(RECORDS * RECORD_BYTES);
		const arena = new ArrayBuffer(ARENA_BYTES);
		this.#addon = upstreamAddon;
		this.#records = new Records(records, arena);
		upstreamAddon.createClient(records, arena, (count) => this.#readBatch(count), {
			headBytes: LIMITS.responseHeaderBytes,
			headerLines: LIMITS.responseHeaderLines,
			interimResponses: LIMITS.responseInterims,
			idleMs: LIMITS.upstreamIdleMs,
			idleHintedMs: LIMITS.upstreamIdleHintedMs,
			idleMarginMs: LIMITS.upstreamIdleMarginMs,
			reuseMs: LIMITS.upstreamReuseMs,
			bodyBufferBytes: LIMITS.upstreamBodyBufferBytes,
			setAsideFirstMs: LIMITS.upstreamSetAsideFirstMs,
			setAsideLastMs: LIMITS.upstreamSetAsideLastMs,
			pipeliningMax: LIMITS.upstreamPipeliningMax,
			seed: randomInt(SEED_BELOW),
		});
	}

	/** @returns its number */
	openBackend(options: UpstreamBackendOptions, listener: BackendListener): number {
		const backend = this.#addon.openBackend(options);
		this.#backends[backend] = listener;
		return backend;
	}

	setAddresses(backend: number, addresses: readonly BackendAddress[]): void {
		this.#addon.setAddresses(backend, addresses);
	}

	/** While the backend has no addresses: requests that wait fail, and so do later ones. */
	failWaiting(backend: number, message: string): void {
		this.#addon.failWaiting(backend, message);
	}

	/** `BackendListener.closed` follows. */
	closeBackend(backend: number): void {
		this.#addon.closeBackend(backend);
	}

	bodyBytes(backend: number): number {
		return this.#addon.bodyBytes(backend);
	}
	pressed(backend: number): number {
		return this.#addon.pressed(backend);
	}
	occupancy(backend: number): number {
		return this.#addon.occupancy(backend);
	}
	takeStates(backend: number): readonly number[] {
		return this.#addon.takeStates(backend);
	}

	/** Hot. */
	send(backend: number, request: UpstreamRequest, sink: ResponseSink): NativeCall {
		const { method, target, lines, body, upgrade } = request;
		const call = new NativeCall(this.#addon, sink, request);
		let flags = requestFlags(method);
		let { more } = request;
		if (upgrade !== undefined) {
			flags |= UPGRADE;
			more = upgradeLines(more, upgrade);
		} else if (request.expects !== undefined) {
			flags |= EXPECTS;
			more += EXPECTATION;
		}
		const sent =
			isLatin1(target) && isLatin1(lines) && isLatin1(more) && isLatin1(method)
				? this.#addon.send(backend, method, target, lines, more, flags, body?.length ?? 0)
				: -1;
		if (sent < 0) {
			call.failLater("broken", "the request can't be written as HTTP/1.1");
			return call;
		}
		const number = sent & (BODY_WANTED - 1);
		this.#calls[number] = call;
		call.begin(number, sent >= BODY_WANTED);
		return call;
	}

	/** Hot. What a sink throws is an uncaught exception, and costs the others of the batch nothing. */
	#readBatch(count: number): void {
		const records = this.#records;
		for (let at = 0; at < count; at += 1) {
			try {
				this.#readRecord(records, at);
			} catch (error) {
				const kind = records.kind(at);
				if (kind <= KIND.drained || kind === KIND.continue) this.#calls[records.call(at)]?.abort();
				queueMicrotask(() => {
					throw error;
				});
			}
		}
		records.batch += 1;
	}

	#readRecord(records: Records, at: number): void {
		switch (records.kind(at)) {
			case KIND.whole:
				this.#calls[records.call(at)]?.whole(records, at);
				break;
			case KIND.response:
				this.#calls[records.call(at)]?.response(records, at);
				break;
			case KIND.data:
				this.#calls[records.call(at)]?.data(records, at);
				break;
			case KIND.end:
				this.#calls[records.call(at)]?.end();
				break;
			case KIND.failed:
				this.#calls[records.call(at)]?.failed(records, at);
				break;
			case KIND.bodyWanted:
				this.#calls[records.call(at)]?.bodyWanted();
				break;
			case KIND.drained:
				this.#calls[records.call(at)]?.bodyDrained();
				break;
			case KIND.attemptFailed:
				this.#backends[records.backend(at)]?.attemptFailed(
					records.failure(at),
					records.address(at),
					records.text(at),
				);
				break;
			case KIND.retry:
				this.#backends[records.backend(at)]?.retried();
				break;
			case KIND.continue:
				this.#calls[records.call(at)]?.bodyContinues();
				break;
			case KIND.upgraded:
				this.#calls[records.call(at)]?.upgraded(records, at);
				break;
			case KIND.backendClosed: {
				const backend = records.call(at);
				const listener = this.#backends[backend];
				this.#backends[backend] = undefined;
				listener?.closed();
				break;
			}
		}
	}
}

let shared: NativeClient | undefined;

/** This thread's client. */
export const nativeClient = (): NativeClient => {
	shared ??= new NativeClient(addon);
	return shared;
};
