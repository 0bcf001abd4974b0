/**
 * Asks the counters once for each request: a limit of plain elements that nobody asks for more than a decision. Made by
 * `rate-limit.ts`, one object for each rate-limit of a policy; the others are run by `weighed-run.ts`.
 */
import { LIMITS } from "../../../limits/limits.ts";
import type { KeyPart } from "../../admission.ts";
import type { Outcome, Place, PolicyExchange, StandingLimit } from "../../exchange.ts";
import { CONTINUE } from "../../outcomes.ts";
import type { ActionContext, RunnableAction } from "../action.ts";
import { readKey } from "./bucket-key.ts";
import type { Limit } from "./limit.ts";
import { OpenedLimiter } from "./opened-limiter.ts";

const MILLISECONDS = 1000;
/** longer keys are filled up with absent parts (`limiter/binding.ts`) */
const PARTS_MAX = 4;

/** @param given by the action @param context by the server's configuration */
export const prefixOf = ({ ipv6Prefix }: Limit, context: ActionContext): number =>
	ipv6Prefix ?? context.ipv6Prefix ?? LIMITS.ipv6Prefix;

export class RateLimit implements RunnableAction {
	readonly #limit: Limit;
	readonly #place: Place;
	readonly #ipv6Prefix: number;
	readonly #opened: OpenedLimiter;
	/** the key of the request at hand */
	readonly #key: KeyPart[];

	constructor(limit: Limit, context: ActionContext) {
		this.#limit = limit;
		this.#place = context.place;
		this.#ipv6Prefix = prefixOf(limit, context);
		this.#opened = new OpenedLimiter(limit, context);
		this.#key = limit.elements.map(() => undefined);
	}

	run(exchange: PolicyExchange): Outcome {
		const limit = this.#limit;
		readKey(limit.elements, exchange, this.#ipv6Prefix, this.#key);
		const waitMs = this.#opened.get(exchange.limitTap).admit(this.#key);
		// A substring keeps the whole string alive: a header's value all headers of its request.
		for (let index = 0; index < this.#key.length; index += 1) this.#key[index] = undefined;
		if (waitMs === 0) return CONTINUE;
		exchange.limitExceeded(this.#place, limit.name, waitMs, limit.enforce);
		if (!limit.enforce) {
			exchange.wouldHave(this.#place, "rate-limit");
			return CONTINUE;
		}
		return { kind: "limited", retryAfterSeconds: retryAfterSeconds(waitMs, limit.windowMs) };
	}

	/** Of a limit that rejects, once it has been asked; its key is made of up to `PARTS_MAX` forms. */
	standing(): StandingLimit | "later" | undefined {
		const { enforce, name, windowMs, elements } = this.#limit;
		const forms = elements.filter((element) => element.kind !== "expression");
		if (!enforce || forms.length < elements.length || forms.length > PARTS_MAX) return undefined;
		const limiter = this.#opened.handle;
		if (limiter === undefined) return "later";
		const ipv6Prefix = this.#ipv6Prefix;
		return { kind: "limited", name, windowMs, elements: forms, ipv6Prefix, limiter };
	}

	close(): void {
		this.#opened.close();
	}
}

/** The wait in whole seconds, rounded up so that it is long enough; from 1 to the window's length. */
export function retryAfterSeconds(waitMs: number, windowMs: number): number {
	const seconds = Math.ceil(waitMs / MILLISECONDS);
	return Math.min(Math.max(seconds, 1), windowMs / MILLISECONDS);
}
