/**
 * A request that a worker has taken down (`edge/seen/`), as the request of a question: which listener it came to, its lines,
 * and how it is named in the answer. Used by `explain-task.ts` and `explainer.ts`.
 */
import type { Config, Listener } from "../../config.ts";
import type { SeenRequest } from "../../edge/seen/seen-request.ts";
import type { AskedRequest } from "../asked-request.ts";
import type { ExplainQuestion } from "../shapes.ts";

/** @returns undefined: the configuration has no listener */
export function seenAsked(
	seen: SeenRequest,
	{ listen }: Pick<Config, "listen">,
): AskedRequest | undefined {
	const listener = listenerOf(seen, listen);
	if (listener === undefined) return undefined;
	const { method, scheme, rawPath, rawQuery, lines, host } = seen;
	const { port } = seen.listener;
	const notes = seen.limits.length > 0 ? [COUNTED] : [];
	return { method, scheme, rawPath, rawQuery, lines, host, listener, port, notes };
}

const COUNTED =
	"What rate-limits decided was taken down when the request ran, which counted it; the explanation did not.";

/** A reload may have taken it away meanwhile. */
function listenerOf(
	{ listener: { host, port } }: SeenRequest,
	listen: readonly Listener[],
): Listener | undefined {
	const [first] = listen;
	const found = listen.find((each) => each.host === host && each.port === port);
	return found ?? (first && { ...first, host, port });
}

export function seenQuestion(seen: SeenRequest): Omit<ExplainQuestion, "policy"> {
	const { method, scheme, host, rawPath, rawQuery, client } = seen;
	const query = rawQuery === undefined ? "" : `?${rawQuery}`;
	const url = `${scheme}://${host}${rawPath}${query}`;
	return {
		request: { method, url, headers: {}, client_ip: client.address, body_length: 0 },
	};
}
