/**
 * A request that is proxied (contract 6). `upstream-request.ts` sends it to the upstream. This class receives the
 * upstream's answer and runs the outbound rules on it; `whole-answers.ts` or `response-delivery.ts` hands the response to
 * the client. Request body and response are streamed, and each waits for its receiver. Made by `pipeline.ts`.
 */
import type { ConnectionField } from "../../http/client-connection.ts";
import { type Leaver, tellLeaving } from "../../http/client-response.ts";
import type { CompiledPolicy } from "../../policy/exchange.ts";
import type { ResponseHead, WholeResponse } from "../../upstream/response-head.ts";
import type { UpgradedBackend, UpstreamFailure } from "../../upstream/upstream.ts";
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
	BAD_UPGRADE,
	BODIES_FULL,
	INTERNAL,
	type LocalReply,
	TOO_SLOW,
	UPSTREAM_BUSY,
	UPSTREAM_REPLIES,
} from "../response/local-replies.ts";
import { ownLines, type PassedHeaders, passedHeaders } from "../response/write-response.ts";
import type { Route } from "../routing/route.ts";
import type { IdleTimeouts } from "../slow/idle-timeouts.ts";
import type { Direction, SlowReason } from "../slow/slow-clients.ts";
import type { Upgrade } from "../tunnels/upgrade.ts";
import { BufferedResponse, LateResponse } from "./buffered-response.ts";
import { ResponseDelivery } from "./response-delivery.ts";
import { UpstreamRequest } from "./upstream-request.ts";
import { passWhole } from "./whole-answers.ts";

export class ProxiedRequest extends UpstreamRequest implements Leaver {
	readonly #idleTimeouts: IdleTimeouts;
	#delivery: ResponseDelivery | undefined;
	#passed = false;
	#late: LateResponse | undefined;

	/** @param upgrade where the client asks for another protocol */
	constructor(exchange: Exchange, route: Route, idleTimeouts: IdleTimeouts, upgrade?: Upgrade) {
		super(exchange, route, upgrade);
		this.#idleTimeouts = idleTimeouts;
	}

	/** Made when it is needed. */
	private deliver(): ResponseDelivery {
		this.#delivery ??= new ResponseDelivery(this.exchange, this.#idleTimeouts, this);
		return this.#delivery;
	}
	private makeLate(): LateResponse {
		this.#late ??= new LateResponse();
		return this.#late;
	}
	/** The response has ended, one that was passed on whole (`#passed`) too, or can't be sent any more. */
	private isOver(): boolean {
		return this.#passed || this.#delivery?.over === true;
	}

