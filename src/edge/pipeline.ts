/**
 * A request's way (contract 4): route → inbound rules → upstream → outbound rules → reply. What ends
 * before the upstream is answered within the handler, without a promise or a closure. Hot.
 */
import { defaultPort } from "../target.ts";
import { answerOf, runPhase, send, throughOutbound } from "./answering.ts";
import type { Exchange } from "./exchange.ts";
import { NO_ROUTE, NO_UPGRADE, POLICY_FAILED, rateLimited } from "./own-answers.ts";
import type { Patience } from "./patience.ts";
import { Proxying } from "./proxying.ts";
import type { RouteTable } from "./routes.ts";
import { OUTCOMES, type Services } from "./services.ts";

const listsUpgrade = (line: string): boolean => /(?:^|[\s,])upgrade(?:$|[\s,])/i.test(line);

const asksForWebSocket = (exchange: Exchange): boolean => {
	const upgrade = exchange.requestHeaders.lines("upgrade");
	if (!upgrade.some((line) => /websocket/i.test(line))) return false;
	return exchange.requestHeaders.lines("connection").some(listsUpgrade);
};

export class Pipeline {
	readonly #table: RouteTable;
	readonly #services: Services;
	readonly #patience: Patience;

	constructor(table: RouteTable, services: Services, patience: Patience) {
		this.#table = table;
		this.#services = services;
		this.#patience = patience;
	}

	/** To be called while the request's handler runs. Never throws: a bug costs its own request only. */
	run(exchange: Exchange): void {
		const services = this.#services;
		services.begin();
		try {
			this.#run(exchange);
		} catch (error) {
			services.log.error({ err: error, route: exchange.routeId }, "request failed");
			if (!exchange.over) {
				services.end(exchange, 500, false);
				exchange.response.close();
			}
		}
	}

	#run(exchange: Exchange): void {
		const services = this.#services;
		const { authority, path } = exchange.arrival;
		const { scheme, port } = exchange.door;
		const route = this.#table.find(authority, defaultPort(scheme), port, path);
		if (route === undefined) {
			send(exchange, NO_ROUTE, services);
			return;
		}
		exchange.route = route;
		const { policy } = route;
		if (policy !== undefined && !policy.inboundEmpty) {
			const outcome = runPhase(policy, "inbound", exchange, services);
			if (outcome.kind !== "continue") {
				services.metrics.add(OUTCOMES[outcome.kind]);
				switch (outcome.kind) {
					case "deny":
						send(exchange, { statusCode: outcome.statusCode, headers: [], content: "" }, services);
						return;
					case "limited":
						send(exchange, rateLimited(outcome.retryAfterSeconds), services);
						return;
					case "respond":
						send(exchange, throughOutbound(exchange, answerOf(outcome), services), services);
						return;
					case "failed":
						send(exchange, POLICY_FAILED, services);
						return;
				}
			}
		}
		if (asksForWebSocket(exchange)) {
			send(exchange, NO_UPGRADE, services);
			return;
		}
		new Proxying(exchange, route, services, this.#patience).start();
	}
}
