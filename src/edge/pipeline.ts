/**
 * A request's way (contract 4): route → inbound rules → upstream → outbound rules → response. A request that ends
 * before the upstream is answered within the server library's handler, without a promise or a closure, unless it
 * has to wait (`phases/deferred-request.ts`). Hot. Called by `server.ts`.
 */
import { defaultPort } from "../http/target.ts";
import type { Exchange } from "./exchange.ts";
import { DeferredRequest } from "./phases/deferred-request.ts";
import { inboundReply, isPending, unseenReply } from "./phases/policy-replies.ts";
import { type Decision, FAILED, runPhase } from "./phases/run-phase.ts";
import type { PolicySlot } from "./policies/policy-slot.ts";
import { isLoop } from "./proxying/loops.ts";
import { ProxiedRequest } from "./proxying/proxied-request.ts";
import type { ClientBody } from "./request/client-body.ts";
import { breakOff, closeUnanswered, sendReply } from "./response/end-request.ts";
import { LOOP, NO_ROUTE, NO_UPGRADE } from "./response/local-replies.ts";
import type { Route } from "./routing/route.ts";
import type { RouteTable } from "./routing/route-table.ts";
import type { Services } from "./services.ts";
import type { IdleTimeouts } from "./slow/idle-timeouts.ts";

const listsUpgrade = (line: string): boolean => /(?:^|[\s,])upgrade(?:$|[\s,])/i.test(line);

const asksForWebSocket = (exchange: Exchange): boolean => {
	if (!exchange.head.upgrade) return false;
	const upgrade = exchange.requestHeaders.lines("upgrade");
	if (!upgrade.some((line) => /websocket/i.test(line))) return false;
	return exchange.requestHeaders.lines("connection").some(listsUpgrade);
};

export class Pipeline {
	readonly #table: RouteTable;
	readonly #services: Services;
	readonly #idleTimeouts: IdleTimeouts;

	constructor(table: RouteTable, services: Services, idleTimeouts: IdleTimeouts) {
		this.#table = table;
		this.#services = services;
		this.#idleTimeouts = idleTimeouts;
	}

	/** To be called while the request's handler runs. Never throws: a bug costs its own request only. */
	run(exchange: Exchange): void {
		const services = this.#services;
		services.begin();
		try {
			this.#run(exchange);
		} catch (error) {
			breakOff(exchange, error, services);
		}
	}

	#run(exchange: Exchange): void {
		const services = this.#services;
		const { authority, path } = exchange.head;
		const { scheme, port } = exchange.listenerContext;
		const route = this.#table.find(authority, defaultPort(scheme), port, path);
		if (route === undefined) {
			services.refusals.note(exchange, "no_route", NO_ROUTE.statusCode);
			sendReply(exchange, NO_ROUTE, services);
			return;
		}
		exchange.route = route;
		if (exchange.head.via && isLoop(exchange.requestHeaders.lines("via"))) {
			services.loopRefused(exchange, route.backend.document.urls);
			services.refusals.note(exchange, "loop", LOOP.statusCode);
			sendReply(exchange, LOOP, services);
			return;
		}
		if (this.#endsInbound(exchange, route)) return;
		if (asksForWebSocket(exchange))
			sendReply(exchange, unseenReply(exchange, NO_UPGRADE), services);
		else new ProxiedRequest(exchange, route, services, this.#idleTimeouts).start(undefined);
	}

	/** @returns true if the rules have ended the request, or it waits and continues later */
	#endsInbound(exchange: Exchange, { slot }: Route): boolean {
		const { policy } = slot;
		if (policy === undefined) return this.#endsWithoutPolicy(exchange, slot);
		if (policy.inboundEmpty) return false;
		const outcome = runPhase(policy, "inbound", exchange, this.#services);
		if (outcome.kind === "continue") return false;
		if (outcome.kind === "suspended") this.#defer(exchange).waitInbound(policy, outcome.run);
		else this.#reply(exchange, outcome);
		return true;
	}

	#endsWithoutPolicy(exchange: Exchange, slot: PolicySlot): boolean {
		if (slot.state === "none") return false;
		if (slot.state === "opening") this.#defer(exchange).waitPolicy(slot);
		else this.#reply(exchange, FAILED);
		return true;
	}

	#reply(exchange: Exchange, decision: Exclude<Decision, { kind: "continue" }>): void {
		const reply = inboundReply(decision, exchange, this.#services);
		if (isPending(reply)) this.#defer(exchange).waitOutbound(reply);
		else if (reply === "close") closeUnanswered(exchange, this.#services);
		else sendReply(exchange, reply, this.#services);
	}

	#defer(exchange: Exchange): DeferredRequest {
		const goOn = (body: ClientBody | undefined): void => this.#continue(exchange, body);
		return new DeferredRequest(exchange, this.#services, this.#idleTimeouts, goOn);
	}

	/** The inbound rules have let a request pass that had to wait. */
	#continue(exchange: Exchange, body: ClientBody | undefined): void {
		const { route } = exchange;
		if (route !== undefined && !asksForWebSocket(exchange)) {
			new ProxiedRequest(exchange, route, this.#services, this.#idleTimeouts).start(body);
			return;
		}
		body?.discard();
		const reply = unseenReply(exchange, NO_UPGRADE);
		exchange.response.cork(() => sendReply(exchange, reply, this.#services));
	}
}
