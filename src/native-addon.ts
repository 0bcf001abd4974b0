/**
 * Loads the native addon, and says which functions it has; the one file that does. JS validates what it
 * passes, C++ (native/src/binding/) only guards its memory: every function throws `TypeError` for a handle
 * that is not open. Their typed faces are limiter/binding.ts, upstream/native/client.ts and, for the rules of
 * the upstream client, upstream/undici/address-ring.ts and upstream/undici/retry.ts.
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { UpstreamRulesAddon } from "./native-addon-upstream-rules.ts";

/** The counters of rate-limits; handles are numbers. */
export interface CountersAddon {
	openCounters(path: string, owner: boolean, bytesMax: number, ...clock: number[]): number;
	closeCounters(counters: number): void;
	setClock(counters: number, bootMs: number): void;
	/** @returns -1 if there is no room for another limiter */
	openLimiter(
		counters: number,
		identity: string,
		capacity: number,
		windowMs: number,
		keysMax: number,
	): number;
	closeLimiter(limiter: number): void;
	/** @param parts at most 10 @returns 0, or the milliseconds to wait */
	admit(limiter: number, ...parts: readonly (string | readonly string[] | undefined)[]): number;
	touch(counters: number, part: number, parts: number): void;
	collect(counters: number, cells: number): boolean;
	statistics(counters: number, out: Float64Array): void;
	growthError(counters: number): number;
}

/**
 * The upstream client, one for each thread. Backends and calls are numbers; a call's is ignored once it is over,
 * refused if there never was one. What becomes of calls is told in batches (upstream/native/records.ts).
 */
export interface UpstreamAddon {
	/**
	 * @param records at least 64 KiB @param arena at least 512 KiB; both are the addon's from now on, to be read
	 *   only within `onBatch`, and never to be transferred
	 * @param onBatch called with the number of records; what it throws is an uncaught exception
	 * @param numbers header bytes, header lines, idle ms, hinted idle ms, reuse ms, body bytes, random seed
	 */
	createClient(
		records: ArrayBuffer,
		arena: ArrayBuffer,
		onBatch: (count: number) => void,
		...numbers: readonly number[]
	): void;
	/** @param numbers connect, response and idle timeout (ms), connections, queue, pipelining */
	openBackend(...numbers: readonly number[]): number;
	/** @param addresses a line `id ip port` for each, with LF between them */
	setAddresses(backend: number, addresses: string): void;
	failWaiting(backend: number, reason: string): void;
	closeBackend(backend: number): void;
	/**
	 * @param target @param lines latin1 strings: no character above 255, which would turn into another byte
	 * @param flags 1: HEAD, 2: idempotent, 4: a missing body is said
	 * @param bodyLength bytes, 0: none, -1: chunked
	 * @returns the call, plus 2^30 if the body may begin at once; -1 if method or target can't be sent
	 */
	send(
		backend: number,
		method: string,
		target: string,
		lines: string,
		flags: number,
		bodyLength: number,
	): number;
	/** @returns false to wait for a record of kind drained, or because the call takes no more */
	write(call: number, bytes: Uint8Array): boolean;
	finish(call: number): void;
	pause(call: number): void;
	resume(call: number): void;
	abort(call: number): void;
	/** bytes of memory that the request bodies of a backend have */
	bodyBytes(backend: number): number;
	/** calls that wait while every place for a connection is taken */
	pressed(backend: number): number;
	/** what is taken or waited for, of all places */
	occupancy(backend: number): number;
	openConnections(): number;
}

/** Reads requests out of the memory of known builds of the server library (edge/request/request-view.ts). */
export interface RequestAddon {
	/** @param numbers four, of the request viewed last @returns false if this Node has no way to the memory */
	openRequestView(numbers: Float64Array): boolean;
	/** @param request the library's, within its handler @returns its lines; undefined if it isn't plain */
	viewRequest(request: object): string | undefined;
	hidesLines(request: object): boolean;
	/** @param response the library's @returns an IPv4 address, or undefined */
	peerOf(response: object): number | undefined;
	boundReads(response: object): void;
	/** @returns bytes that the client has acknowledged since it connected; -1: not known */
	acknowledgedBytes(response: object): number;
	/** @returns bytes left to be read of a client that will send no more; -1: it may, or nobody knows */
	bytesBeforeEnd(response: object): number;
}

