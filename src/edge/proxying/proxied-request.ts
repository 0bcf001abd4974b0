/**
 * The part of a request that waits for an upstream (contract 6): the body streams up through `sending.ts`, the
 * response down from here, each held back by the other. Exactly one of these ends it: the last byte was
 * handed over, the answer was replaced, the client left or was too slow, or the upstream died with the header sent,
 * which resets the client's connection: a body is complete or visibly not.
 */
import type { SuspendedRun } from "../../policy/exchange.ts";
import type { ResponseHead } from "../../upstream/response-head.ts";
import type { UpstreamFailure } from "../../upstream/upstream.ts";
import { type Decision, replacement, runPhase, send, showOutbound } from "../phases/outbound-reply.ts";
import type { Exchange } from "../exchange.ts";
import { PhaseWait } from "../phases/phase-wait.ts";
import type { ClientBody } from "../request/body.ts";
import { BufferedResponse } from "./buffered-response.ts";
import {
	type LocalReply,
	BODIES_FULL,
	INTERNAL,
	TOO_SLOW,
	UPSTREAM_BUSY,
	UPSTREAM_FAILED,
	UPSTREAM_TIMEOUT,
} from "../response/local-replies.ts";
import {
	fitsOnePiece,
	hasNoBody,
	ownLines,
	type PassedHeaders,
	passedHeaders,
	writeHead,
	writeWhole,
} from "../response/write-response.ts";
import { type Holding, ResponseStream, type StreamEvents } from "../response/response-stream.ts";
import type { Route } from "../routing/routes.ts";
import { UpstreamRequest, type UpstreamEvents } from "./upstream-request.ts";
import type { Services } from "../services.ts";
import type { IdleTimeouts } from "../slow/idle-timeouts.ts";
import type { Direction, SlowReason } from "../slow/slow-clients.ts";

export class ProxiedRequest implements UpstreamEvents, StreamEvents {
	readonly #exchange: Exchange;
	readonly #route: Route;
	readonly #services: Services;
	readonly #idleTimeouts: IdleTimeouts;
	readonly #sending: UpstreamRequest;
	#stream: ResponseStream | undefined;
	/** outbound rules that wait for an expensive expression, and the response that they have seen */
	#wait: PhaseWait | undefined;
	#held: BufferedResponse | undefined;
	/** the response has ended or can't be sent any more */
	#over = false;

	constructor(exchange: Exchange, route: Route, services: Services, idleTimeouts: IdleTimeouts) {
		this.#exchange = exchange;
		this.#route = route;
		this.#services = services;
		this.#idleTimeouts = idleTimeouts;
		this.#sending = new UpstreamRequest(exchange, route, this);
	}

	/** @param body if its first bytes may have come already; else to be called while the request's handler runs */
	start(body: ClientBody | undefined): void {
		if (
			this.#exchange.head.bodyLength !== 0 &&
			this.#route.backend.bodies.isFull(performance.now())
		) {
			body?.discard();
			this.#answer(BODIES_FULL);
			return;
		}
		this.#exchange.response.onAborted(() => this.#clientLeft());
		this.#sending.start(body, this.#idleTimeouts);
	}

