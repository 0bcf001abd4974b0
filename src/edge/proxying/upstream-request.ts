/**
 * The part of a proxied request that goes to the upstream: its body, which decides when the request may be sent
 * (`request/client-body.ts`), and the call at the upstream. Made by `proxied-request.ts`, which receives the answer.
 */
import { notedTicks } from "../../telemetry/request-clock.ts";
import type { ResponseSink, UpstreamCall } from "../../upstream/upstream.ts";
import type { Exchange } from "../exchange.ts";
import { ClientBody, type UploadEvents } from "../request/client-body.ts";
import type { Route } from "../routing/route.ts";
import type { IdleTimeouts } from "../slow/idle-timeouts.ts";
import type { Direction, SlowReason } from "../slow/slow-clients.ts";
import { upstreamHeader } from "./upstream-header.ts";

export interface UpstreamEvents extends ResponseSink {
	/** The upstream threw, which is a bug. */
	threw(error: unknown): void;
	/** The client was waited for long enough. */
	tooSlow(direction: Direction, reason: SlowReason): void;
	/** The request's body is malformed. */
	malformed(): void;
}

export class UpstreamRequest implements UploadEvents {
	readonly #exchange: Exchange;
	readonly #route: Route;
	readonly #events: UpstreamEvents;
	#body: ClientBody | undefined;
	/** header lines as they go upstream */
	#lines = "";
	#call: UpstreamCall | undefined;
	/** the call is to be dropped, perhaps before `send` has returned it */
	#dropCall = false;

	constructor(exchange: Exchange, route: Route, events: UpstreamEvents) {
		this.#exchange = exchange;
		this.#route = route;
		this.#events = events;
	}

	/** @param body a body that is being received already; without one, to be called while the request's handler runs */
	start(body: ClientBody | undefined, idleTimeouts: IdleTimeouts): void {
		const exchange = this.#exchange;
		this.#body = body;
		if (exchange.head.bodyLength !== 0) this.#body ??= new ClientBody(exchange, idleTimeouts);
		this.#lines = upstreamHeader(exchange, this.#route.backend.document.host_header);
		if (this.#body === undefined) this.ready();
		else this.#body.begin(this);
	}

	ready(): void {
		const { method, target } = this.#exchange;
		const request = { method, target, lines: this.#lines, body: this.#body };
		try {
			this.#call = this.#route.backend.upstream.send(request, this.#events);
			this.#exchange.passedTicks = notedTicks();
		} catch (error) {
			this.#events.threw(error);
		}
		if (this.#dropCall) this.#call?.abort();
	}

	tooSlow(direction: Direction, reason: SlowReason): void {
		this.#events.tooSlow(direction, reason);
	}
	malformed(): void {
		this.#events.malformed();
	}

	get holdsPlace(): boolean {
		return this.#call?.holdsPlace === true;
	}
	/** bytes of the response */
	get heldBytes(): number {
		return this.#call?.heldBytes ?? 0;
	}

	/** The client takes more of the response. */
	resume(): void {
		this.#call?.resume();
	}

	/**
	 * The rest of the request's body is not needed. To be called before the last byte of the response is handed to
	 * the server library, which must not be called for this request afterwards.
	 */
	stopBody(): void {
		if (this.#body === undefined) return;
		if (!this.#body.complete) this.dropCall();
		this.#body.discard();
	}

	/** The connection is gone or about to be reset. */
	abandonBody(): void {
		this.#body?.abandon();
	}

	dropCall(): void {
		this.#dropCall = true;
		this.#call?.abort();
	}
}
