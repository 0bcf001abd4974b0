/**
 * The types of the addon's rules for addresses and retries (native/src/binding/upstream_rules.cc). A part of
 * `native-addon.ts`, which loads the addon.
 */

/** The health of a backend's addresses, known by their index, and whose turn it is. */
export interface AddressRingFunctions {
	/**
	 * Hot. Reads the states.
	 * @param nowMs on a clock that never goes back
	 * @returns an index, plus `probe` if the request goes to see whether that address is back; or `wait`, `none`
	 */
	choose(nowMs: number): number;
	/** A connection was made. */
	connected(address: number): void;
	/** A fresh connection brought its first answer. */
	answered(address: number): void;
	/** No connection could be made, or a fresh one broke before its first answer. */
	failed(address: number, nowMs: number): void;
	/** Milliseconds for which it gets no request, if there are others. */
	setAsideMs(address: number, nowMs: number): number;
}

/** The rules by which the upstream client chooses an address and tries again, without its connections. */
export interface UpstreamRulesAddon {
	/**
	 * @param states a byte for each address, sum of `hasRoom` and `tried` (`addressRingNumbers`), written by the
	 *   caller before each `choose`; its buffer is never to be transferred
	 * @param options milliseconds (`LIMITS` has the meaning of the first two), and `seed`, a whole number below
	 *   2^53, for the random part of delays
	 */
	createAddressRing(
		states: Uint8Array,
		options: {
			readonly setAsideFirstMs: number;
			readonly setAsideLastMs: number;
			readonly connectTimeoutMs: number;
			readonly seed: number;
		},
	): AddressRingFunctions;
	/** Of the states, and of the result of `choose`. */
	readonly addressRingNumbers: {
		/** the address can take the request at once */
		readonly hasRoom: number;
		/** the request was there before */
		readonly tried: number;
		/** every address that is left is full */
		readonly wait: number;
		/** no address is left */
		readonly none: number;
		readonly probe: number;
	};
	/** Of `decideRetry`: what is true of a failed attempt. */
	readonly retryFacts: {
		readonly idempotent: number;
		/** the request began to be written */
		readonly sent: number;
		/** over a connection that had carried a request before */
		readonly reused: number;
		/** a byte of the answer came */
		readonly responseByte: number;
		/** a byte of the request's body was taken */
		readonly bodyTouched: number;
		/** the answer took too long */
		readonly timedOut: number;
	};
	/** How logs describe failures. */
	readonly failureTexts: {
		/** every address has been tried */
		readonly noAddressLeft: string;
		readonly queueFull: string;
		/** the request waited too long for a connection to be free */
		readonly noConnection: string;
		readonly connectSlow: string;
		/** the response's header did not come in time */
		readonly noAnswer: string;
		/** the backend neither took nor sent bytes for too long */
		readonly stopped: string;
		/** the response was 101 */
		readonly upgraded: string;
	};
	/**
	 * @param facts sum of those of `retryFacts` that are true
	 * @param attempts made, the failed one included
	 * @returns 0: not again, 1: at another address, 2: over a fresh connection
	 */
	decideRetry(facts: number, attempts: number, addresses: number): number;
}
