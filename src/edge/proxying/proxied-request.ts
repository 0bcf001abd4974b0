/**
 * A request that is proxied (contract 6). `upstream-request.ts` sends it to the upstream. This class receives the
 * upstream's answer and runs the outbound rules on it, and `response-delivery.ts` hands the response to the client.
 * Request body and response are streamed, and each waits for its receiver. Made by `pipeline.ts`.
 */
import type { ConnectionField } from "../../http/client-connection.ts";
import { notedTicks } from "../../telemetry/request-clock.ts";
import type { ResponseHead } from "../../upstream/response-head.ts";
import type { UpstreamFailure } from "../../upstream/upstream.ts";
import type { Exchange } from "../exchange.ts";
import { changedLines } from "../headers/response-changes.ts";
import { PhaseWait } from "../phases/phase-wait.ts";
import {
	isPending,
	replacement,
	showOutbound,
	unseenReply,
	waitOutbound,
} from "../phases/policy-replies.ts";
import { type Decision, runPhase } from "../phases/run-phase.ts";
import type { ClientBody } from "../request/client-body.ts";
import {
	BAD_BODY,
	BODIES_FULL,
	INTERNAL,
	type LocalReply,
	TOO_SLOW,
	UPSTREAM_BUSY,
	UPSTREAM_FAILED,
	UPSTREAM_TIMEOUT,
} from "../response/local-replies.ts";
import { ownLines, type PassedHeaders, passedHeaders } from "../response/write-response.ts";
import type { Route } from "../routing/route.ts";
import type { Services } from "../services.ts";
import type { IdleTimeouts } from "../slow/idle-timeouts.ts";
import type { Direction, SlowReason } from "../slow/slow-clients.ts";
import { BufferedResponse } from "./buffered-response.ts";
import { ResponseDelivery } from "./response-delivery.ts";
import { type UpstreamEvents, UpstreamRequest } from "./upstream-request.ts";

const FAILURE_REPLIES: Readonly<Record<UpstreamFailure, LocalReply>> = {
	connect: UPSTREAM_FAILED,
	broken: UPSTREAM_FAILED,
	timeout: UPSTREAM_TIMEOUT,
	queue_full: UPSTREAM_BUSY,
};

export class ProxiedRequest implements UpstreamEvents {
	readonly #exchange: Exchange;
	readonly #route: Route;
	readonly #services: Services;
	readonly #idleTimeouts: IdleTimeouts;
	readonly #upstream: UpstreamRequest;
	readonly #delivery: ResponseDelivery;
	/** outbound rules that wait for an expensive expression */
	#wait: PhaseWait | undefined;
	/** the rest of the response whose head these rules have seen */
	#buffered: BufferedResponse | undefined;

	constructor(exchange: Exchange, route: Route, services: Services, idleTimeouts: IdleTimeouts) {
		this.#exchange = exchange;
		this.#route = route;
		this.#services = services;
		this.#idleTimeouts = idleTimeouts;
		this.#upstream = new UpstreamRequest(exchange, route, this);
		this.#delivery = new ResponseDelivery(exchange, services, idleTimeouts, this.#upstream);
	}

	/** @param body a body that is being received already; without one, to be called while the request's handler runs */
	start(body: ClientBody | undefined): void {
		if (
			this.#exchange.head.bodyLength !== 0 &&
			this.#route.backend.bodies.isFull(performance.now())
		) {
			body?.discard();
			this.#delivery.reply(unseenReply(this.#exchange, BODIES_FULL));
			return;
		}
		this.#exchange.response.onAborted(() => this.#clientLeft());
		this.#upstream.start(body, this.#idleTimeouts);
	}