	threw(error: unknown): void {
		this.#services.log.error({ err: error, route: this.#route.routeId }, "upstream threw");
		if (!this.#over) this.#answer(INTERNAL);
	}

	tooSlow(direction: Direction, reason: SlowReason): void {
		if (this.#over) return;
		this.#services.slowClientEnded(this.#exchange, direction, reason);
		if (this.#stream === undefined && this.#held === undefined) {
			this.#wait?.cancel();
			this.#answer(TOO_SLOW, true);
		} else {
			this.#sending.dropCall();
			this.#reset();
		}
	}

	/** What the upstream holds for the response. */
	get upstreamCall(): Holding {
		return this.#sending;
	}

	onResponse(statusCode: number, head: ResponseHead, length: number): void {
		if (this.#over) return;
		const exchange = this.#exchange;
		const added = ownLines(exchange.method, statusCode, length, this.#services.draining);
		const passed = passedHeaders(head, added);
		exchange.setUpstreamResponse(statusCode, head, length);
		const { policy } = this.#route;
		if (policy === undefined || policy.outboundEmpty) {
			this.#pass(statusCode, passed, length);
			return;
		}
		const outcome = runPhase(policy, "outbound", exchange, this.#services);
		if (outcome.kind !== "suspended") {
			this.#decided(outcome, statusCode, passed, length);
			return;
		}
		// The lines are the upstream's memory; they must be read while it is there.
		void exchange.responseHeaders;
		this.#held = new BufferedResponse();
		this.#waitFor(outcome.run, (decision) => {
			const held = this.#held;
			this.#held = undefined;
			this.#decided(decision, statusCode, passed, length);
			if (!this.#over && held?.handOver(this) === true) this.#sending.resume();
		});
	}

	#decided(outcome: Decision, statusCode: number, passed: PassedHeaders, length: number): void {
		const instead = replacement(outcome, this.#services);
		if (instead === undefined) {
			this.#pass(statusCode, passed, length);
			return;
		}
		this.#sending.dropCall();
		this.#answer(instead);
	}

	#pass(statusCode: number, passed: PassedHeaders, length: number): void {
		const exchange = this.#exchange;
		if (hasNoBody(exchange.method, statusCode)) {
			this.#over = true;
			this.#sending.stopBody();
			exchange.response.cork(() => {
				writeHead(exchange.response, statusCode, passed);
				exchange.response.endWithoutBody();
			});
			this.ended();
			return;
		}
		this.#stream = new ResponseStream(
			exchange,
			this.#idleTimeouts,
			statusCode,
			passed,
			length,
			this,
		);
	}

	ending(): void {
		this.#sending.stopBody();
	}

	ended(): void {
		this.#over = true;
		this.#services.end(this.#exchange, this.#exchange.responseStatusCode, false);
	}

	drained(): void {
		this.#sending.resume();
	}

	onData(chunk: Uint8Array): boolean {
		if (this.#held !== undefined) return this.#held.data(chunk);
		if (this.#over || this.#stream === undefined) return true;
		const taken = this.#stream.write(chunk);
		if (taken === "overrun") {
			this.#sending.dropCall();
			this.#reset();
		}
		return taken !== "later";
	}

	onWhole(statusCode: number, head: ResponseHead, length: number, body: Uint8Array): void {
		if (this.#over) return;
		const exchange = this.#exchange;
		const { policy } = this.#route;
		const asItIs = (policy === undefined || policy.outboundEmpty) && !this.#services.draining;
		if (asItIs && !hasNoBody(exchange.method, statusCode) && fitsOnePiece(head, length, body)) {
			this.#sending.stopBody();
			exchange.responseStatusCode = statusCode;
			exchange.bytesOut += body.byteLength;
			writeWhole(exchange.response, statusCode, head, body);
			this.ended();
			return;
		}
		this.onResponse(statusCode, head, length);
		if (body.byteLength > 0) this.onData(body);
		this.onEnd();
	}

	onEnd(): void {
		if (this.#over) return;
		if (this.#held !== undefined) this.#held.end();
		else if (this.#stream?.end() !== true) this.#reset();
	}

	onError(failure: UpstreamFailure): void {
		// With every byte received there is nothing left that could be missing.
		if (this.#over || this.#stream?.complete === true) return;
		if (this.#held !== undefined) this.#held.fail(failure);
		else if (this.#stream !== undefined) this.#reset();
		else if (failure === "queue_full") this.#answer(UPSTREAM_BUSY);
		else this.#fail(failure === "timeout" ? UPSTREAM_TIMEOUT : UPSTREAM_FAILED);
	}

	/** 502 and 504: outbound rules see them. */
	#fail(answer: LocalReply): void {
		const outcome = showOutbound(this.#exchange, answer, this.#services);
		if (outcome.kind !== "suspended") {
			this.#answer(replacement(outcome, this.#services) ?? answer);
			return;
		}
		// The upstream that took the body is gone.
		this.#sending.stopBody();
		this.#waitFor(outcome.run, (decision) =>
			this.#answer(replacement(decision, this.#services) ?? answer),
		);
	}

	#waitFor(run: SuspendedRun, decided: (decision: Decision) => void): void {
		const { policy } = this.#route;
		if (policy !== undefined)
			this.#wait = new PhaseWait(this.#exchange, policy, this.#services, decided).start(run);
	}

	#answer(answer: LocalReply, close = false): void {
		this.#over = true;
		this.#sending.stopBody();
		this.#exchange.response.cork(() => send(this.#exchange, answer, this.#services, close));
	}

	#reset(): void {
		this.#over = true;
		this.#sending.abandonBody();
		this.#stream?.abandon();
		this.#services.end(this.#exchange, this.#exchange.responseStatusCode, false);
		this.#exchange.response.close();
	}

	#clientLeft(): void {
		if (this.#over) return;
		this.#over = true;
		this.#held = undefined;
		this.#wait?.cancel();
		this.#sending.abandonBody();
		this.#stream?.abandon();
		this.#sending.dropCall();
		this.#services.end(this.#exchange, this.#exchange.responseStatusCode, true);
	}
}
