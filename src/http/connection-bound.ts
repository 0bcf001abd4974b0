/**
 * A bound on the connections of clients, for listeners of the server library: a connection beyond it is closed at
 * once and counted, and the log says so now and then. Without it clients could take the last descriptor
 * (`descriptors.ts`). Used by `edge/` and `management/`.
 */
import { areTaken, descriptorShares } from "../descriptors.ts";
import { LIMITS } from "../limits/limits.ts";
import type { Log } from "../telemetry/log.ts";
import { LogPace } from "../telemetry/log-pace.ts";
import { type Counter, type Metrics, series } from "../telemetry/metrics.ts";
import type { HttpResponse, TemplatedApp } from "./uws.ts";

/** connections; far below what is left beyond `DescriptorShares.clientEnd`, 32 */
const LOOK_EVERY = 8;

export interface ConnectionBoundOptions {
	/** `data` or `management`; a label of the metrics */
	readonly side: "data" | "management";
	/** connections at most, of all listeners together */
	readonly most: number;
	/** see `DescriptorShares.clientEnd` */
	readonly clientEnd: number;
	readonly metrics: Metrics;
	readonly log: Pick<Log, "warn">;
	/** milliseconds, for tests */
	readonly now?: () => number;
}

export class ConnectionBound {
	readonly #options: ConnectionBoundOptions;
	readonly #now: () => number;
	readonly #refused: Counter;
	#open = 0;
	#wereTaken = true;
	#sinceLook = 0;
	readonly #pace = new LogPace(LIMITS.refusalLogMs);

	constructor(options: ConnectionBoundOptions) {
		const { metrics, side } = options;
		this.#options = options;
		this.#now = options.now ?? (() => performance.now());
		this.#refused = metrics.counter(series("weir_connections_refused_total", { side }));
		metrics.gauge(series("weir_connections", { side }), () => this.#open);
	}

	/** By this process's share of descriptors. */
	static of(
		side: ConnectionBoundOptions["side"],
		metrics: Metrics,
		log: Pick<Log, "warn">,
	): ConnectionBound {
		const { clients, management, clientEnd } = descriptorShares();
		const most = side === "data" ? clients : management;
		return new ConnectionBound({ side, most, clientEnd, metrics, log });
	}

	/** To be called before `app` listens. @param listener its address, once it listens, for its own count */
	guard(app: TemplatedApp, listener?: () => string): void {
		app.filter(this.#changed);
		if (listener !== undefined) app.filter(this.#countOf(listener));
	}

	#countOf(listener: () => string): (connection: HttpResponse, change: number) => void {
		let accepted: Counter | undefined;
		let open = 0;
		return (_connection, change) => {
			open += change;
			if (accepted === undefined) {
				const { metrics } = this.#options;
				const labels = { listener: listener() };
				accepted = metrics.counter(series("weir_listener_accepted_total", labels));
				metrics.gauge(series("weir_listener_connections", labels), () => open);
			}
			if (change > 0) accepted.value++;
		};
	}

	/** @param change 1: opened, -1: closed, also by this very function, which is told at once */
	readonly #changed = (connection: HttpResponse, change: number): void => {
		this.#open += change;
		if (change > 0 && this.#isTooMany()) {
			this.#refuse();
			connection.close();
		}
	};

	#isTooMany(): boolean {
		return this.#open > this.#options.most || this.#areDescriptorsTaken();
	}

	/** A look costs some 2 µs, so not every connection pays for one until one has found them taken. */
	#areDescriptorsTaken(): boolean {
		this.#sinceLook += 1;
		if (!this.#wereTaken && this.#sinceLook < LOOK_EVERY) return false;
		this.#sinceLook = 0;
		this.#wereTaken = areTaken(this.#options.clientEnd);
		return this.#wereTaken;
	}

	#refuse(): void {
		const { side, most, log } = this.#options;
		this.#refused.value++;
		const refused = this.#pace.happened(this.#now());
		if (refused === undefined) return;
		log.warn({ side, refused, open: this.#open - 1, most }, "too many connections: closed at once");
	}
}
