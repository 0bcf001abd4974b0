/**
 * How a worker leaves: it takes the connections that the kernel has for it, waits for tunnels and requests in flight,
 * and for those of clients that have connected and not asked yet, and then says how many it had to cut. Made by `edge.ts`.
 */
import { LIMITS } from "../limits/limits.ts";
import type { Log } from "../telemetry/log.ts";
import { type Metrics, series } from "../telemetry/metrics.ts";

const CUT = series("weir_drain_cut_total", {});

/** milliseconds that the kernel has for the last written bytes before connections are closed */
const LINGER_MS = 100;
/** milliseconds between two looks at the clients that have not asked yet */
const LOOK_MS = 10;

interface DrainingOptions {
	readonly services: { readonly inFlight: number; idle(): Promise<void> };
	readonly tunnels: { readonly open: number; none(): Promise<void> };
	/** undefined: it is not known how many clients are still to ask */
	readonly front: { readonly beginning: number } | undefined;
	readonly metrics: Pick<Metrics, "add">;
	readonly log: Pick<Log, "warn">;
	/** for tests */
	readonly sleep?: (milliseconds: number) => Promise<void>;
	readonly now?: () => number;
}

export class Draining {
	readonly #options: DrainingOptions;
	readonly #now: () => number;
	readonly #sleep: (milliseconds: number) => Promise<void>;
	#isHurried = false;
	#onHurry: () => void = () => {};
	readonly #hurried = new Promise<void>((resolve) => {
		this.#onHurry = resolve;
	});

	constructor(options: DrainingOptions) {
		this.#options = options;
		this.#now = options.now ?? (() => performance.now());
		this.#sleep =
			options.sleep ??
			((milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)));
	}

	/** Two turns of the event loop, of which one at least looks at all listeners. */
	async acceptWaiting(): Promise<void> {
		for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
	}

	/** Resolves when every connection may be closed. @param timeoutMs 0: as long as it takes */
	async wait(timeoutMs: number): Promise<void> {
		const { services, tunnels } = this.#options;
		const begun = this.#now();
		const late = timeoutMs === 0 ? [] : [this.#sleep(timeoutMs)];
		const isLate = () => this.#isHurried || (timeoutMs > 0 && this.#now() - begun >= timeoutMs);
		const isQuiet = () =>
			services.inFlight === 0 &&
			tunnels.open === 0 &&
			(this.#beginning === 0 || this.#now() - begun >= LIMITS.drainFreshMs);
		while (!isLate()) {
			const ended = Promise.all([services.idle(), tunnels.none()]);
			await Promise.race([ended, this.#hurried, ...late]);
			if (isLate()) break;
			const wasQuiet = isQuiet();
			await this.#sleep(wasQuiet ? LINGER_MS : LOOK_MS);
			if (wasQuiet && isQuiet()) return;
		}
		this.#report(services.inFlight);
	}

	/** It has been waited for long enough. */
	hurry(): void {
		this.#isHurried = true;
		this.#onHurry();
	}

	get #beginning(): number {
		return this.#options.front?.beginning ?? 0;
	}

	#report(requests: number): void {
		if (requests === 0) return;
		const { metrics, log } = this.#options;
		metrics.add(CUT, requests);
		log.warn({ requests }, "requests were cut: they took longer than timeouts.drain_ms");
	}
}
