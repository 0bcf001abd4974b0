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

/** With their age, so that secrets of a supervisor that others take over from again and again are replaced all the same. */
export interface GivenTickets {
	readonly secrets: TicketSecrets;
	readonly ageMs: number;
}

export class TicketKeeper {
	#secrets: TicketSecrets;
	/** on this process's clock, when they were first told */
	#sinceMs: number;
	readonly #onChange: (secrets: TicketSecrets) => void;
	#period: NodeJS.Timeout;
	#handover: NodeJS.Timeout | undefined;

	/** @param onChange called with each pair after the first @param first of another process, to go on with */
	constructor(onChange: (secrets: TicketSecrets) => void, first?: GivenTickets) {
		this.#onChange = onChange;
		this.#secrets = first?.secrets ?? { seal: newSecret(), open: newSecret() };
		this.#sinceMs = performance.now() - (first?.ageMs ?? 0);
		this.#period = this.#later(Math.max(LIMITS.ticketSecretMs - (first?.ageMs ?? 0), 0));
	}

	get secrets(): TicketSecrets {
		return this.#secrets;
	}

	/** For another supervisor. */
	get given(): GivenTickets {
		return { secrets: this.#secrets, ageMs: Math.round(performance.now() - this.#sinceMs) };
	}

	close(): void {
		clearTimeout(this.#period);
		clearTimeout(this.#handover);
	}

	#later(milliseconds: number): NodeJS.Timeout {
		return setTimeout(() => this.#announce(), milliseconds).unref();
	}

	#announce(): void {
		this.#sinceMs = performance.now();
		this.#period = this.#later(LIMITS.ticketSecretMs);
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
