/**
 * The part of a proxied request that goes to the upstream: its body, which decides when the request may be sent
 * (`request/client-body.ts`), and the call at the upstream. Base of `proxied-request.ts`, which receives the answer.
 */
import { notedTicks, readTicks } from "../../telemetry/request-clock.ts";
import type { ResponseHead, WholeResponse } from "../../upstream/response-head.ts";
import type { UpstreamTrail } from "../../upstream/trail.ts";
import type {
	Expecting,
	ResponseSink,
	UpstreamRequest as SentRequest,
	UpgradedBackend,
	UpstreamCall,
	UpstreamFailure,
} from "../../upstream/upstream.ts";
import type { Exchange } from "../exchange.ts";
import { ClientBody } from "../request/client-body.ts";
import type { UploadEvents } from "../request/upload-events.ts";
import type { Route } from "../routing/route.ts";
import type { Services } from "../services.ts";
import type { IdleTimeouts } from "../slow/idle-timeouts.ts";
import type { Direction, SlowReason } from "../slow/slow-clients.ts";
import type { Upgrade } from "../tunnels/upgrade.ts";
import { clientLines, moreLines } from "./upstream-header.ts";

/** One object for both, and for what the upstream is given: each request has one. */
export abstract class UpstreamRequest implements UploadEvents, SentRequest, ResponseSink {
	protected readonly exchange: Exchange;
	protected readonly route: Route;
	/** where the client asks for another protocol, and is heard */
	protected readonly asked: Upgrade | undefined;
	body: ClientBody | undefined;
	expects: Expecting | undefined;
	lines = "";
	more = "";
	#call: UpstreamCall | undefined;
	/** the call is to be dropped, perhaps before `send` has returned it */
	#dropCall = false;
	/** the backend's connection, while it is to become a tunnel */
	#upgraded: UpgradedBackend | undefined;

	constructor(exchange: Exchange, route: Route, asked: Upgrade | undefined) {
		this.exchange = exchange;
		this.route = route;
		this.asked = asked;
	}

	/** The upstream threw, which is a bug. */
	protected abstract threw(error: unknown): void;
	abstract tooSlow(direction: Direction, reason: SlowReason): void;
	abstract malformed(): void;
	abstract onResponse(statusCode: number, head: ResponseHead, length: number): void;
	abstract onData(chunk: Uint8Array): boolean;
	abstract onEnd(): void;
	abstract onWhole(statusCode: number, whole: WholeResponse, length: number): void;
	abstract onError(failure: UpstreamFailure, message: string): void;

	protected get services(): Services {
		return this.exchange.services;
	}
	get method(): string {
		return this.exchange.method;
	}
	get target(): string {
		return this.exchange.target;
	}
	get upgrade(): string | undefined {
		return this.asked?.asked;
	}
	get trail(): UpstreamTrail | undefined {
		return this.exchange.marks?.trail;
	}

	/** @param body a body that is being received already; without one, to be called while the request's handler runs */
	protected sendOn(body: ClientBody | undefined, idleTimeouts: IdleTimeouts): void {
		const { exchange } = this;
		this.body = body;
		if (exchange.head.bodyLength !== 0) this.body ??= new ClientBody(exchange, idleTimeouts);
		this.lines = clientLines(exchange, this.route.backend.document.host_header);
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
		this.exchange.marks?.sent();
		try {
			this.#call = this.route.backend.upstream.send(this, this);
			this.exchange.passedTicks ||= notedTicks();
		} catch (error) {
			this.threw(error);
		}
		if (this.#dropCall) this.#call?.abort();
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
