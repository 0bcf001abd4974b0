/**
 * Which slow clients have to go (contract 6: a slow body or reader holds no scarce place). A client here is the
 * sender of a body (`request/client-body.ts`) or the reader of a response (`slow-reader.ts`) that the edge waits for.
 * `idle-timeouts.ts` calls this every quarter of a second. A request that is over before that costs nothing here.
 *
 * A client's lag behind a rate is the time for which the edge waited for it alone, less the time that its bytes take
 * at that rate. It is never less than 0, so a burst earns no credit. Time in which the backend, a policy or back
 * pressure is waited for does not count, nor time in which this worker stood still. A client goes
 *
 * - when it lags behind the least rate (`slow_clients` of the configuration) by more than the grace;
 * - when more than so many clients of one address (of IPv6 a /64, which one client may have as a whole) lag behind
 *   the least rate at the same time, the slowest first. Quick requests don't count, for thousands of them may come
 *   from one address;
 * - when requests wait for the place at a backend that it holds, and it lags a second behind 16 KiB/s, the slowest
 *   first and as many as wait. The longer the queue, the shorter that second, down to a quarter, so that the waiting
 *   requests get a place in time;
 * - when unread responses take more memory than they may, and it lags a second behind 16 KiB/s, the slowest first.
 *
 * A client whose backend is waited for never goes.
 */

import { LIMITS } from "../../limits/limits.ts";
import { clientKey } from "../../threads/client-key.ts";
import type { Upstream } from "../../upstream/upstream.ts";

export type Direction = "upload" | "download";
export type SlowReason = "idle" | "rate" | "address" | "place" | "memory";

/** How far a client lags. The client keeps it, and `SlowClients` writes it. */
export class Pace {
	/** milliseconds behind the least rate, and behind the rate for clients whose place others wait for */
	lagMs = 0;
	placeLagMs = 0;
	/** on the clock of `SlowClients`, and bytes by then */
	lookedAtMs = Number.NEGATIVE_INFINITY;
	bytes: number;

	constructor(bytes: number) {
		this.bytes = bytes;
	}
}

export interface SlowClient {
	readonly direction: Direction;
	/** `performance.now()` since when the client alone is waited for; Infinity: something else is waited for */
	readonly waitedSinceMs: number;
	/** bytes of its body or of the response, counted from any point */
	readonly movedBytes: number;
	/** it has to keep the least rate */
	readonly rated: boolean;
	readonly pace: Pace;
	/** the upstream whose place it holds */
	readonly upstream: Upstream | undefined;
	/** bytes of a response in memory */
	readonly heldBytes: number;
	/** empty: not known */
	readonly address: string;
	/** Ends its request: 408, or a reset. */
	drop(reason: SlowReason): void;
}

export interface SlowClientRules {
	readonly graceMs: number;
	/** 0: any rate will do */
	readonly minUploadBytesPerSecond: number;
	readonly minDownloadBytesPerSecond: number;
	/** 0: any number */
	readonly perAddress: number;
	readonly responseMemoryBytes: number;
}

/** Every look checks clients whose place others wait for. One look in so many checks all clients. */
const LOOKS_PER_ROUND = 4;
/** If more time than this passes between two looks, this worker stood still, and the rest does not count. */
const LOOK_MOST_MS = 2 * LIMITS.slowLookMs;

const lagAfter = (lagMs: number, elapsedMs: number, bytes: number, rate: number): number =>
	rate === 0 ? 0 : Math.max(0, lagMs + elapsedMs - (bytes * 1000) / rate);

const slowestFirst = (one: SlowClient, other: SlowClient): number =>
	other.pace.placeLagMs - one.pace.placeLagMs;

export class SlowClients {
	readonly #rules: SlowClientRules;
	/** milliseconds in which this worker ran, and when they were counted */
	#clockMs = 0;
	#lookedAtMs = Number.NEGATIVE_INFINITY;
	#looks = 0;

	constructor(rules: SlowClientRules) {
		this.#rules = rules;
	}

	/** To be called every `LIMITS.slowLookMs`. @param nowMs `performance.now()` */
	look(clients: Iterable<SlowClient>, nowMs: number): void {
		this.#clockMs += Math.min(nowMs - this.#lookedAtMs, LOOK_MOST_MS);
		this.#lookedAtMs = nowMs;
		const everybody = this.#looks++ % LOOKS_PER_ROUND === 0;
		const pressed = new Map<Upstream, number>();
		const waitedFor: SlowClient[] = [];
		for (const client of clients) {
			if (client.waitedSinceMs === Number.POSITIVE_INFINITY) continue;
			if (!everybody && this.#pressure(client, pressed) === 0) continue;
			this.#measure(client, nowMs);
			waitedFor.push(client);
		}
		const gone = new Set<SlowClient>();
		if (everybody) {
			this.#dropBelowRate(waitedFor, gone);
			this.#dropOfAddresses(waitedFor, gone);
			this.#dropForMemory(waitedFor, gone);
		}
		this.#dropForPlaces(waitedFor, gone, pressed);
	}

	#pressure({ upstream }: SlowClient, pressed: Map<Upstream, number>): number {
		if (upstream === undefined) return 0;
		let waiting = pressed.get(upstream);
		if (waiting === undefined) {
			waiting = upstream.pressed;
			pressed.set(upstream, waiting);
		}
		return waiting;
	}

