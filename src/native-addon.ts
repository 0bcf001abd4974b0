/**
 * Loads the native addon, and says which functions it has; the one file that does. JS validates what it
 * passes, C++ (native/src/binding/) only guards its memory: every function throws `TypeError` for a handle
 * that is not open or a value of another type, and an `Error` with a `code` for what may go wrong without a
 * mistake. Bounds cross from here to C++, with the functions that open things; the layout of memory that both
 * sides read crosses from C++ to here, as numbers beside the functions (`AddonLayouts`). Typed faces of the
 * functions are limiter/binding.ts, upstream/native/client.ts and, for the rules of the upstream client,
 * upstream/undici/address-ring.ts and upstream/undici/retry.ts.
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { FrontAddon, FrontLayout } from "./native-addon-front.ts";
import type {
	DatagramsAddon,
	DescriptorsAddon,
	ListeningAddon,
	PeerAddon,
	ProxyFramesAddon,
} from "./native-addon-sockets.ts";
import type { StandingAddon } from "./native-addon-standing.ts";
import type { TunnelsAddon } from "./native-addon-tunnels.ts";
import type { UpstreamAddon, UpstreamLayout } from "./native-addon-upstream.ts";
import type { UpstreamRulesAddon } from "./native-addon-upstream-rules.ts";

export type {
	UpstreamAddon,
	UpstreamBackendOptions,
} from "./native-addon-upstream.ts";

/** What limiters may be opened with, and how many parts their keys may have. */
export interface LimiterBounds {
	readonly capacityMax: number;
	readonly windowMaxMs: number;
	readonly keysMax: number;
	readonly keyPartsMax: number;
}

/** For tests: milliseconds on a boot clock that stands still, on the wall clock, and which boot it is. */
export interface ManualClock {
	readonly bootMs: number;
	readonly wallMs: number;
	readonly boot: number;
}

export interface CountersStatistics {
	/** rate-limits that are open, or released and not yet collected */
	readonly limiters: number;
	/** keys kept over all of them */
	readonly live: number;
	/** keys forgotten before they expired, since the file was made */
	readonly evicted: number;
	/** newcomers turned away because all neighbours were limited, since the file was made */
	readonly full: number;
	/** of the file, or of the memory in its place */
	readonly bytes: number;
}

/** Of one limiter: keys that it keeps, requests by how they were decided. */
export interface LimiterTotals {
	readonly live: number;
	readonly admitted: number;
	readonly rejected: number;
}

/** The counters of rate-limits; handles are numbers. */
export interface CountersAddon {
	/** @throws Error whose code is one of `CountersErrorCode` (limiter/binding.ts) */
	openCounters(
		path: string,
		owner: boolean,
		bytesMax: number,
		bounds: LimiterBounds,
		clock?: ManualClock,
	): number;
	closeCounters(counters: number): void;
	setClock(counters: number, bootMs: number): void;
	/** @returns -1 if there is no room for another limiter, or none of this identity and it is not to be made */
	openLimiter(
		counters: number,
		identity: string,
		capacity: number,
		windowMs: number,
		keysMax: number,
		costMax?: number,
		make?: boolean,
	): number;
	closeLimiter(limiter: number): void;
	/** @param parts at most `keyPartsMax` @returns 0, or the milliseconds to wait */
	admit(limiter: number, ...parts: readonly (string | readonly string[] | undefined)[]): number;
	/**
	 * As `admit`, for `cost` admissions at once. Fills in `decision`.
	 * @param purpose one of `decisionPurposes` @param cost from 1 to what the limiter was opened with
	 */
	decide(
		limiter: number,
		purpose: number,
		cost: number,
		...parts: readonly (string | readonly string[] | undefined)[]
	): number;
	/** @returns whether the key had used anything */
	forgetKey(
		limiter: number,
		...parts: readonly (string | readonly string[] | undefined)[]
	): boolean;
	/** Adds what was decided in this environment to what all have decided. */
	reportLimiters(counters: number): void;
	limiterTotals(limiter: number): LimiterTotals;
	touch(counters: number, part: number, parts: number): void;
	collect(counters: number, cells: number): boolean;
	statistics(counters: number): CountersStatistics;
	growthError(counters: number): number;
}

