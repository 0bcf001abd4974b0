/**
 * `GET /live/events` for as long as somebody is logged in: reads the stream, notices that it has gone silent, and comes
 * back with growing delays. Started by session.ts.
 */
import type { LiveEvents } from "../../src/management/live/shapes.ts";
import { ApiFailure, type Client, failureOf } from "./client.ts";
import { EventReader, type ServerEvent } from "./event-reader.ts";

export type LiveEvent = {
	[Name in keyof LiveEvents]: { readonly event: Name; readonly value: LiveEvents[Name] };
}[keyof LiveEvents];

export type ConnectionState =
	| { readonly state: "connecting" }
	| { readonly state: "live" }
	/** `since`: of the last sign of life; `retryAt`: when it is tried again; milliseconds since 1970 */
	| {
			readonly state: "lost";
			readonly since: number;
			readonly retryAt: number;
			readonly reason: string;
	  };

export interface LiveListener {
	event(event: LiveEvent): void;
	connection(state: ConnectionState): void;
	/** the key is not valid, or not any more: nothing is tried again */
	refused(failure: ApiFailure): void;
}

/** An event comes each second; after so long without one the connection is taken for dead. */
const SILENCE_MS = 6_000;
const DELAYS_MS = [500, 1_000, 2_000, 4_000, 8_000];
const EVENTS: ReadonlySet<string> = new Set(["history", "overview", "changes", "refusals", "end"]);

export class LiveConnection {
	readonly #client: Client;
	readonly #listener: LiveListener;
	#abort = new AbortController();
	#timer: ReturnType<typeof setTimeout> | undefined;
	#failures = 0;
	#lastSign = Date.now();
	#closed = false;

	constructor(client: Client, listener: LiveListener) {
		this.#client = client;
		this.#listener = listener;
	}

	/** Also: at once, instead of after the rest of a delay. */
	connect(): void {
		clearTimeout(this.#timer);
		this.#abort.abort();
		this.#abort = new AbortController();
		void this.#run(this.#abort);
	}

	close(): void {
		this.#closed = true;
		clearTimeout(this.#timer);
		this.#abort.abort();
	}

	async #run(abort: AbortController): Promise<void> {
		let reason = "The server has ended the connection.";
		try {
			reason = (await this.#read(abort)) ?? reason;
		} catch (error) {
			if (error instanceof ApiFailure) {
				if (error.status === 401 || error.status === 403) {
					this.close();
					this.#listener.refused(error);
					return;
				}
				reason = error.message;
			} else if (abort.signal.reason === SILENT) {
				reason = SILENT;
			}
		}
		if (this.#closed || this.#abort !== abort) return;
		const delay = DELAYS_MS[Math.min(this.#failures++, DELAYS_MS.length - 1)] ?? 8_000;
		const retryAt = Date.now() + delay;
		this.#listener.connection({ state: "lost", since: this.#lastSign, retryAt, reason });
		this.#timer = setTimeout(() => this.connect(), delay);
	}

	/** @returns why the server ended the stream, if it said so */
	async #read(abort: AbortController): Promise<string | undefined> {
		let watchdog = setTimeout(() => abort.abort(SILENT), SILENCE_MS);
		try {
			const response = await this.#client.fetch("/live/events", {
				headers: { accept: "text/event-stream" },
				signal: abort.signal,
			});
			if (!response.ok || response.body === null) {
				throw failureOf(response.status, await response.text());
			}
			const reader = new EventReader();
			const decoder = new TextDecoder();
			const pieces = response.body.getReader();
			for (;;) {
				const { done, value } = await pieces.read();
				if (done) return undefined;
				clearTimeout(watchdog);
				watchdog = setTimeout(() => abort.abort(SILENT), SILENCE_MS);
				this.#lastSign = Date.now();
				for (const event of reader.push(decoder.decode(value, { stream: true }))) {
					if (!EVENTS.has(event.event)) continue;
					const ended = this.#take(event);
					if (ended !== undefined) return ended;
				}
			}
		} finally {
			clearTimeout(watchdog);
		}
	}

	#take({ event, data }: ServerEvent): string | undefined {
		const live = { event, value: JSON.parse(data) } as LiveEvent;
		if (live.event === "end") {
			if (live.value.reason === "key") throw new ApiFailure(KEY_ENDED, 401);
			return live.value.reason === "stopping"
				? "weir is being stopped or started again."
				: undefined;
		}
		if (live.event === "history") {
			this.#failures = 0;
			this.#listener.connection({ state: "live" });
		}
		this.#listener.event(live);
		return undefined;
	}
}

const SILENT = "Nothing has come for some seconds.";
const KEY_ENDED = "This API key is not valid any more: it was revoked or has expired.";
