/**
 * Rate-limits of a traced run: nothing is counted. What a limit has used is known to another process, so a run notes what it
 * would have to know (`asked`), goes on as if there were room, and is done again with the answers. Used by `explain/`.
 */
import type {
	KeyPart,
	Purpose,
	RateLimiter,
	RateLimiters,
	RateLimitIdentity,
	Room,
} from "../admission.ts";
import type { LimitEffect } from "./shapes.ts";
import type { Tracer } from "./tracer.ts";

export interface LimitQuestion {
	readonly identity: RateLimitIdentity;
	readonly parts: readonly KeyPart[];
	readonly cost: number;
	/** `try`: a request is charged at once; `look`: it is not, and finds room where no key could be added */
	readonly purpose: "try" | "look";
}

/** What the counters say of a key; `known` is false where nobody can tell. */
export interface LimitAnswer {
	readonly known: boolean;
	/** 0: there is room for the cost */
	readonly waitMs: number;
	readonly remaining: number;
	readonly freesMs: number;
}

/** By `questionKey`. */
export type LimitAnswers = ReadonlyMap<string, LimitAnswer>;

export const questionKey = ({ identity, parts, cost }: Omit<LimitQuestion, "purpose">): string =>
	JSON.stringify([
		...[identity.edgeId, identity.routeId, identity.configuration, identity.ordinal],
		...[parts.map((part) => part ?? null), cost],
	]);

const SECOND_MS = 1000;
const COUNTS: Readonly<Record<Purpose, LimitEffect["counts"]>> = {
	charge: "now",
	force: "now",
	ask: "after_response",
	look: "never",
	try: "never",
};

export class AskedLimits implements RateLimiters {
	readonly #answers: LimitAnswers;
	readonly #tracer: Tracer;
	readonly #asked = new Map<string, LimitQuestion>();

	constructor(answers: LimitAnswers, tracer: Tracer) {
		this.#answers = answers;
		this.#tracer = tracer;
	}

	/** What the run had no answer to. */
	get asked(): readonly LimitQuestion[] {
		return [...this.#asked.values()];
	}

	open(identity: RateLimitIdentity): RateLimiter {
		let room: Room = { remaining: identity.capacity, freesMs: 0 };
		const decide = (purpose: Purpose, cost: number, parts: readonly KeyPart[]): number => {
			const asks = purpose === "charge" ? "try" : "look";
			const question: LimitQuestion = { identity, parts: parts.map(copied), cost, purpose: asks };
			const answer = this.#answer(question);
			const admitted = answer.waitMs === 0;
			const charged = purpose === "charge" && admitted ? cost : 0;
			const freesMs = charged > 0 && answer.freesMs === 0 ? identity.windowMs : answer.freesMs;
			room = { remaining: Math.max(answer.remaining - charged, 0), freesMs };
			this.#tracer.effect(this.#effect(question, answer, purpose));
			return answer.waitMs;
		};
		return {
			admit: (parts) => decide("charge", 1, parts),
			decide,
			get room() {
				return room;
			},
		};
	}

	release(): void {}

	#answer(question: LimitQuestion): LimitAnswer {
		const key = questionKey(question);
		const known = this.#answers.get(key);
		if (known !== undefined) return known;
		this.#asked.set(key, question);
		return { known: false, waitMs: 0, remaining: question.identity.capacity, freesMs: 0 };
	}

	#effect(
		{ identity, parts, cost }: LimitQuestion,
		{ known, waitMs, remaining }: LimitAnswer,
		purpose: Purpose,
	): LimitEffect {
		const { capacity, windowMs } = identity;
		return {
			kind: "rate_limit",
			name: this.#tracer.text("name"),
			key: parts.map((part) =>
				part === undefined || typeof part === "string" ? (part ?? null) : [...part],
			),
			...{ capacity, window_seconds: windowMs / SECOND_MS, cost },
			used: known ? capacity - remaining : null,
			remaining: known ? remaining : null,
			admitted: waitMs === 0,
			retry_after_seconds: Math.ceil(waitMs / SECOND_MS),
			counts: COUNTS[purpose],
		};
	}
}

/** The action takes its key back when it has been decided. */
const copied = (part: KeyPart): KeyPart =>
	part === undefined || typeof part === "string" ? part : [...part];
