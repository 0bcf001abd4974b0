/**
 * How a proxied request ends for its client. Exactly one of these happens: the upstream's response is handed over to
 * its last byte, a local reply takes its place, the connection becomes a tunnel, it is reset, or the client leaves
 * first. So a client gets a complete body or sees that it is not complete. Made by `proxied-request.ts` when it is needed:
 * most responses are there as a whole (`whole-answers.ts`).
 */
import type { Exchange } from "../exchange.ts";
import { unseenReply } from "../phases/policy-replies.ts";
import { sendReply } from "../response/end-request.ts";
import type { LocalReply } from "../response/local-replies.ts";
import { type Holding, ResponseStream, type StreamEvents } from "../response/response-stream.ts";
import { hasNoBody, type PassedHeaders, writeHead } from "../response/write-response.ts";
import type { IdleTimeouts } from "../slow/idle-timeouts.ts";
import type { Direction, SlowReason } from "../slow/slow-clients.ts";
import type { Upgrade } from "../tunnels/upgrade.ts";
import type { UpstreamRequest } from "./upstream-request.ts";

export class ResponseDelivery implements StreamEvents {
	/** the response has ended or can't be sent any more */
	over = false;
	/** the upstream's response tells the client that its connection ends with it */
	closes = false;
	readonly #exchange: Exchange;
	readonly #idleTimeouts: IdleTimeouts;
	readonly #upstream: UpstreamRequest;
	#stream: ResponseStream | undefined;

	constructor(exchange: Exchange, idleTimeouts: IdleTimeouts, upstream: UpstreamRequest) {
		this.#exchange = exchange;
		this.#idleTimeouts = idleTimeouts;
		this.#upstream = upstream;
	}

	/** The head is sent, or about to be: no local reply can take its place. */
	get hasBegun(): boolean {
		return this.#stream !== undefined;
	}

	/** every byte of a known length has been received */
	get complete(): boolean {
		return this.#stream?.complete === true;
	}

	/** The upstream's response; `write` and `end` follow. @param length of its body, or -1 */
	begin(statusCode: number, passed: PassedHeaders, length: number): void {
		const exchange = this.#exchange;
		exchange.answeredBy = "upstream";
		exchange.answered(statusCode);
		if (!hasNoBody(exchange.method, statusCode)) {
			const idleTimeouts = this.#idleTimeouts;
			this.#stream = new ResponseStream(exchange, idleTimeouts, statusCode, passed, length, this);
			return;
		}
		this.over = true;
		this.#upstream.stopBody();
		exchange.response.cork(() => {
			writeHead(exchange.response, statusCode, passed);
			exchange.response.endWithoutBody();
		});
		this.ended();
	}

	/** @returns false: wait for `UpstreamRequest.resume` */
	write(chunk: Uint8Array): boolean {
		if (this.over || this.#stream === undefined) return true;
		const taken = this.#stream.write(chunk);
		if (taken === "overrun") {
			this.#upstream.dropCall();
			this.reset();
		}
		return taken !== "later";
	}

	/** The upstream has sent all of its body. */
	end(): void {
		if (this.#stream?.end() !== true) this.reset();
	}

	/** @param close the connection is closed after it */
	reply(reply: LocalReply, close = false): void {
		this.over = true;
		this.#upstream.stopBody();
		this.#exchange.response.cork(() =>
			sendReply(this.#exchange, reply, this.#exchange.services, close),
		);
	}

	/** The client sees that the body is not complete. */
	reset(): void {
		this.over = true;
		this.#upstream.abandonBody();
		this.#stream?.abandon();
		this.#exchange.services.end(this.#exchange, this.#exchange.responseStatusCode, false);
		this.#exchange.response.close();
	}

	clientLeft(): void {
		this.over = true;
		this.#upstream.abandonBody();
		this.#stream?.abandon();
		this.#upstream.dropCall();
		this.#exchange.services.end(this.#exchange, this.#exchange.responseStatusCode, true);
	}

	ending(): void {
		this.#upstream.stopBody();
	}

	ended(): void {
		this.over = true;
		this.#exchange.client.answered(this.closes);
		this.#exchange.services.end(this.#exchange, this.#exchange.responseStatusCode, false);
	}

	/** The client's connection becomes a tunnel, unless there can be none. @param head of the 101 */
	switch(upgrade: Upgrade, head: PassedHeaders): void {
		const instead = upgrade.open(this.#exchange, head);
		if (instead !== undefined) {
			this.#upstream.dropCall();
			this.reply(unseenReply(this.#exchange, instead));
			return;
		}
		this.over = true;
		this.#upstream.tunnelOpened();
		this.#exchange.answeredBy = "upstream";
		this.#exchange.services.end(this.#exchange, 101, false);
	}

	drained(): void {
		this.#upstream.resume();
	}

	tooSlow(direction: Direction, reason: SlowReason): void {
		this.#upstream.tooSlow(direction, reason);
	}

	/** What the upstream holds for the response. */
	get upstreamCall(): Holding {
		return this.#upstream;
	}
}
