/**
 * A request's way (contract 4): route → inbound rules → upstream → outbound rules → reply. What ends
 * before the upstream is answered within the handler, without a promise or a closure, unless a rule waits for
 * an expensive expression (`deferred-request.ts`). Hot.
 */
import { defaultPort } from "../http/target.ts";
import { breakOff, inboundReply, replacement, runPhase, send, showOutbound } from "./phases/outbound-reply.ts";
import { DeferredRequest } from "./phases/deferred-request.ts";
import type { Exchange } from "./exchange.ts";
import { ProxiedRequest } from "./proxying/proxied-request.ts";
import type { ClientBody } from "./request/body.ts";
import { NO_ROUTE, NO_UPGRADE } from "./response/local-replies.ts";
import type { Route, RouteTable } from "./routing/routes.ts";
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
			send(exchange, NO_ROUTE, services);
			return;
		}
		exchange.route = route;
		if (this.#endsInbound(exchange, route)) return;
		if (asksForWebSocket(exchange)) send(exchange, NO_UPGRADE, services);
		else new ProxiedRequest(exchange, route, services, this.#idleTimeouts).start(undefined);
	}

	/** @returns true if the rules have answered, or will go on later */
	#endsInbound(exchange: Exchange, route: Route): boolean {
		const services = this.#services;
		const { policy } = route;
		if (policy === undefined || policy.inboundEmpty) return false;
		const outcome = runPhase(policy, "inbound", exchange, services);
		if (outcome.kind === "continue") return false;
		if (outcome.kind === "suspended") {
			const deferred = new DeferredRequest(exchange, policy, services, this.#idleTimeouts);
			deferred.waitInbound(outcome.run, (body) => this.#goOn(exchange, route, body));
			return true;
		}
		services.countOutcome(outcome.kind);
		const answer = inboundReply(outcome);
		if (outcome.kind !== "respond") {
			send(exchange, answer, services);
			return true;
		}
		const seen = showOutbound(exchange, answer, services);
		if (seen.kind !== "suspended") {
			send(exchange, replacement(seen, services) ?? answer, services);
			return true;
		}
		const deferred = new DeferredRequest(exchange, policy, services, this.#idleTimeouts);
		deferred.waitOutbound(seen.run, answer);
		return true;
	}

	/** The inbound rules have let a request pass for which they had to wait. */
	#goOn(exchange: Exchange, route: Route, body: ClientBody | undefined): void {
		if (!asksForWebSocket(exchange)) {
			new ProxiedRequest(exchange, route, this.#services, this.#idleTimeouts).start(body);
			return;
		}
		body?.discard();
		exchange.response.cork(() => send(exchange, NO_UPGRADE, this.#services));
	}
}