/** Session ticket keys of the server library's TLS listeners (edge/tickets/). A context is a number. */
export interface TicketsAddon {
	/** @param token what `listen` handed over @returns -1 if this library has no way to it */
	openTicketContext(file: string, token: object): number;
	/**
	 * @param from the first place to look at @param name 16 bytes @param copy 56 bytes, written to
	 * @returns the next place of something with this name, which may be no key; or -1
	 */
	findTicketKey(context: number, from: number, name: Uint8Array, copy: Uint8Array): number;
	/** @param key 56 bytes @returns false where no key was found or taken */
	writeTicketKey(context: number, word: number, key: Uint8Array): boolean;
	/** Moves a found key. @returns false, and nothing is done, if there is none or its place here is taken */
	takeTicketKey(context: number, from: number, word: number): boolean;
}

/** Memory that a file is mapped into, so that a file cut short is no SIGBUS (store/lmdb/mapping-guard.ts). */
export interface MappingGuardAddon {
	/**
	 * @param begin @param end addresses of whole pages, mapped until `unguardMapping`
	 * @param headBytes what is kept of the beginning @returns -1 if it can't be guarded
	 */
	guardMapping(begin: number, end: number, writable: boolean, headBytes: number): number;
	unguardMapping(guard: number): void;
	/** @returns how often something was missing, in this process */
	mappingFaults(): number;
}

/** Descriptors of this process (descriptors.ts). */
export interface DescriptorsAddon {
	/** the soft limit; 2^31 - 1 if there is none */
	descriptorLimit(): number;
	/** what the next file or socket would get; -1 if none is left */
	lowestFreeDescriptor(): number;
	/** connections to plain HTTP backends get no descriptor from this one on */
	limitUpstreamDescriptors(end: number): void;
}

/** PROXY protocol on listeners of the server library (edge/request/proxy-frames.ts). A listener is a number. */
export interface FrontAddon {
	/**
	 * To be called before the listener's first connection.
	 * @param token what `listen` handed over @param peer 18 bytes, of the last `proxiedPeer`: an address and a port
	 * @returns -1 if this library has no way to it
	 */
	hookProxyFrames(file: string, token: object, peer: Uint8Array): number;
	/**
	 * Of the connection whose request's handler runs: writes `peer`.
	 * @returns bytes of its address; 0: the peer itself; -1: no handler runs
	 */
	proxiedPeer(): number;
	/** connections closed because of their frame so far */
	refusedFrames(listener: number): number;
	/** @returns address and reason */
	lastRefusal(listener: number): string;
}

export type NativeAddon = CountersAddon &
	DescriptorsAddon &
	UpstreamAddon &
	UpstreamRulesAddon &
	RequestAddon &
	TicketsAddon &
	MappingGuardAddon &
	FrontAddon;

/** Thrown at start-up where the addon is not built or not built for this machine. */
export class AddonError extends Error {
	readonly code = "ERR_ADDON_UNAVAILABLE";
	override readonly name = "AddonError";
}

/** Loads an addon file. Exported for tests; everybody else uses `addon`. */
export function loadAddon(file: string): NativeAddon {
	try {
		return createRequire(import.meta.url)(file);
	} catch (error) {
		const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
		throw new AddonError(
			`the native addon cannot be loaded; run \`npm install\` in weir's directory (${reason})`,
			{ cause: error },
		);
	}
}

/** Up from this file to package.json: the same from src and from dist. */
function projectRoot(): string {
	let directory = import.meta.dirname;
	while (!existsSync(join(directory, "package.json")) && dirname(directory) !== directory) {
		directory = dirname(directory);
	}
	return directory;
}

export const addon = loadAddon(join(projectRoot(), "build", "weir.node"));
