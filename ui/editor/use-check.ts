/** Has the server judge the text a moment after it has changed, as a PUT would. Used by policy.tsx. */
import { useEffect, useState } from "preact/hooks";
import type { PolicyCheckAnswer } from "../../src/management/live/shapes.ts";
import { ApiFailure, type Client } from "../api/client.ts";

export interface Check {
	/** the text that was judged; undefined: none yet */
	readonly of: string | undefined;
	readonly answer: PolicyCheckAnswer;
	readonly error: unknown;
}

const NOTHING: PolicyCheckAnswer = { valid: true, problems: [], warnings: [] };
const DELAY_MS = 200;
/** until the server is asked again that did not answer, or had too much to do */
const RETRY_MS = 2_000;

/** @param text undefined: there is none yet */
export function useCheck(client: Client, text: string | undefined): Check {
	const [check, set] = useState<Check>({ of: undefined, answer: NOTHING, error: undefined });
	useEffect(() => {
		if (text === undefined) return;
		const abort = new AbortController();
		const ask = async (): Promise<void> => {
			try {
				const asking = { method: "POST", body: text, signal: abort.signal };
				const { value } = await client.ask<PolicyCheckAnswer>("/policy/check", asking);
				if (!abort.signal.aborted) set({ of: text, answer: value, error: undefined });
			} catch (error) {
				if (abort.signal.aborted) return;
				set({ of: text, answer: NOTHING, error });
				if (mayPass(error)) timer = setTimeout(ask, RETRY_MS);
			}
		};
		let timer = setTimeout(ask, DELAY_MS);
		return () => {
			clearTimeout(timer);
			abort.abort();
		};
	}, [client, text]);
	return check;
}

const mayPass = (error: unknown): boolean =>
	error instanceof ApiFailure && (error.status === 0 || error.status >= 500);
