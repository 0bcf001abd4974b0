/**
 * Takes one request of a test through a policy (contract 4): inbound rules, the backend's response or the one that the
 * policy makes, outbound rules, what is counted behind them. As `edge/phases/` does it, without a connection. Used by
 * `run-tests.ts`.
 */
import { copyAttributes } from "../../cel/attributes-copy.ts";
import type { GoesOn } from "../../cel/budget.ts";
import { beginInline, endInline } from "../../cel/evaluation.ts";
import type { Settled, Settlement, Suspension } from "../../cel/expression.ts";
import { settle } from "../../cel/settle.ts";
import { ERROR_CODES } from "../../error-codes.ts";
import type { PolicyTest, TestOutcome } from "../document/tests.ts";
import type { AnswerTask, CompiledPolicy, Outcome, Place } from "../exchange.ts";
import { HeaderList, type Line } from "./header-list.ts";
import { linesOf, RehearsedExchange } from "./rehearsed-exchange.ts";

/** What a request came to. */
export interface Rehearsed {
	readonly outcome: TestOutcome;
	/** undefined: the connection was closed without an answer */
	readonly status: number | undefined;
	readonly headers: HeaderList;
	/** the rule that ended a phase */
	readonly endedBy: Place | undefined;
	/** undefined: the backend is not asked */
	readonly upstream:
		| { readonly url: string; readonly uri: string; readonly headers: HeaderList }
		| undefined;
	readonly failures: RehearsedExchange["failures"];
}

type Decision = Exclude<Outcome, { kind: "suspended" }>;

interface Reply {
	readonly status: number;
	readonly lines: readonly Line[];
}

const JSON_LINE: Line = ["content-type", "application/json"];

const ownReply = (code: keyof typeof ERROR_CODES, more: readonly Line[] = []): Reply => ({
	status: ERROR_CODES[code].status,
	lines: [JSON_LINE, ...more],
});

/** The reply to a request that a phase has ended; undefined: there is none, or the phase has not ended it. */
function replyOf(decision: Decision): Reply | undefined {
	switch (decision.kind) {
		case "continue":
		case "close":
			return undefined;
		case "deny":
			return { status: decision.statusCode, lines: [] };
		case "respond":
			return { status: decision.statusCode, lines: decision.headers };
		case "preflight":
			return { status: 204, lines: decision.headers };
		case "failed":
			return ownReply("ERR_POLICY_FAILED");
		case "refused":
			return decision.reason === "address"
				? ownReply("ERR_ADDRESS_REFUSED", decision.headers)
				: ownReply("ERR_CREDENTIALS_REQUIRED", decision.headers);
		case "limited": {
			const { answer, retryAfterSeconds } = decision;
			const usual = ownReply("ERR_RATE_LIMITED", [["retry-after", `${retryAfterSeconds}`]]);
			if (answer === undefined) return usual;
			const type: Line =
				answer.content === undefined ? JSON_LINE : ["content-type", answer.contentType];
			return { status: answer.statusCode, lines: [type, ...usual.lines.slice(1)] };
		}
	}
}

/** @param goesOn asked now and then: may an expensive expression go on? */
export function rehearse(
	policy: CompiledPolicy,
	test: Pick<PolicyTest, "request" | "response">,
	nowMs: number,
	goesOn: GoesOn,
): Rehearsed {
	const exchange = new RehearsedExchange(test, nowMs);
	const decision = decided(policy, policy.inbound(exchange), exchange, goesOn);
	const passes = decision.kind === "continue";
	const upstream = passes ? upstreamOf(exchange) : undefined;
	const seen = passes || decision.kind === "respond";
	const given = test.response;
	const own = replyOf(decision);
	if (seen)
		exchange.setResponse(
			own?.status ?? given?.status ?? 200,
			own?.lines ?? linesOf(given?.headers),
			own === undefined ? given?.body_length : undefined,
		);
	const after = seen
		? decided(policy, policy.outbound(exchange), exchange, goesOn)
		: ({ kind: "continue" } as const);
	const instead = replyOf(after);
	const last = instead === undefined ? decision : after;
	const status = instead?.status ?? (seen ? exchange.responseStatusCode : own?.status);
	const headers = sentHeaders(exchange, instead ?? (seen ? undefined : own), last);
	if (status !== undefined) count(exchange, status, goesOn);
	return {
		outcome: last.kind === "continue" ? "pass" : last.kind,
		status,
		headers,
		endedBy: last.kind === "continue" ? undefined : exchange.endedBy,
		upstream,
		failures: exchange.failures,
	};
}

/** @param reply that no outbound rule has seen; undefined: they have seen what is sent */
function sentHeaders(
	exchange: RehearsedExchange,
	reply: Reply | undefined,
	last: Decision,
): HeaderList {
	if (reply === undefined) return exchange.responseHeaders;
	return last.kind === "preflight"
		? new HeaderList(reply.lines)
		: exchange.withStanding(reply.lines);
}

function upstreamOf(exchange: RehearsedExchange): NonNullable<Rehearsed["upstream"]> {
	const names = exchange.requestHeaders.names();
	const all = names.flatMap((name) =>
		exchange.requestHeaders.lines(name).map((value): Line => [name, value]),
	);
	const headers = new HeaderList(all);
	headers.set("host", exchange.hostLine);
	return { url: exchange.url.full, uri: exchange.url.uri, headers };
}

/** Settles at once what would go to a thread. */
function decided(
	policy: CompiledPolicy,
	first: Outcome,
	exchange: RehearsedExchange,
	goesOn: GoesOn,
): Decision {
	let outcome = first;
	while (outcome.kind === "suspended") {
		const { run } = outcome;
		outcome = policy.resume(exchange, run, settled(run.suspension, exchange, goesOn));
	}
	return outcome;
}

const settled = (
	{ source, phase, wants, reads, program }: Suspension,
	exchange: RehearsedExchange,
	goesOn: GoesOn,
): Settlement => {
	const attributes = copyAttributes(exchange, reads);
	return settle({ source, phase, wants, attributes, program }, () => goesOn);
};

/** What actions do once the response is known: a rate-limit counts failed logins. */
function count(exchange: RehearsedExchange, status: number, goesOn: GoesOn): void {
	if (exchange.answerTasks.length === 0) return;
	if (status !== exchange.responseStatusCode) exchange.setResponse(status, []);
	for (const task of exchange.answerTasks) runTask(task, exchange, goesOn);
}

function runTask(task: AnswerTask, exchange: RehearsedExchange, goesOn: GoesOn): void {
	const known = new Map<Suspension, Settlement>();
	for (;;) {
		beginInline(exchange.inlineNanoseconds);
		const waits = task.run(exchange, known as Settled);
		exchange.inlineNanoseconds = endInline();
		if (waits === undefined) return;
		known.set(waits, settled(waits, exchange, goesOn));
	}
}
