/**
 * A request's way (contract 4): route → inbound rules → upstream → outbound rules → response. A request that ends
 * before the upstream is answered within the server library's handler, without a promise or a closure, unless it
 * has to wait (`phases/deferred-request.ts`). Hot. Called by `server.ts`.
 */
import { defaultPort } from "../http/target.ts";
import { RequestMarks } from "./access/request-marks.ts";
import { PASSED } from "./candidates/shadow.ts";
import type { Exchange } from "./exchange.ts";
import { DeferredRequest } from "./phases/deferred-request.ts";
import { inboundReply, isPending, unseenReply } from "./phases/policy-replies.ts";
import { type Decision, FAILED, runPhase } from "./phases/run-phase.ts";
import type { PolicySlot } from "./policies/policy-slot.ts";
import { isLoop } from "./proxying/loops.ts";
import { ProxiedRequest } from "./proxying/proxied-request.ts";
import type { ClientBody } from "./request/client-body.ts";
import { breakOff, closeUnanswered, sendReply } from "./response/end-request.ts";
import {
	CUT_OFF,
	LOOP,
	type LocalReply,
	NO_ROUTE,
	TOO_MANY_TUNNELS,
} from "./response/local-replies.ts";
import type { Route } from "./routing/route.ts";
import type { RouteTable } from "./routing/route-table.ts";
import type { Services } from "./services.ts";
import type { IdleTimeouts } from "./slow/idle-timeouts.ts";
import type { StandingRefusals } from "./standing/standing-refusals.ts";
import { wishOf } from "./tunnels/handshake.ts";
import type { Tunnels } from "./tunnels/tunnels.ts";
import { Upgrade } from "./tunnels/upgrade.ts";

/** Why a request has no route. */
const MISSING = ["no_route", NO_ROUTE] as const;
const REFUSED = ["cut_off", CUT_OFF] as const;

export class Pipeline {
	readonly #table: RouteTable;
	readonly #services: Services;
	readonly #idleTimeouts: IdleTimeouts;
	readonly #tunnels: Tunnels;
	readonly #standing: StandingRefusals | undefined;

	/** @param standing undefined: every refusal is made here */
	constructor(
		table: RouteTable,
		services: Services,
		idleTimeouts: IdleTimeouts,
		tunnels: Tunnels,
		standing?: StandingRefusals,
	) {
		this.#standing = standing;
		this.#table = table;
		this.#services = services;
		this.#idleTimeouts = idleTimeouts;
		this.#tunnels = tunnels;
	}

	/** To be called while the request's handler runs. Never throws: a bug costs its own request only. */
	run(exchange: Exchange): void {
		const services = this.#services;
		services.begin();
		try {
			exchange.carrier?.begin(exchange);
			if (services.explainTokens?.anyLives === true) services.explainTokens.begin(exchange);
			if (services.tellsLater(exchange.trace)) exchange.marks = new RequestMarks();
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
			const [reason, reply] = this.#table.isHidden ? REFUSED : MISSING;
			services.refusals.note(exchange, reason, reply.statusCode);
			sendReply(exchange, unseenReply(exchange, reply), services);
			return;
		}
		exchange.route = route;
		services.traffic.routes.prefetch(route);
		if (exchange.head.via && isLoop(exchange.requestHeaders.lines("via"))) {
			services.loopRefused(exchange, route.backend.document.urls);
			services.refusals.note(exchange, "loop", LOOP.statusCode);
			sendReply(exchange, unseenReply(exchange, LOOP), services);
			return;
		}
		if (this.#endsInbound(exchange, route)) return;
		this.#forward(exchange, route, undefined);
	}

	/** @returns true if the rules have ended the request, or it waits and continues later */
	#endsInbound(exchange: Exchange, route: Route): boolean {
		const { policy } = route;
		if (policy === undefined) return this.#endsWithoutPolicy(exchange, route.slot);
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
		else {
			sendReply(exchange, reply, this.#services);
			this.#standing?.refused(exchange, decision.kind);
		}
	}

	#defer(exchange: Exchange): DeferredRequest {
		const goOn = (body: ClientBody | undefined): void => this.#continue(exchange, body);
		return new DeferredRequest(exchange, this.#services, this.#idleTimeouts, goOn);
	}

	/** The inbound rules have let a request pass that had to wait. */
	#continue(exchange: Exchange, body: ClientBody | undefined): void {
		const { route } = exchange;
		if (route !== undefined) this.#forward(exchange, route, body);
	}

	/** @param body a body that is being received already; without one, to be called while the request's handler runs */
	#forward(exchange: Exchange, route: Route, body: ClientBody | undefined): void {
		if (route.candidate !== undefined) this.#services.candidates?.begin(exchange, PASSED);
		const wish = wishOf(exchange);
		if (wish === undefined) {
			new ProxiedRequest(exchange, route, this.#idleTimeouts).start(body);
		} else if ("statusCode" in wish) {
			this.#refuse(exchange, wish, body);
		} else if (this.#tunnels.refuses(route)) {
			this.#refuse(exchange, TOO_MANY_TUNNELS, body);
		} else {
			const upgrade = new Upgrade(wish, route, this.#tunnels);
			new ProxiedRequest(exchange, route, this.#idleTimeouts, upgrade).start(body);
		}
	}

	#refuse(exchange: Exchange, reply: LocalReply, body: ClientBody | undefined): void {
		body?.discard();
		const shown = unseenReply(exchange, reply);
		exchange.response.cork(() => sendReply(exchange, shown, this.#services));
	}
}
