/**
 * The types of the addon's upstream client (native/src/binding/upstream.cc): its functions, what they are told, and
 * the layout of the memory that it shares. A part of `native-addon.ts`, which loads the addon.
 */

/** Bounds that are the same for all backends; bytes, milliseconds, counts (`LIMITS` has their meaning). */
export interface UpstreamClientOptions {
	readonly headBytes: number;
	readonly headerLines: number;
	readonly interimResponses: number;
	readonly idleMs: number;
	readonly idleHintedMs: number;
	readonly idleMarginMs: number;
	readonly reuseMs: number;
	readonly bodyBufferBytes: number;
	readonly setAsideFirstMs: number;
	readonly setAsideLastMs: number;
	readonly pipeliningMax: number;
	/** any number; decides how long each address is set aside within its bounds */
	readonly seed: number;
}

/** Of one backend: milliseconds, and counts. */
export interface UpstreamBackendOptions {
	readonly connectTimeoutMs: number;
	readonly responseTimeoutMs: number;
	readonly idleTimeoutMs: number;
	readonly connections: number;
	readonly queue: number;
	readonly pipelining: number;
}

/**
 * The upstream client, one for each thread. Backends and calls are numbers; a call's is ignored once it is over,
 * refused if there never was one. What becomes of calls is told in batches (upstream/native/records.ts).
 */
export interface UpstreamAddon {
	/**
	 * @param records of at least 4 `pipeliningMax` records @param arena at least 512 KiB; both are the addon's
	 *   from now on, to be read only within `onBatch`, and never to be transferred
	 * @param onBatch called with the number of records; what it throws is an uncaught exception
	 * @throws Error, `ERR_WEIR_EVENT_LOOP`: it can't work on this Node's event loop
	 */
	createClient(
		records: ArrayBuffer,
		arena: ArrayBuffer,
		onBatch: (count: number) => void,
		options: UpstreamClientOptions,
	): void;
	openBackend(options: UpstreamBackendOptions): number;
	/** @param addresses their `id` is told again in records */
	setAddresses(
		backend: number,
		addresses: readonly { readonly id: number; readonly ip: string; readonly port: number }[],
	): void;
	failWaiting(backend: number, reason: string): void;
	closeBackend(backend: number): void;
	/**
	 * @param target @param lines latin1 strings: no character above 255, which would turn into another byte
	 * @param more lines behind those, likewise
	 * @param flags sum of `UpstreamLayout.requestFlag`
	 * @param bodyLength bytes, 0: none, -1: chunked
	 * @returns the call, plus `UpstreamLayout.bodyWanted` if the body may begin at once; -1 if method or target
	 *   can't be sent
	 */
	send(
		backend: number,
		method: string,
		target: string,
		lines: string,
		more: string,
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
	/**
	 * @returns calls that wait; then, five numbers for each address: its id, requests since the last call, connections,
	 *   idle ones, milliseconds for which it is set aside
	 */
	takeStates(backend: number): readonly number[];
}

/** How the records of the upstream client lie in the memory that it shares (upstream/native/records.ts). */
export interface UpstreamLayout {
	readonly recordBytes: number;
	/** which 32-bit word of a record is what */
	readonly word: Readonly<
		Record<
			| ("kind" | "call" | "code" | "flags" | "passedOffset" | "passedLength" | "textOffset")
			| ("textLength" | "bodyOffset" | "bodyLength" | "address" | "attempts")
			| ("connectMicroseconds" | "backend"),
			number
		>
	>;
	/** which double of a record is the length that a response's head says */
	readonly lengthDouble: number;
	/** in `flags`: the lines that pass hold no byte above 127 */
	readonly asciiFlag: number;
	/** values of the word `kind`; native/src/upstream/record.h says what each means */
	readonly kind: Readonly<
		Record<
			| ("whole" | "response" | "data" | "end" | "failed" | "bodyWanted" | "drained")
			| ("attemptFailed" | "retry" | "backendClosed" | "upgraded" | "continue"),
			number
		>
	>;
	/** values of the word `code` of a failure */
	readonly failure: Readonly<Record<"connect" | "broken" | "timeout" | "queue_full", number>>;
	readonly requestFlag: Readonly<
		Record<"head" | "idempotent" | "saysEmpty" | "upgrade" | "expects", number>
	>;
	/** added to a call's number in what `send` returns */
	readonly bodyWanted: number;
}
