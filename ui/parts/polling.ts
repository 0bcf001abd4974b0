/** What a page reads again and again while it is shown: an answer replaces the one before it. Used by pages with lists. */
import { useEffect, useState } from "preact/hooks";
import type { Client } from "../api/client.ts";

export interface Polled<T> {
	/** undefined: none yet */
	readonly value: T | undefined;
	/** of the last attempt */
	readonly error: unknown;
}

/**
 * @param path undefined: nothing is asked
 * @param everyMs from an answer to the next question
 */
export function usePolled<T>(client: Client, path: string | undefined, everyMs: number): Polled<T> {
	const [polled, set] = useState<Polled<T>>({ value: undefined, error: undefined });
	useEffect(() => {
		if (path === undefined) return;
		const abort = new AbortController();
		let timer: ReturnType<typeof setTimeout>;
		const ask = async () => {
			try {
				const value = await client.get<T>(path, abort.signal);
				set({ value, error: undefined });
			} catch (error) {
				if (abort.signal.aborted) return;
				set(({ value }) => ({ value, error }));
			}
			if (!abort.signal.aborted) timer = setTimeout(ask, everyMs);
		};
		void ask();
		return () => {
			abort.abort();
			clearTimeout(timer);
		};
	}, [client, path, everyMs]);
	return polled;
}
