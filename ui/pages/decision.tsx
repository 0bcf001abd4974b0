/** Why one request was refused: what is known of it, and its explanation if it brought a token. Shown by refusals.tsx. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Decision } from "../../src/management/live/shapes.ts";
import type { Client } from "../api/client.ts";
import { Explained } from "../editor/explained.tsx";
import { linkTo } from "../location.ts";
import { sentenceOf } from "../parts/notices.tsx";
import { decided, withoutExplanation } from "./decision-words.ts";

interface Props {
	readonly client: Client;
	readonly requestId: string;
	close(): void;
}

/** Over the list, which may go on beneath it. */
export function DecisionDialog({ client, requestId, close }: Props) {
	const dialog = useRef<HTMLDialogElement>(null);
	const [decision, setDecision] = useState<Decision | undefined>(undefined);
	const [mistake, setMistake] = useState("");
	useEffect(() => dialog.current?.showModal(), []);
	useEffect(() => {
		const asking = new AbortController();
		client
			.get<Decision>(`/decisions/${encodeURIComponent(requestId)}`, asking.signal)
			.then(setDecision, (error: unknown) => {
				if (!asking.signal.aborted) setMistake(sentenceOf(error));
			});
		return () => asking.abort();
	}, [client, requestId]);
	return (
		<dialog ref={dialog} class="decision" aria-labelledby="decision" onClose={close}>
			<div class="head">
				<h2 id="decision">Why</h2>
				<button type="button" onClick={() => dialog.current?.close()}>
					Close
				</button>
			</div>
			<p role="alert" class="bad">
				{mistake}
			</p>
			{decision === undefined ? (
				<p role="status" class="soft">
					{mistake === "" ? "Asking for it" : ""}
				</p>
			) : (
				<Told {...decision} />
			)}
		</dialog>
	);
}

function Told(decision: Decision) {
	const { method, host, path, client_ip, request_id, edge_id, route_id, explained } = decision;
	return (
		<>
			<p class="mono">
				{method} {host}
				{path}
			</p>
			<p>{decided(decision)}</p>
			<p class="soft small">
				From {client_ip === "" ? "an unknown address" : client_ip}
				{edge_id !== null && route_id !== null && (
					<>
						, on the route{" "}
						<a href={linkTo({ page: "policy", edgeId: edge_id, routeId: route_id })}>
							{edge_id}/{route_id}
						</a>
					</>
				)}
				. Its id is <span class="mono">{request_id}</span>.
			</p>
			{explained?.explanation ? (
				<>
					{explained.agrees !== true && (
						<p class="bad">
							What follows does not say what happened: something was stored since, or weir has a
							bug.
						</p>
					)}
					<Explained told={explained.explanation} />
				</>
			) : (
				<p class="soft small">{withoutExplanation(explained)}</p>
			)}
		</>
	);
}
