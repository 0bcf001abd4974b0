/**
 * What rate-limits decided of one real request, so that it can be explained without being counted again: `asked-limits.ts`
 * answers with it. Made by `edge/seen/request-notes.ts`, asked by the action through the exchange.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { KeyPart, LimitTap, Purpose, RateLimiter, RateLimitIdentity } from "../admission.ts";
import { type LimitAnswer, questionKey } from "./asked-limits.ts";

export class NotedLimits implements LimitTap {
	readonly #answers = new Map<string, LimitAnswer>();

	/** by `questionKey`; at most `LIMITS.seenLimits` */
	get answers(): readonly (readonly [key: string, answer: LimitAnswer])[] {
		return [...this.#answers];
	}

	over(limiter: RateLimiter, identity: RateLimitIdentity): RateLimiter {
		const decide = (purpose: Purpose, cost: number, parts: readonly KeyPart[]): number => {
			const key = questionKey({ identity, parts, cost });
			const waitMs = limiter.decide(purpose, cost, parts);
			this.#note(key, limiter, waitMs, purpose === "charge" && waitMs === 0 ? cost : 0);
			return waitMs;
		};
		return {
			admit: (parts) => decide("charge", 1, parts),
			decide,
			get room() {
				return limiter.room;
			},
		};
	}

	/** An action that is run again has decided anew. @param charged that the room lacks already */
	#note(key: string, { room }: RateLimiter, waitMs: number, charged: number): void {
		if (this.#answers.size >= LIMITS.seenLimits && !this.#answers.has(key)) return;
		const { remaining, freesMs } = room;
		this.#answers.set(key, { known: true, waitMs, remaining: remaining + charged, freesMs });
	}
}
