/** Why a log can't be replayed, as a sentence without its end. Thrown by `replay.ts`, `simulation.ts` and `log-clock.ts`. */
export class ReplayError extends Error {
	override readonly name = "ReplayError";
}