	/** @param body a body that is being received already; without one, to be called while the request's handler runs */
	start(body: ClientBody | undefined): void {
		const { bodies } = this.route.backend;
		if (this.exchange.head.bodyLength !== 0 && bodies.isFull(performance.now())) {
			body?.discard();
			this.deliver().reply(unseenReply(this.exchange, BODIES_FULL));
			return;
		}
		tellLeaving(this.exchange.response, this);
		this.sendOn(body, this.#idleTimeouts);
	}

	protected override threw(err: unknown): void {
		this.services.log.error({ err, route: this.route.routeId }, "upstream threw");
		if (!this.isOver()) this.deliver().reply(unseenReply(this.exchange, INTERNAL));
	}

	tooSlow(direction: Direction, reason: SlowReason): void {
		if (this.isOver()) return;
		this.services.slowClientEnded(this.exchange, direction, reason);
		this.endEarly(TOO_SLOW);
	}

	malformed(): void {
		if (!this.isOver()) this.endEarly(BAD_BODY);
	}

	/** @param reply sent if it isn't too late for one; the connection ends in any case */
	private endEarly(reply: LocalReply): void {
		if (this.#delivery?.hasBegun !== true && this.#late?.buffered === undefined) {
			this.#late?.cancel();
			this.deliver().reply(unseenReply(this.exchange, reply), true);
		} else {
			this.dropCall();
			this.deliver().reset();
		}
	}

	onResponse(statusCode: number, head: ResponseHead, length: number): void {
		if (this.isOver()) return;
		const field = this.connectionField(length);
		const added = ownLines(this.exchange.method, statusCode, length, field);
		this.show(statusCode, head, length, passedHeaders(head, added));
	}

	onUpgrade(head: ResponseHead, backend: UpgradedBackend): void {
		this.upgraded(backend);
		const upgrade = this.isOver() ? undefined : this.asked;
		const passed = upgrade?.agree(head, backend, this.exchange, this.services);
		if (passed === undefined) {
			this.dropCall();
			if (!this.isOver()) this.fail(BAD_UPGRADE);
		} else this.show(101, head, 0, passed);
	}

	/** To outbound rules, where there are any. @param passed what the client gets unless they say otherwise */
	private show(status: number, head: ResponseHead, length: number, passed: PassedHeaders): void {
		const { exchange } = this;
		this.services.traffic.responded(exchange);
		exchange.marks?.answered();
		exchange.setUpstreamResponse(status, head, length);
		exchange.shadow?.seesResponse(status, head, length);
		const { policy } = this.route;
		if (policy === undefined || policy.outboundEmpty) {
			this.begin(status, passed, length);
			return;
		}
		const outcome = runPhase(policy, "outbound", exchange, this.services);
		if (outcome.kind !== "suspended") this.decide(outcome, status, passed, length);
		else {
			const late = this.makeLate();
			late.buffered = new BufferedResponse();
			late.wait = this.wait(policy, status, passed, length).start(outcome.run);
		}
	}

	/** Apart, because a function with a closure makes an object for it each time, also where it comes to none. */
	private wait(
		by: CompiledPolicy,
		status: number,
		passed: PassedHeaders,
		length: number,
	): PhaseWait {
		const decided = (decision: Decision): void => this.decideLate(decision, status, passed, length);
		// The header lines are the upstream's memory, which has to be read while it is valid.
		void this.exchange.responseHeaders;
		return new PhaseWait(this.exchange, by, this.services, decided);
	}

	/** HTTP/1.0 knows no chunks: a body without a length ends with its connection. */
	private connectionField(length: number): ConnectionField {
		const { client } = this.exchange;
		const closes = this.services.draining || (client.isHttp10 && length < 0);
		this.deliver().closes = closes;
		return closes ? "close" : client.connectionField;
	}

	private decideLate(by: Decision, status: number, passed: PassedHeaders, length: number): void {
		const late = this.makeLate();
		const { buffered } = late;
		late.buffered = undefined;
		this.decide(by, status, passed, length);
		if (!this.isOver() && buffered?.handOver(this) === true) this.resume();
	}

	private decide(by: Decision, status: number, passed: PassedHeaders, length: number): void {
		const instead = replacement(by, this.exchange, this.services);
		if (instead === undefined) {
			this.begin(status, passed, length);
			return;
		}
		this.dropCall();
		this.deliver().reply(instead);
	}

	private begin(status: number, passed: PassedHeaders, length: number): void {
		const changed = changedLines(passed, this.exchange.responseChanges);
		if (this.asked?.isAgreed === true) this.deliver().switch(this.asked, changed);
		else this.deliver().begin(status, changed, length);
	}

	onData(chunk: Uint8Array): boolean {
		return this.#late?.buffered?.data(chunk) ?? this.#delivery?.write(chunk) ?? true;
	}

	onWhole(status: number, whole: WholeResponse, length: number): void {
		if (this.isOver()) return;
		this.#passed = passWhole(this.exchange, this.services, this, status, whole, length);
		if (this.#passed) return;
		this.onResponse(status, whole, length);
		if (whole.bodyBytes > 0) this.onData(whole.body());
		this.onEnd();
	}

	onEnd(): void {
		if (this.isOver()) return;
		if (this.#late?.buffered !== undefined) this.#late.buffered.end();
		else this.deliver().end();
	}

	onError(failure: UpstreamFailure, message: string): void {
		// With every byte received nothing can be missing.
		if (this.isOver() || this.#delivery?.complete === true) return;
		this.exchange.marks?.answered();
		this.exchange.failure = failure;
		if (this.#late?.buffered !== undefined) {
			this.#late.buffered.fail(failure, message);
			return;
		}
		const reply = this.#delivery?.hasBegun === true ? undefined : UPSTREAM_REPLIES[failure];
		const [exchange, { urls }] = [this.exchange, this.route.backend.document];
		this.services.upstreamLog.requestFailed(exchange, urls, failure, message, reply?.statusCode);
		if (reply === undefined) this.deliver().reset();
		else if (reply === UPSTREAM_BUSY) this.deliver().reply(unseenReply(this.exchange, reply));
		else this.fail(reply);
	}

	/** @param reply 502 or 504, which outbound rules see */
	private fail(reply: LocalReply): void {
		const shown = showOutbound(this.exchange, reply, this.services);
		if (!isPending(shown)) {
			this.deliver().reply(shown);
			return;
		}
		// The upstream that took the body is gone.
		this.stopBody();
		const send = (to: LocalReply): void => this.deliver().reply(to);
		this.makeLate().wait = waitOutbound(this.exchange, shown, this.services, send);
	}

	clientLeft(): void {
		if (this.isOver()) return;
		this.#late?.cancel();
		this.deliver().clientLeft();
	}
}
