/**
 * The part of a proxied request that goes to the upstream: its body, which decides when the request may be sent
 * (`request/client-body.ts`), and the call at the upstream. Made by `proxied-request.ts`, which receives the answer.
 */
import { notedTicks, readTicks } from "../../telemetry/request-clock.ts";
import type { UpstreamTrail } from "../../upstream/trail.ts";
import type {
	Expecting,
	ResponseSink,
	UpstreamRequest as SentRequest,
	UpgradedBackend,
	UpstreamCall,
} from "../../upstream/upstream.ts";
import type { Exchange } from "../exchange.ts";
import { ClientBody } from "../request/client-body.ts";
import type { UploadEvents } from "../request/upload-events.ts";
import type { Route } from "../routing/route.ts";
import type { IdleTimeouts } from "../slow/idle-timeouts.ts";
import type { Direction, SlowReason } from "../slow/slow-clients.ts";
import { clientLines, moreLines } from "./upstream-header.ts";

export interface UpstreamEvents extends ResponseSink {
	/** The upstream threw, which is a bug. */
	threw(error: unknown): void;
	/** The client was waited for long enough. */
	tooSlow(direction: Direction, reason: SlowReason): void;
	/** The request's body is malformed. */
	malformed(): void;
}

/** It is what the upstream is given as well: an object less for each request. */
export class UpstreamRequest implements UploadEvents, SentRequest {
	readonly #exchange: Exchange;
	readonly #route: Route;
	readonly #events: UpstreamEvents;
	body: ClientBody | undefined;
	expects: Expecting | undefined;
	lines = "";
	more = "";
	#call: UpstreamCall | undefined;
	/** the call is to be dropped, perhaps before `send` has returned it */
	#dropCall = false;
	readonly upgrade: string | undefined;
	/** the backend's connection, while it is to become a tunnel */
	#upgraded: UpgradedBackend | undefined;

	constructor(exchange: Exchange, route: Route, events: UpstreamEvents, upgrade?: string) {
		this.#exchange = exchange;
		this.#route = route;
		this.#events = events;
		this.upgrade = upgrade;
	}

	get method(): string {
		return this.#exchange.method;
	}
	get target(): string {
		return this.#exchange.target;
	}
	get trail(): UpstreamTrail | undefined {
		return this.#exchange.marks?.trail;
	}

	/** @param body a body that is being received already; without one, to be called while the request's handler runs */
	start(body: ClientBody | undefined, idleTimeouts: IdleTimeouts): void {
		const exchange = this.#exchange;
		this.body = body;
		if (exchange.head.bodyLength !== 0) this.body ??= new ClientBody(exchange, idleTimeouts);
		this.lines = clientLines(exchange, this.#route.backend.document.host_header);
		this.more = moreLines(exchange);
		if (this.body === undefined) {
			this.ready();
			return;
		}
		// It may have to wait for memory, which is no time of the rules.
		exchange.passedTicks = readTicks();
		this.body.begin(this);
	}

	ready(expects?: Expecting): void {
		this.expects = expects;
		this.#exchange.marks?.sent();
		try {
			this.#call = this.#route.backend.upstream.send(this, this.#events);
			this.#exchange.passedTicks ||= notedTicks();
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
		if (this.body === undefined) return;
		if (!this.body.complete) this.dropCall();
		this.body.discard();
	}

	/** The connection is gone or about to be reset. */
	abandonBody(): void {
		this.body?.abandon();
	}

	/** The backend has agreed to an upgrade: its connection is this request's until `tunnelOpened`. */
	upgraded(backend: UpgradedBackend): void {
		this.#upgraded = backend;
	}

	tunnelOpened(): void {
		this.#upgraded = undefined;
	}

	dropCall(): void {
		this.#dropCall = true;
		this.#call?.abort();
		this.#upgraded?.abort();
		this.#upgraded = undefined;
	}
}
