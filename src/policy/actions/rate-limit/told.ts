/**
 * What clients are told of a limit in header fields (contract 5, rate-limit, `headers`), whether they are admitted or
 * not. Used by `weighed-run.ts`.
 */
import type { PolicyExchange } from "../../exchange.ts";
import type { Limit } from "./limit.ts";

/** The state of a limit after a decision. */
export interface LimitState {
	readonly remaining: number;
	/** until there is more room; of a rejected request, until it may come again */
	readonly afterSeconds: number;
	/** the request is rejected: of limits with as few left, this is the one that it waits for */
	readonly isOver: boolean;
}

const LEGACY = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"] as const;
const NONE: readonly string[] = [];
const SECOND_MS = 1000;

/** A string of RFC 9651; the name has printable ASCII characters only. */
const quotedName = ({ name }: Limit): string =>
	`"${(name === "" ? "default" : name).replace(/["\\]/g, "\\$&")}"`;

/** Of several limits all are listed (`ietf`), or the one with the fewest left (`legacy`). */
export function tell(limit: Limit, state: LimitState, exchange: PolicyExchange): void {
	const { remaining, afterSeconds, isOver } = state;
	if (limit.told === "ietf") {
		const name = quotedName(limit);
		const seconds = limit.windowMs / SECOND_MS;
		exchange.setOnResponse(
			[
				["ratelimit-policy", `${name};q=${limit.capacity};w=${seconds}`],
				["ratelimit", `${name};r=${remaining};t=${afterSeconds}`],
			],
			NONE,
		);
	} else if (limit.told === "legacy") {
		const fewest = exchange.fewestRemaining ?? Number.POSITIVE_INFINITY;
		if (fewest < remaining || (fewest === remaining && !isOver)) return;
		exchange.fewestRemaining = remaining;
		const values = [limit.capacity, remaining, afterSeconds];
		exchange.setOnResponse(
			LEGACY.map((name, index) => [name, `${values[index]}`] as const),
			LEGACY,
		);
	}
}