	threw(error: unknown): void {
		this.#services.log.error({ err: error, route: this.#route.routeId }, "upstream threw");
		if (!this.#delivery.over) this.#delivery.reply(unseenReply(this.#exchange, INTERNAL));
	}

	tooSlow(direction: Direction, reason: SlowReason): void {
		if (this.#delivery.over) return;
		this.#services.slowClientEnded(this.#exchange, direction, reason);
		this.#endEarly(TOO_SLOW);
	}

	malformed(): void {
		if (!this.#delivery.over) this.#endEarly(BAD_BODY);
	}

	/** @param reply sent if it isn't too late for one; the connection ends in any case */
	#endEarly(reply: LocalReply): void {
		if (!this.#delivery.hasBegun && this.#buffered === undefined) {
			this.#wait?.cancel();
			this.#delivery.reply(unseenReply(this.#exchange, reply), true);
		} else {
			this.#upstream.dropCall();
			this.#delivery.reset();
		}
	}

	onResponse(statusCode: number, head: ResponseHead, length: number): void {
		if (this.#delivery.over) return;
		const exchange = this.#exchange;
		exchange.respondedTicks = notedTicks();
		const added = ownLines(exchange.method, statusCode, length, this.#connectionField(length));
		const passed = passedHeaders(head, added);
		exchange.setUpstreamResponse(statusCode, head, length);
		const { policy } = this.#route.slot;
		if (policy === undefined || policy.outboundEmpty) {
			this.#begin(statusCode, passed, length);
			return;
		}
		const outcome = runPhase(policy, "outbound", exchange, this.#services);
		if (outcome.kind !== "suspended") this.#decided(outcome, statusCode, passed, length);
		else {
			const { run } = outcome;
			const decided = (decision: Decision): void =>
				this.#decidedLate(decision, statusCode, passed, length);
			// The header lines are the upstream's memory, which has to be read while it is valid.
			void exchange.responseHeaders;
			this.#buffered = new BufferedResponse();
			this.#wait = new PhaseWait(exchange, policy, this.#services, decided).start(run);
		}
	}

	/** HTTP/1.0 knows no chunks: a body without a length ends with its connection. */
	#connectionField(length: number): ConnectionField {
		const { client } = this.#exchange;
		const closes = this.#services.draining || (client.isHttp10 && length < 0);
		this.#delivery.closes = closes;
		return closes ? "close" : client.connectionField;
	}

	#decidedLate(
		decision: Decision,
		statusCode: number,
		passed: PassedHeaders,
		length: number,
	): void {
		const buffered = this.#buffered;
		this.#buffered = undefined;
		this.#decided(decision, statusCode, passed, length);
		if (!this.#delivery.over && buffered?.handOver(this) === true) this.#upstream.resume();
	}

	#decided(decision: Decision, statusCode: number, passed: PassedHeaders, length: number): void {
		const instead = replacement(decision, this.#exchange, this.#services);
		if (instead === undefined) {
			this.#begin(statusCode, passed, length);
			return;
		}
		this.#upstream.dropCall();
		this.#delivery.reply(instead);
	}

	#begin(statusCode: number, passed: PassedHeaders, length: number): void {
		this.#delivery.begin(statusCode, changedLines(passed, this.#exchange.responseChanges), length);
	}

	onData(chunk: Uint8Array): boolean {
		return this.#buffered?.data(chunk) ?? this.#delivery.write(chunk);
	}

	onWhole(statusCode: number, head: ResponseHead, length: number, body: Uint8Array): void {
		if (this.#delivery.over) return;
		this.#exchange.respondedTicks = notedTicks();
		const { policy } = this.#route.slot;
		const isPlain = !this.#services.draining && this.#exchange.client.connectionField === "";
		const isUnseen = policy === undefined || policy.outboundEmpty;
		const passesAsIs = isPlain && isUnseen && this.#exchange.responseChanges === undefined;
		if (passesAsIs && this.#delivery.sendWhole(statusCode, head, length, body)) return;
		this.onResponse(statusCode, head, length);
		if (body.byteLength > 0) this.onData(body);
		this.onEnd();
	}

	onEnd(): void {
		if (this.#delivery.over) return;
		if (this.#buffered !== undefined) this.#buffered.end();
		else this.#delivery.end();
	}

	onError(failure: UpstreamFailure, message: string): void {
		// With every byte received nothing can be missing.
		if (this.#delivery.over || this.#delivery.complete) return;
		if (this.#buffered !== undefined) {
			this.#buffered.fail(failure, message);
			return;
		}
		const reply = this.#delivery.hasBegun ? undefined : FAILURE_REPLIES[failure];
		const { urls } = this.#route.backend.document;
		const { upstreamLog } = this.#services;
		upstreamLog.requestFailed(this.#exchange, urls, failure, message, reply?.statusCode);
		if (reply === undefined) this.#delivery.reset();
		else if (reply === UPSTREAM_BUSY) this.#delivery.reply(unseenReply(this.#exchange, reply));
		else this.#fail(reply);
	}

	/** @param reply 502 or 504, which outbound rules see */
	#fail(reply: LocalReply): void {
		const shown = showOutbound(this.#exchange, reply, this.#services);
		if (!isPending(shown)) {
			this.#delivery.reply(shown);
			return;
		}
		// The upstream that took the body is gone.
		this.#upstream.stopBody();
		const send = (settled: LocalReply): void => this.#delivery.reply(settled);
		this.#wait = waitOutbound(this.#exchange, shown, this.#services, send);
	}

	#clientLeft(): void {
		if (this.#delivery.over) return;
		this.#buffered = undefined;
		this.#wait?.cancel();
		this.#delivery.clientLeft();
	}
}