/** Session ticket keys of the server library's TLS listeners (edge/tickets/). A context is a number. */
export interface TicketsAddon {
	/** @param token what `listen` handed over @returns -1 if this library has no way to it */
	openTicketContext(file: string, token: object): number;
	/**
	 * @param from the first place to look at @param name @param copy written to; both of the length that
	 *   `ticketKeyLayout` says
	 * @returns the next place of something with this name, which may be no key; or -1
	 */
	findTicketKey(context: number, from: number, name: Uint8Array, copy: Uint8Array): number;
	/** @param key as many bytes as `ticketKeyLayout` says @returns false where no key was found or taken */
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

/** The time of what was just called (telemetry/request-clock.ts); a call of its own for it is needed where none comes before. */
export interface TicksAddon {
	/** one double: the ticks that the functions of the hot path note */
	readonly ticks: ArrayBuffer;
	noteTicks(): void;
	/** Exact to a millionth once the addon has been there for a tenth of a second. */
	nanosecondsPerTick(): number;
}

/** Garbage collections of this thread (telemetry/collections.ts). */
export interface CollectionsAddon {
	/**
	 * Counts them from the first call on.
	 * @returns doubles: pairs of how many and of nanoseconds, by the bit of their kind, as the constants of `perf_hooks` have
	 *   it; the same each time; undefined where this Node has no way to them
	 */
	countCollections(): ArrayBuffer | undefined;
}

/** Space on the disk, taken before it is written to (store/lmdb/disk-room.ts). */
export interface DiskSpaceAddon {
	/**
	 * Takes space for the first bytes of a file, whose content stays; an empty one is marked to be written in place.
	 * @param descriptor open for writing @param extended whether the file is made so long
	 * @returns 0 or the number of the system's error: EOPNOTSUPP where the file system does not do this
	 */
	allocateSpace(descriptor: number, bytes: number, extended: boolean): number;
}

/** Where this process's memory lies (process/gathered-memory.ts). */
export interface AddressRoomAddon {
	/** @returns bytes of addresses, not of memory, that were taken */
	takeDrawnAddresses(): number;
}

/** What C++ tells of itself, so that no number of it stands here a second time. */
export interface AddonLayouts {
	/** 32-bit numbers that a decision leaves, by the places in `decisionLayout` */
	readonly decision: ArrayBuffer;
	readonly decisionLayout: { readonly remaining: number; readonly freesMs: number };
	readonly decisionPurposes: Readonly<Record<"charge" | "ask" | "force" | "look" | "try", number>>;
	readonly upstreamLayout: UpstreamLayout;
	readonly frontLayout: FrontLayout;
	readonly ticketKeyLayout: { readonly nameBytes: number; readonly keyBytes: number };
	/** an address of up to `portAt` bytes, then a port in network order */
	readonly proxiedPeerLayout: { readonly portAt: number; readonly bytes: number };
	/** milliseconds for which a limiter may count after it was touched; a test holds `LIMITS.limiterTouchMs` to it */
	readonly limiterLeaseMs: number;
}

export type NativeAddon = AddonLayouts &
	AddressRoomAddon &
	CollectionsAddon &
	CountersAddon &
	DatagramsAddon &
	DescriptorsAddon &
	DiskSpaceAddon &
	UpstreamAddon &
	UpstreamRulesAddon &
	FrontAddon &
	StandingAddon &
	TicketsAddon &
	TunnelsAddon &
	ListeningAddon &
	MappingGuardAddon &
	PeerAddon &
	ProxyFramesAddon &
	TicksAddon;

/** Thrown at start-up where the addon is not built or not built for this machine. */
export class AddonError extends Error {
	readonly code = "ERR_ADDON_UNAVAILABLE";
	override readonly name = "AddonError";
}

/** An object of so many properties that were set one by one is a dictionary to V8, which is slow to read; its copy is none. */
const copies = new WeakMap<NativeAddon, NativeAddon>();

/** Loads an addon file. Exported for tests; everybody else uses `addon`. */
export function loadAddon(file: string): NativeAddon {
	try {
		const loaded: NativeAddon = createRequire(import.meta.url)(file);
		let copy = copies.get(loaded);
		if (copy === undefined) {
			copy = { ...loaded };
			copies.set(loaded, copy);
		}
		return copy;
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
