/**
 * Which address of a backend gets the next attempt (contract 6), for `pool.ts`. The rule itself, with its turns
 * and delays, is the native client's (native/src/upstream/addresses.h). This file tells the rule which addresses
 * have room for a request, which ones the request has tried, and whether connections were made and answered.
 */
import { randomInt } from "node:crypto";
import { LIMITS } from "../../limits/limits.ts";
import { addon } from "../../native-addon.ts";
import type { AddressRingFunctions } from "../../native-addon-upstream-rules.ts";
import type { Clock } from "./deadlines.ts";

const { hasRoom: HAS_ROOM, tried: TRIED, probe: PROBE, wait, none } = addon.addressRingNumbers;
const SEED_BELOW = 2 ** 48 - 1;

/** `choose`: every address that is left has no room, so wait for one. */
export const WAIT = wait;
/** `choose`: every address has been tried. */
export const NONE = none;

export interface AddressRingOptions {
	/** how many addresses the backend has */
	readonly addresses: number;
	/** after this time without an outcome a probe may be followed by another */
	readonly connectTimeoutMs: number;
	readonly hasRoom: (index: number) => boolean;
	readonly now: Clock;
	/** for the random part of delays */
	readonly seed?: number | undefined;
}

export class AddressRing {
	readonly #ring: AddressRingFunctions;
	/** a byte for each address, which the addon reads; filled for each request */
	readonly #states: Uint8Array;
	readonly #hasRoom: (index: number) => boolean;
	readonly #now: Clock;
	/** The request placed last goes to see whether its address is back, which a fresh connection tells. */
	isProbe = false;

	constructor({ addresses, connectTimeoutMs, hasRoom, now, seed }: AddressRingOptions) {
		this.#states = new Uint8Array(addresses);
		this.#ring = addon.createAddressRing(this.#states, {
			setAsideFirstMs: LIMITS.upstreamSetAsideFirstMs,
			setAsideLastMs: LIMITS.upstreamSetAsideLastMs,
			connectTimeoutMs,
			seed: seed ?? randomInt(SEED_BELOW),
		});
		this.#hasRoom = hasRoom;
		this.#now = now;
	}

	/**
	 * Hot.
	 * @param tried indexes that must not be chosen again
	 * @returns an index, `WAIT` or `NONE`
	 */
	choose(tried: ReadonlySet<number> | undefined): number {
		const states = this.#states;
		for (let index = 0; index < states.length; index += 1) {
			const room = this.#hasRoom(index) ? HAS_ROOM : 0;
			states[index] = tried?.has(index) === true ? room | TRIED : room;
		}
		const chosen = this.#ring.choose(this.#now());
		this.isProbe = chosen >= PROBE;
		return this.isProbe ? chosen - PROBE : chosen;
	}

	/** A connection was made. */
	connected(index: number): void {
		this.#ring.connected(index);
	}

	/** A fresh connection brought its first answer: the address is healthy. */
	answered(index: number): void {
		this.#ring.answered(index);
	}

	setAsideMs(index: number): number {
		return this.#ring.setAsideMs(index, this.#now());
	}

	/** No connection could be made, or a fresh one broke before its first answer. Failures together count once. */
	failed(index: number): void {
		this.#ring.failed(index, this.#now());
	}
}
