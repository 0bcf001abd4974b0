/** Has the server judge the text a moment after it has changed, as a PUT would. Used by policy.tsx. */
import { useEffect, useState } from "preact/hooks";
import type { PolicyCheckAnswer } from "../../src/management/live/shapes.ts";
import type { Client } from "../api/client.ts";

export interface Check {
	/** the text that was judged; undefined: none yet */
	readonly of: string | undefined;
	readonly answer: PolicyCheckAnswer;
	readonly error: unknown;
}

const NOTHING: PolicyCheckAnswer = { valid: true, problems: [], warnings: [] };
const DELAY_MS = 200;

/** @param text undefined: there is none yet */
export function useCheck(client: Client, text: string | undefined): Check {
	const [check, set] = useState<Check>({ of: undefined, answer: NOTHING, error: undefined });
	useEffect(() => {
		if (text === undefined) return;
		const abort = new AbortController();
		const timer = setTimeout(async () => {
			try {
				const asking = { method: "POST", body: text, signal: abort.signal };
				const { value } = await client.ask<PolicyCheckAnswer>("/policy/check", asking);
				if (!abort.signal.aborted) set({ of: text, answer: value, error: undefined });
			} catch (error) {
				if (!abort.signal.aborted) set({ of: text, answer: NOTHING, error });
			}
		}, DELAY_MS);
		return () => {
			clearTimeout(timer);
			abort.abort();
		};
	}, [client, text]);
	return check;
}
