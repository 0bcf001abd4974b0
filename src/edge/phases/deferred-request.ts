/**
 * A request that has to wait before it is answered or proxied: its policy is still being compiled, its inbound
 * rules wait for an expensive expression, or the outbound rules that see its custom-response do. Other requests
 * are served meanwhile. Its body is held back, and if the client leaves, nothing more happens. Made by
 * `pipeline.ts` while the request's handler runs.
 */
import type { CompiledPolicy, SuspendedRun } from "../../policy/exchange.ts";
import type { Exchange } from "../exchange.ts";
import type { PolicySlot } from "../policies/policy-slot.ts";
import { ClientBody } from "../request/client-body.ts";
import { breakOff, closeUnanswered, sendReply } from "../response/end-request.ts";
import type { LocalReply } from "../response/local-replies.ts";
import type { Services } from "../services.ts";
import type { IdleTimeouts } from "../slow/idle-timeouts.ts";
import { PhaseWait } from "./phase-wait.ts";
import { inboundReply, isPending, type PendingReply, waitOutbound } from "./policy-replies.ts";
import { type Decision, FAILED, runPhase } from "./run-phase.ts";

/** Takes over a request that the inbound rules let pass, outside of its handler. */
type Continue = (body: ClientBody | undefined) => void;

export class DeferredRequest {
	readonly #exchange: Exchange;
	readonly #services: Services;
	readonly #continue: Continue;
	readonly #body: ClientBody | undefined;
	/** stops the current wait */
	#cancel: () => void = () => {};
	/** answered, handed on, or left by the client */
	#over = false;

	constructor(exchange: Exchange, services: Services, idleTimeouts: IdleTimeouts, goOn: Continue) {
		this.#exchange = exchange;
		this.#services = services;
		this.#continue = goOn;
		exchange.response.onAborted(() => this.#clientLeft());
		if (exchange.head.bodyLength !== 0) this.#body = new ClientBody(exchange, idleTimeouts);
		// Read now, because the log needs the address also if the client leaves.
		void exchange.clientIp;
	}

	/** The policy is `opening`. */
	waitPolicy(slot: PolicySlot): void {
		this.#cancel = slot.wait(() => {
			try {
				this.#runInbound(slot);
			} catch (error) {
				breakOff(this.#exchange, error, this.#services);
			}
		});
	}

	waitInbound(policy: CompiledPolicy, run: SuspendedRun): void {
		const decided = (decision: Decision): void => this.#decided(decision);
		const wait = new PhaseWait(this.#exchange, policy, this.#services, decided).start(run);
		this.#cancel = () => wait.cancel();
	}

	/** The reply is a custom-response of the inbound rules. */
	waitOutbound(pending: PendingReply): void {
		const wait = waitOutbound(this.#exchange, pending, this.#services, (reply) =>
			this.#send(reply),
		);
		this.#cancel = () => wait.cancel();
	}

	#runInbound({ policy }: PolicySlot): void {
		if (policy === undefined) {
			this.#decided(FAILED);
			return;
		}
		const outcome = runPhase(policy, "inbound", this.#exchange, this.#services);
		if (outcome.kind === "suspended") this.waitInbound(policy, outcome.run);
		else this.#decided(outcome);
	}

	#decided(decision: Decision): void {
		if (decision.kind === "continue") {
			this.#over = true;
			this.#continue(this.#body);
			return;
		}
		const reply = inboundReply(decision, this.#exchange, this.#services);
		if (isPending(reply)) this.waitOutbound(reply);
		else if (reply === "close") {
			this.#over = true;
			this.#body?.abandon();
			closeUnanswered(this.#exchange, this.#services);
		} else this.#send(reply);
	}

	#send(reply: LocalReply): void {
		this.#over = true;
		// The rest of the body is not needed. Discarded before the response ends, because after that the library must
		// not be called any more.
		this.#body?.discard();
		this.#exchange.response.cork(() => sendReply(this.#exchange, reply, this.#services));
	}

	#clientLeft(): void {
		if (this.#over) return;
		this.#over = true;
		this.#cancel();
		this.#body?.abandon();
		this.#services.end(this.#exchange, this.#exchange.responseStatusCode, true);
	}
}
