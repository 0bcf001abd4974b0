/**
 * A request whose inbound rules, or the outbound rules that see its custom-response, wait for an expensive
 * expression. Others are served meanwhile; its body is held back, and if the client leaves nobody goes on.
 * Made by `pipeline.ts` while the request's handler runs.
 */
import type { CompiledPolicy, SuspendedRun } from "../../policy/exchange.ts";
import { type Decision, inboundReply, replacement, send, showOutbound } from "./outbound-reply.ts";
import type { Exchange } from "../exchange.ts";
import { PhaseWait } from "./phase-wait.ts";
import { ClientBody } from "../request/body.ts";
import type { LocalReply } from "../response/local-replies.ts";
import type { Services } from "../services.ts";
import type { IdleTimeouts } from "../slow/idle-timeouts.ts";

export class DeferredRequest {
	readonly #exchange: Exchange;
	readonly #policy: CompiledPolicy;
	readonly #services: Services;
	readonly #body: ClientBody | undefined;
	#wait: PhaseWait | undefined;
	/** answered, handed on, or left by the client */
	#over = false;

	constructor(
		exchange: Exchange,
		policy: CompiledPolicy,
		services: Services,
		idleTimeouts: IdleTimeouts,
	) {
		this.#exchange = exchange;
		this.#policy = policy;
		this.#services = services;
		exchange.response.onAborted(() => this.#clientLeft());
		if (exchange.head.bodyLength !== 0) this.#body = new ClientBody(exchange, idleTimeouts);
		// It can't be asked for when the client has left, and the log wants it all the same.
		void exchange.clientIp;
	}

	/** @param goOn called if the inbound rules let it pass, from outside of the handler; it takes over */
	waitInbound(run: SuspendedRun, goOn: (body: ClientBody | undefined) => void): void {
		this.#waitFor(run, (decision) => {
			if (decision.kind === "continue") {
				this.#over = true;
				goOn(this.#body);
				return;
			}
			this.#services.countOutcome(decision.kind);
			const answer = inboundReply(decision);
			if (decision.kind === "respond") this.#showOutbound(answer);
			else this.#send(answer);
		});
	}

	/** The answer is a custom-response of the inbound rules. */
	waitOutbound(run: SuspendedRun, answer: LocalReply): void {
		this.#waitFor(run, (decision) => this.#send(replacement(decision, this.#services) ?? answer));
	}

	#showOutbound(answer: LocalReply): void {
		const outcome = showOutbound(this.#exchange, answer, this.#services);
		if (outcome.kind === "suspended") this.waitOutbound(outcome.run, answer);
		else this.#send(replacement(outcome, this.#services) ?? answer);
	}

	#waitFor(run: SuspendedRun, decided: (decision: Decision) => void): void {
		this.#wait = new PhaseWait(this.#exchange, this.#policy, this.#services, decided).start(run);
	}

	#send(answer: LocalReply): void {
		this.#over = true;
		// What is left of it nobody wants. Before the response ends: afterwards it must not be touched.
		this.#body?.discard();
		this.#exchange.response.cork(() => send(this.#exchange, answer, this.#services));
	}

	#clientLeft(): void {
		if (this.#over) return;
		this.#over = true;
		this.#wait?.cancel();
		this.#body?.abandon();
		this.#services.end(this.#exchange, this.#exchange.responseStatusCode, true);
	}
}
