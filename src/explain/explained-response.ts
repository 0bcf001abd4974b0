/** A backend's response that nobody sent, shown to outbound rules as the data path shows one. Called by `explain.ts`. */
import { changedLines } from "../edge/headers/response-changes.ts";
import { replacement } from "../edge/phases/policy-replies.ts";
import { type Decision, runPhase } from "../edge/phases/run-phase.ts";
import type { LocalReply } from "../edge/response/local-replies.ts";
import type { Services } from "../edge/services.ts";
import type { CompiledPolicy } from "../policy/exchange.ts";
import { RawResponseHead } from "../upstream/response-head.ts";
import { flatLines, linesIn } from "./asked-request.ts";
import type { ExplainedExchange } from "./explained-exchange.ts";
import type { ExplainQuestion } from "./shapes.ts";

type Lines = readonly [name: string, value: string][];

export interface ShownResponse {
	readonly decision: Decision;
	/** what is sent instead */
	readonly reply: LocalReply | undefined;
	readonly status: number;
	readonly headers: Lines;
}

export function showResponse(
	exchange: ExplainedExchange,
	response: NonNullable<ExplainQuestion["response"]>,
	policy: CompiledPolicy | undefined,
	services: Services,
): ShownResponse {
	const { status, body_length: given } = response;
	const lines = framed(flatLines(response.headers), given);
	const raw = lines.flatMap(([name, value]) => [Buffer.from(name), Buffer.from(value)]);
	const head = RawResponseHead.from(raw);
	if (head === undefined) throw new Error("a response that was not validated is to be explained");
	const told = lines.find(([name]) => name === "content-length")?.[1];
	exchange.setUpstreamResponse(status, head, told === undefined ? -1 : Number(told));
	let decision: Decision = { kind: "continue" };
	if (policy !== undefined && !policy.outboundEmpty) {
		const outcome = runPhase(policy, "outbound", exchange, services);
		if (outcome.kind === "suspended") throw new Error("a traced policy was suspended");
		decision = outcome;
	}
	const reply = replacement(decision, exchange, services);
	const { passed } = changedLines(head, exchange.responseChanges);
	return { decision, reply, status, headers: linesIn(passed) };
}

/** With the field that says how long the body is, unless it is there. */
function framed(lines: [string, string][], length: number | "chunked"): Lines {
	const isFramed = lines.some(([name]) => /^(?:content-length|transfer-encoding)$/.test(name));
	if (isFramed) return lines;
	return length === "chunked"
		? [...lines, ["transfer-encoding", "chunked"]]
		: [...lines, ["content-length", String(length)]];
}
