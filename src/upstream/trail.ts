/**
 * The way that a request took to a backend: which address answered or was tried last, after how many attempts, and how
 * long it waited for a connection to be made. Only for requests that somebody tells of (the access log, traces):
 * `UpstreamRequest.trail` is then what both implementations fill in, before the sink hears of an answer or a failure.
 * Made by `edge/access/request-marks.ts`.
 */

/** Tells addresses by the numbers that an upstream has for them. */
export interface AddressNames {
	/** `192.0.2.7:8080`; empty: it is not known any more */
	addressText(address: number): string;
}

export class UpstreamTrail {
	/** of the connections that the request was given to; 0: none so far */
	attempts = 0;
	/** what making the last one took; 0: it was there */
	connectMs = 0;
	#names: AddressNames | undefined;
	#address = -1;

	/** The request is handed to an upstream. */
	begin(names: AddressNames): void {
		this.#names = names;
	}

	/** @param address by the number that the upstream has for it; -1: none was tried */
	came(address: number, attempts: number, connectMs: number): void {
		this.#address = address;
		this.attempts = attempts;
		this.connectMs = connectMs;
	}

	/** empty: it came to none */
	get address(): string {
		return this.#address < 0 ? "" : (this.#names?.addressText(this.#address) ?? "");
	}
	get retries(): number {
		return Math.max(this.attempts - 1, 0);
	}
}
