/**
 * The limiter behind one rate-limit of an open policy, opened by the first request: a policy may have 16,000 of them,
 * some 30 µs each. Until then nothing is made of what it is known by either. Used by `run.ts` and `weighed-run.ts`.
 */
import type {
	LimitTap,
	OpenedLimit,
	OpenedLimits,
	RateLimiter,
	RateLimiters,
	RateLimitIdentity,
} from "../../admission.ts";
import type { ActionContext } from "../action.ts";
import { configurationOf, costMaxOf, type Limit } from "./limit.ts";

/** @param ordinal among those of the policy that are configured alike */
export function identityOf(
	limit: Limit,
	{ edgeId, routeId }: Pick<RateLimitIdentity, "edgeId" | "routeId">,
	configuration: string,
	ordinal: number,
): RateLimitIdentity {
	const costMax = costMaxOf(limit);
	return {
		edgeId,
		routeId,
		configuration,
		ordinal,
		capacity: limit.capacity,
		windowMs: limit.windowMs,
		...(costMax === 1 ? {} : { costMax }),
	};
}

/** For one policy. @returns how often the configuration came before; to be asked in the order of the document */
export function ordinals(): (configuration: string) => number {
	const alike = new Map<string, number>();
	return (configuration) => {
		const ordinal = alike.get(configuration) ?? 0;
		alike.set(configuration, ordinal + 1);
		return ordinal;
	};
}

export class OpenedLimiter implements OpenedLimit {
	readonly #limit: Limit;
	readonly #edgeId: string;
	readonly #routeId: string;
	readonly before: OpenedLimit | undefined;
	readonly #all: OpenedLimits;
	ordinal = -1;
	readonly #limiters: RateLimiters;
	#configuration: string | undefined;
	#identity: RateLimitIdentity | undefined;
	#limiter: RateLimiter | undefined;
	#isClosed = false;

	constructor(limit: Limit, { edgeId, routeId, limiters, limits }: ActionContext) {
		this.#limit = limit;
		this.#edgeId = edgeId;
		this.#routeId = routeId;
		this.#limiters = limiters;
		this.#all = limits;
		this.before = limits.last;
		limits.last = this;
	}

	/** Hot. @param tap of the request, if somebody wants to know what is decided of it */
	get(tap?: LimitTap): RateLimiter {
		const limiter = this.#limiter ?? this.#open();
		return tap === undefined ? limiter : tap.over(limiter, this.#identified());
	}

	/** Undefined before the first request, and once it is closed. */
	get handle(): number | undefined {
		return this.#isClosed ? undefined : this.#limiter?.handle;
	}

	close(): void {
		this.#isClosed = true;
		if (this.#limiter !== undefined) this.#limiters.release(this.#identified());
	}

	get configuration(): string {
		this.#configuration ??= configurationOf(this.#limit);
		return this.#configuration;
	}

	/**
	 * The first request may be one that began before the policy was replaced. The policy is closed by then, so the
	 * limiter is released at once.
	 */
	#open(): RateLimiter {
		this.#limiter = this.#limiters.open(this.#identified());
		if (this.#isClosed) this.#limiters.release(this.#identified());
		return this.#limiter;
	}

	#identified(): RateLimitIdentity {
		if (this.ordinal < 0) giveOrdinals(this.#all);
		if (this.#identity === undefined) {
			const ids = { edgeId: this.#edgeId, routeId: this.#routeId };
			this.#identity = identityOf(this.#limit, ids, this.configuration, this.ordinal);
		}
		return this.#identity;
	}
}

/** To all of a policy at once, since there may be thousands. */
function giveOrdinals({ last }: OpenedLimits): void {
	if (last !== undefined && last.before === undefined) {
		last.ordinal = 0;
		return;
	}
	const all: OpenedLimit[] = [];
	for (let each = last; each !== undefined; each = each.before) all.push(each);
	const ordinalOf = ordinals();
	for (const each of all.reverse()) each.ordinal = ordinalOf(each.configuration);
}
