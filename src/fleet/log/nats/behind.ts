/** Reads are answered by any server of a cluster, also by one that does not have the newest yet. */
import { LIMITS } from "../../../limits/limits.ts";
import { LogError } from "../log.ts";

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 200;

/**
 * Asks again until there is an answer.
 * @param ask undefined: what the leader has is not there yet; with `otherwise`, what counts as the answer if that stays so
 * @throws LogError after a while
 */
export async function whileBehind<T extends object | string | null>(
	what: string,
	ask: () => Promise<T | undefined | { readonly otherwise: T }>,
	patienceMs: number = LIMITS.fleetBehindMs,
): Promise<T> {
	let waited = 0;
	for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
		const answer = await ask();
		const isFallback = typeof answer === "object" && answer !== null && "otherwise" in answer;
		if (answer !== undefined && !isFallback) return answer;
		if (isFallback && waited >= patienceMs) return answer.otherwise;
		if (waited >= patienceMs)
			throw new LogError(
				"unreachable",
				`No server of the engine has ${what}, though its leader does: look at \`nats server report jetstream\` for replicas that lag.`,
			);
		waited += pause;
		await new Promise((resolve) => setTimeout(resolve, pause));
	}
}
