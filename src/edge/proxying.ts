/**
 * The part of a request that waits for an upstream (contract 6): the body streams up through
 * `ClientBody`, the response streams down from here, each side held back by the other. Exactly one of
 * these ends it: the last byte was handed over, the answer was replaced, the client left, or the upstream
 * died with the header sent, which resets the client's connection: a body is complete or visibly not.
 */
import { answerOf, runPhase, send, throughOutbound } from "./answering.ts";
import { ClientBody } from "./body.ts";
import type { Exchange } from "./exchange.ts";
import { forwardHeaders } from "./forward.ts";
import {
	type Answer,
	INTERNAL,
	POLICY_FAILED,
	UPSTREAM_BUSY,
	UPSTREAM_FAILED,
	UPSTREAM_TIMEOUT,
} from "./own-answers.ts";
import type { Patience } from "./patience.ts";
import { hasNoBody, passedHeaders, writeHead } from "./reply.ts";
import { ResponseStream } from "./response-stream.ts";
import type { Route } from "./routes.ts";
import { OUTCOMES, type Services } from "./services.ts";
import type { ResponseSink, UpstreamCall, UpstreamFailure } from "./upstream.ts";

export class Proxying implements ResponseSink {
	readonly #exchange: Exchange;
	readonly #route: Route;
	readonly #services: Services;
	readonly #patience: Patience;
	#body: ClientBody | undefined;
	#call: UpstreamCall | undefined;
	#stream: ResponseStream | undefined;
	/** the response has ended or can't be sent any more */
	#over = false;
	/** nothing more is wanted of the upstream; `send` may not have returned yet */
	#dropCall = false;

	constructor(exchange: Exchange, route: Route, services: Services, patience: Patience) {
		this.#exchange = exchange;
		this.#route = route;
		this.#services = services;
		this.#patience = patience;
	}

	/** To be called while the request's handler runs. */
	start(): void {
		const exchange = this.#exchange;
		const { method, bodyLength } = exchange.arrival;
		const { upstream, document } = this.#route.backend;
		exchange.response.onAborted(() => this.#clientLeft());
		if (bodyLength !== 0) this.#body = new ClientBody(exchange, this.#patience);
		const headers = forwardHeaders(exchange, document.host_header);
		const request = { method, target: exchange.target, headers, body: this.#body };
		try {
			this.#call = upstream.send(request, this);
		} catch (error) {
			this.#services.log.error({ err: error, route: this.#route.routeId }, "upstream threw");
			if (!this.#over) this.#answer(INTERNAL);
		}
		if (this.#dropCall) this.#call?.abort();
	}

	onResponse(statusCode: number, headers: readonly Uint8Array[], length: number): void {
		if (this.#over) return;
		const exchange = this.#exchange;
		const bodyless = hasNoBody(exchange.method, statusCode);
		const added = this.#services.draining ? ["connection: close"] : [];
		if (bodyless && length >= 0 && statusCode !== 204) added.push(`content-length: ${length}`);
		const passed = passedHeaders(headers, added);
		if (passed === undefined || statusCode < 200 || statusCode > 999) {
			this.#dropUpstream();
			this.#fail(UPSTREAM_FAILED);
			return;
		}
		exchange.setUpstreamResponse(statusCode, headers, length);
		const replacement = this.#outbound();
		if (replacement !== undefined) {
			this.#dropUpstream();
			this.#answer(replacement);
			return;
		}
		if (bodyless) {
			this.#over = true;
			this.#stopBody();
			exchange.response.cork(() => {
				writeHead(exchange.response, statusCode, passed);
				exchange.response.endWithoutBody();
			});
			this.#ended(statusCode);
			return;
		}
		this.#stream = new ResponseStream(exchange, this.#patience, statusCode, passed, length, {
			ending: () => this.#stopBody(),
			ended: () => this.#ended(statusCode),
			drained: () => this.#call?.resume(),
		});
	}

	onData(chunk: Uint8Array): boolean {
		if (this.#over || this.#stream === undefined) return true;
		const taken = this.#stream.write(chunk);
		if (taken === "overrun") {
			this.#dropUpstream();
			this.#reset();
		}
		return taken !== "later";
	}

	onEnd(): void {
		if (this.#over) return;
		if (this.#stream?.end() !== true) this.#reset();
	}

	onError(failure: UpstreamFailure): void {
		// With every byte received there is nothing left that could be missing.
		if (this.#over || this.#stream?.complete === true) return;
		if (this.#stream !== undefined) this.#reset();
		else if (failure === "timeout") this.#fail(UPSTREAM_TIMEOUT);
		else if (failure === "queue_full") this.#answer(UPSTREAM_BUSY);
		else this.#fail(UPSTREAM_FAILED);
	}

	/** @returns what to send instead of the upstream's response */
	#outbound(): Answer | undefined {
		const { policy } = this.#route;
		if (policy === undefined || policy.outboundEmpty) return undefined;
		const outcome = runPhase(policy, "outbound", this.#exchange, this.#services);
		if (outcome.kind === "respond") {
			this.#services.metrics.add(OUTCOMES.respond);
			return answerOf(outcome);
		}
		if (outcome.kind !== "failed") return undefined;
		this.#services.metrics.add(OUTCOMES.failed);
		return POLICY_FAILED;
	}

	/** 502 and 504: outbound rules see them. */
	#fail(answer: Answer): void {
		this.#answer(throughOutbound(this.#exchange, answer, this.#services));
	}

	#answer(answer: Answer): void {
		this.#over = true;
		this.#stopBody();
		this.#exchange.response.cork(() => send(this.#exchange, answer, this.#services));
	}

	#ended(statusCode: number): void {
		this.#over = true;
		this.#services.end(this.#exchange, statusCode, false);
	}

	/**
	 * Before the last byte is handed to the library: afterwards the response must not be touched. If the
	 * answer is there before the request is, nobody wants the rest of its body.
	 */
	#stopBody(): void {
		if (this.#body === undefined) return;
		if (!this.#body.complete) this.#dropUpstream();
		this.#body.discard();
	}

	#dropUpstream(): void {
		this.#dropCall = true;
		this.#call?.abort();
	}

	#reset(): void {
		this.#over = true;
		this.#body?.abandon();
		this.#stream?.abandon();
		const { response, responseStatusCode } = this.#exchange;
		this.#services.end(this.#exchange, responseStatusCode, false);
		response.close();
	}

	#clientLeft(): void {
		// Also called when the connection closes after an answer without a body.
		if (this.#over) return;
		this.#over = true;
		this.#body?.abandon();
		this.#stream?.abandon();
		this.#dropUpstream();
		this.#services.end(this.#exchange, this.#exchange.responseStatusCode, true);
	}
}
