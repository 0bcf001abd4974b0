/**
 * What a worker counts of the addresses of backends. Requests are counted where they are sent, by the upstreams, and
 * fetched when the supervisor asks; what failed is counted here. Told by `edge/worker-backends.ts`.
 */

/** Of one address of a backend, of all backends that have it. */
export interface AddressState {
	/** as it stands in `backend.urls` */
	readonly address: string;
	/** sent to it since it was last asked about */
	readonly requests: number;
	readonly connections: number;
	/** of these, without a request */
	readonly idle: number;
	/** milliseconds for which it is left alone after failures */
	readonly setAsideMs: number;
}

/** Of one backend. */
interface BackendStates {
	/** requests that wait for a connection */
	readonly waiting: number;
	readonly addresses: readonly AddressState[];
}

export interface BackendChange extends AddressState {
	/** attempts since it was last told of, by reason */
	readonly failures: Readonly<Record<string, number>>;
}

const NOTHING: Omit<AddressState, "address"> = {
	requests: 0,
	connections: 0,
	idle: 0,
	setAsideMs: 0,
};

export class BackendCounts {
	#states: () => Iterable<BackendStates> = () => [];
	/** requests that waited for a connection when `take` was called last */
	waiting = 0;
	/** of upstreams that are gone */
	readonly #left: AddressState[] = [];
	#failures = new Map<string, Record<string, number>>();

	/** @param states of all upstreams in use, when they are asked for */
	readFrom(states: () => Iterable<BackendStates>): void {
		this.#states = states;
	}

	/** An upstream is closed. @param states its last */
	closed(states: Iterable<AddressState>): void {
		for (const { address, requests } of states) {
			if (requests > 0) this.#left.push({ ...NOTHING, address, requests });
		}
	}

	failed(address: string, reason: string): void {
		const reasons = this.#failures.get(address) ?? {};
		reasons[reason] = (reasons[reason] ?? 0) + 1;
		this.#failures.set(address, reasons);
	}

	/** Counts since the last call, and how each address is now. */
	take(): BackendChange[] {
		const found = new Map<string, BackendChange>();
		const of = (address: string): BackendChange =>
			found.get(address) ?? { ...NOTHING, address, failures: {} };
		const states = this.#left.splice(0);
		this.waiting = 0;
		for (const { waiting, addresses } of this.#states()) {
			this.waiting += waiting;
			for (const state of addresses) states.push(state);
		}
		for (const state of states) {
			const before = of(state.address);
			found.set(state.address, {
				...before,
				requests: before.requests + state.requests,
				connections: before.connections + state.connections,
				idle: before.idle + state.idle,
				setAsideMs: Math.max(before.setAsideMs, state.setAsideMs),
			});
		}
		for (const [address, failures] of this.#failures) {
			found.set(address, { ...of(address), failures });
		}
		this.#failures = new Map();
		return [...found.values()];
	}
}
