/**
 * A question that any answer will do for, asked again while nobody answers: one that was sent to a leader that is no more, or
 * to a server that stands still, is never answered, and the next one goes to another. Used by `api.ts` for reads.
 */

/** milliseconds until it is asked for the second time; then twice as long each time */
export const AGAIN_MS = 750;

/**
 * The first answer, or the first refusal, of all that were asked; of those that run out of time, the last one's.
 * @param ask sends it; must reject within `leftMs`
 * @param isSilence whether a rejection says only that nobody has answered
 */
export function repeated<T>(
	ask: (leftMs: number) => Promise<T>,
	timeoutMs: number,
	isSilence: (error: unknown) => boolean,
): Promise<T> {
	const began = performance.now();
	return new Promise((resolve, reject) => {
		let timer: NodeJS.Timeout | undefined;
		let waiting = 0;
		/** it will be asked once more */
		let isPlanned = false;
		const settled = () => clearTimeout(timer);
		const send = (pauseMs: number) => {
			waiting++;
			// a process that stood still may come here late
			const leftMs = Math.max(1, timeoutMs - (performance.now() - began));
			isPlanned = pauseMs < leftMs;
			if (isPlanned) timer = setTimeout(send, pauseMs, 2 * pauseMs);
			ask(leftMs).then(
				(answer) => {
					settled();
					resolve(answer);
				},
				(error: unknown) => {
					waiting--;
					// in whatever order they run out of time
					if (isSilence(error) && (waiting > 0 || isPlanned)) return;
					settled();
					reject(error);
				},
			);
		};
		send(AGAIN_MS);
	});
}