	#measure(client: SlowClient, nowMs: number): void {
		const { pace, movedBytes } = client;
		const sinceLook = this.#clockMs - pace.lookedAtMs;
		const elapsedMs = Math.min(
			sinceLook,
			nowMs - client.waitedSinceMs,
			LOOK_MOST_MS * LOOKS_PER_ROUND,
		);
		const bytes = Math.max(0, movedBytes - pace.bytes);
		const { minUploadBytesPerSecond, minDownloadBytesPerSecond } = this.#rules;
		const rate =
			client.direction === "upload" ? minUploadBytesPerSecond : minDownloadBytesPerSecond;
		pace.lagMs = client.rated ? lagAfter(pace.lagMs, elapsedMs, bytes, rate) : 0;
		pace.placeLagMs = lagAfter(pace.placeLagMs, elapsedMs, bytes, LIMITS.slowPlaceBytesPerSecond);
		pace.lookedAtMs = this.#clockMs;
		pace.bytes = movedBytes;
	}

	#dropBelowRate(clients: readonly SlowClient[], gone: Set<SlowClient>): void {
		for (const client of clients) {
			if (client.pace.lagMs > this.#rules.graceMs) drop(client, "rate", gone);
		}
	}

	#dropOfAddresses(clients: readonly SlowClient[], gone: Set<SlowClient>): void {
		const most = this.#rules.perAddress;
		if (most === 0 || clients.length <= most) return;
		const slow = new Map<string, SlowClient[]>();
		for (const client of clients) {
			if (client.pace.lagMs < LIMITS.slowAddressMs || gone.has(client)) continue;
			const address = clientKey(client.address);
			const ofAddress = slow.get(address);
			if (ofAddress === undefined) slow.set(address, [client]);
			else ofAddress.push(client);
		}
		for (const ofAddress of slow.values()) {
			if (ofAddress.length <= most) continue;
			ofAddress.sort((one, other) => other.pace.lagMs - one.pace.lagMs);
			for (const client of ofAddress.slice(0, ofAddress.length - most)) {
				drop(client, "address", gone);
			}
		}
	}

	#dropForMemory(clients: readonly SlowClient[], gone: Set<SlowClient>): void {
		const most = this.#rules.responseMemoryBytes;
		let held = 0;
		for (const client of clients) held += client.heldBytes;
		if (held <= most) return;
		for (const client of clients.toSorted(slowestFirst)) {
			if (held <= most || client.pace.placeLagMs < LIMITS.slowPlaceMs) return;
			if (client.heldBytes === 0 || gone.has(client)) continue;
			held -= client.heldBytes;
			drop(client, "memory", gone);
		}
	}

	#dropForPlaces(
		clients: readonly SlowClient[],
		gone: Set<SlowClient>,
		pressed: Map<Upstream, number>,
	): void {
		const holding = new Map<Upstream, SlowClient[]>();
		for (const client of clients) {
			if (client.upstream === undefined || gone.has(client)) continue;
			if (this.#pressure(client, pressed) === 0) continue;
			const ofUpstream = holding.get(client.upstream);
			if (ofUpstream === undefined) holding.set(client.upstream, [client]);
			else ofUpstream.push(client);
		}
		for (const [upstream, ofUpstream] of holding) {
			const waiting = pressed.get(upstream) ?? 0;
			const leastLagMs = lagForPlace(waiting, upstream.occupancy);
			const victims = ofUpstream.filter(({ pace }) => pace.placeLagMs >= leastLagMs);
			for (const client of victims.sort(slowestFirst).slice(0, waiting))
				drop(client, "place", gone);
		}
	}
}

/**
 * @param waiting requests
 * @param occupancy places that are taken or waited for, of all: above 1 by those who wait
 * @returns milliseconds that a client may lag while they do
 */
const lagForPlace = (waiting: number, occupancy: number): number => {
	const places = waiting / Math.max(occupancy - 1, Number.EPSILON);
	const lagMs = (LIMITS.slowPlaceMs * places) / waiting;
	return Math.max(LIMITS.slowPlaceMinMs, Math.min(LIMITS.slowPlaceMs, lagMs));
};

const drop = (client: SlowClient, reason: SlowReason, gone: Set<SlowClient>): void => {
	gone.add(client);
	client.drop(reason);
};
