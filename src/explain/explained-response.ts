/** A backend's response that nobody sent, shown to outbound rules as the data path shows one. Called by `backend-answer.ts`. */
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

export interface GivenResponse {
	readonly status: number;
	/** names in lower case */
	readonly lines: Lines;
	/** bytes of its body, or -1 */
	readonly length: number;
}

interface ShownResponse {
	readonly decision: Decision;
	/** what is sent instead */
	readonly reply: LocalReply | undefined;
	readonly status: number;
	readonly headers: Lines;
}

export function showResponse(
	exchange: ExplainedExchange,
	{ status, lines, length }: GivenResponse,
	policy: CompiledPolicy | undefined,
	services: Services,
): ShownResponse {
	const raw = lines.flatMap(([name, value]) => [Buffer.from(name), Buffer.from(value)]);
	const head = RawResponseHead.from(raw);
	if (head === undefined) throw new Error("a response that was not validated is to be explained");
	exchange.setUpstreamResponse(status, head, length);
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

/** Of a question. */
export function givenResponse({
	status,
	headers,
	body_length: given,
}: NonNullable<ExplainQuestion["response"]>): GivenResponse {
	const lines = framed(flatLines(headers), given);
	const told = lines.find(([name]) => name === "content-length")?.[1];
	return { status, lines, length: told === undefined ? -1 : Number(told) };
}

/** With the field that says how long the body is, unless it is there. */
function framed(lines: [string, string][], length: number | "chunked"): Lines {
	const isFramed = lines.some(([name]) => /^(?:content-length|transfer-encoding)$/.test(name));
	if (isFramed) return lines;
	return length === "chunked"
		? [...lines, ["transfer-encoding", "chunked"]]
		: [...lines, ["content-length", String(length)]];
}
