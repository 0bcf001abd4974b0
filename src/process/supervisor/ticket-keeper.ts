/**
 * The supervisor's part in session tickets: makes the secrets of their keys, keeps them in memory only, and
 * replaces them (RFC 5077 5.5). Used by `worker-set.ts`, which hands them to every worker.
 *
 * A worker opens tickets of two secrets and seals with one. So that no ticket is sealed with a secret that a
 * worker hasn't heard of yet, the next one is first told as one that opens; the one before the last, whose tickets
 * are as old as a whole period by then, gives way to it. A ticket is taken for a period less the time between
 * the two steps at least, for two periods at most.
 */
import { randomBytes } from "node:crypto";
import type { TicketSecrets } from "../../edge/tls/ticket-key.ts";
import { LIMITS } from "../../limits/limits.ts";

const newSecret = (): string => randomBytes(32).toString("base64");

export class TicketKeeper {
	#secrets: TicketSecrets = { seal: newSecret(), open: newSecret() };
	readonly #onChange: (secrets: TicketSecrets) => void;
	readonly #period: NodeJS.Timeout;
	#handover: NodeJS.Timeout | undefined;

	/** @param onChange called with each pair after the first */
	constructor(onChange: (secrets: TicketSecrets) => void) {
		this.#onChange = onChange;
		this.#period = setInterval(() => this.#announce(), LIMITS.ticketSecretMs).unref();
	}

	get secrets(): TicketSecrets {
		return this.#secrets;
	}

	close(): void {
		clearInterval(this.#period);
		clearTimeout(this.#handover);
	}

	#announce(): void {
		const { seal } = this.#secrets;
		const next = newSecret();
		this.#tell({ seal, open: next });
		this.#handover = setTimeout(
			() => this.#tell({ seal: next, open: seal }),
			LIMITS.ticketHandoverMs,
		).unref();
	}

	#tell(secrets: TicketSecrets): void {
		this.#secrets = secrets;
		this.#onChange(secrets);
	}
}
