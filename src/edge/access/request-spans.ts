/**
 * The spans of a request that is traced (contract 6, "Traces"): the server's, which lasts from the request's header to the
 * answer's end; in it that of the policy, and that of the backend. Names are those of OpenTelemetry's conventions for
 * HTTP. Made once by `edge.ts` where tracing is on; told by `services.ts` when a request is over.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { FinishedSpan } from "../../telemetry/traces/span.ts";
import { newSpanId } from "../../telemetry/traces/trace-context.ts";
import type { LoggedRequest } from "./logged-request.ts";
import type { RequestMarks } from "./request-marks.ts";
import type { RequestTrace } from "./request-trace.ts";

export interface SpanSink {
	/** Never waits and never throws. */
	add(span: FinishedSpan): void;
}

const short = (text: string): string => text.slice(0, LIMITS.traceTextCharacters);
const known = (text: string): string | undefined => (text === "" ? undefined : short(text));

/** Nothing of what did not happen. */
const toMicroseconds = (milliseconds: number): number | undefined =>
	milliseconds < 0 ? undefined : Math.round(milliseconds * 1000) / 1000;

/** Names of spans must be few. */
const METHODS = new Set("GET HEAD POST PUT PATCH DELETE OPTIONS TRACE".split(" "));
const methodName = (method: string): string => (METHODS.has(method) ? method : "HTTP");

/** `performance.now()` of this request in milliseconds since 1970 */
const atOf = (request: LoggedRequest, marks: RequestMarks) => (momentMs: number) =>
	request.requestReceivedMs + (momentMs - marks.begunAtMs);

type Within = Pick<FinishedSpan, "traceId" | "parentSpanId" | "hasRemoteParent">;
const within = ({ traceId, spanId }: RequestTrace): Within => ({
	traceId,
	parentSpanId: spanId,
	hasRemoteParent: false,
});

export class RequestSpans {
	readonly #sink: SpanSink;

	constructor(sink: SpanSink) {
		this.#sink = sink;
	}

	/** @param statusCode 0: there was no answer */
	ended(request: LoggedRequest, statusCode: number, aborted: boolean): void {
		const { trace, marks } = request;
		if (trace?.isSampled !== true || marks === undefined) return;
		const totalMs = marks.totalMs;
		if (marks.policyMs >= 0) this.#sink.add(policySpan(request, marks, trace));
		if (marks.sentAtMs >= 0)
			this.#sink.add(upstreamSpan(request, marks, trace, statusCode, totalMs));
		this.#sink.add(serverSpan(request, trace, statusCode, aborted, totalMs));
	}
}

function serverSpan(
	request: LoggedRequest,
	{ traceId, spanId, parentSpanId }: RequestTrace,
	statusCode: number,
	aborted: boolean,
	totalMs: number,
): FinishedSpan {
	const { method, rawPath, lines } = request.head;
	const [agent = ""] = lines.lines("user-agent");
	const isError = statusCode >= 500 || (statusCode === 0 && request.answeredBy !== "close");
	return {
		name: methodName(method),
		kind: "server",
		traceId,
		spanId,
		parentSpanId,
		hasRemoteParent: parentSpanId !== undefined,
		startMs: request.requestReceivedMs,
		durationMs: totalMs,
		isError,
		attributes: {
			"http.request.method": methodName(method) === "HTTP" ? "_OTHER" : method,
			"url.scheme": request.endpointProtocol,
			"url.path": short(rawPath),
			"server.address": known(request.host),
			"server.port": request.endpointPort,
			"client.address": known(request.loggedIp),
			"network.protocol.version": request.httpVersion.slice("HTTP/".length),
			"user_agent.original": known(agent),
			"http.response.status_code": statusCode === 0 ? undefined : statusCode,
			"error.type": isError ? (request.errorCode ?? String(statusCode)) : undefined,
			"weir.edge": known(request.edgeId),
			"weir.route": known(request.routeId),
			"weir.request_id": request.requestId,
			"weir.outcome": aborted ? "aborted" : request.answeredBy,
		},
	};
}

function policySpan(
	request: LoggedRequest,
	marks: RequestMarks,
	trace: RequestTrace,
): FinishedSpan {
	const { endedBy, answeredBy } = request;
	return {
		name: "policy",
		kind: "internal",
		spanId: newSpanId(),
		...within(trace),
		startMs: atOf(request, marks)(marks.policyAtMs),
		durationMs: marks.policyMs,
		isError: answeredBy === "failed",
		attributes: {
			"weir.phase": endedBy?.phase,
			"weir.rule": endedBy?.ruleIndex,
			"weir.rule_name": endedBy === undefined ? undefined : known(endedBy.ruleName),
			"weir.rate_limit": request.limit === undefined ? undefined : short(request.limit),
		},
	};
}

function upstreamSpan(
	request: LoggedRequest,
	marks: RequestMarks,
	trace: RequestTrace,
	statusCode: number,
	totalMs: number,
): FinishedSpan {
	const { failure, head, answeredBy } = request;
	const [, host = "", port = ""] = /^(.*):(\d+)$/.exec(marks.trail.address) ?? [];
	const answered = answeredBy === "upstream" && statusCode !== 0 ? statusCode : undefined;
	const isError = failure !== undefined || (answered ?? 0) >= 400;
	return {
		name: methodName(head.method),
		kind: "client",
		...within(trace),
		spanId: trace.upstreamSpanId,
		startMs: atOf(request, marks)(marks.sentAtMs),
		durationMs:
			failure !== undefined && answeredBy !== "upstream" && marks.responseMs >= 0
				? marks.responseMs
				: totalMs - (marks.sentAtMs - marks.begunAtMs),
		isError,
		attributes: {
			"http.request.method": methodName(head.method) === "HTTP" ? "_OTHER" : head.method,
			"server.address": known(host),
			"server.port": port === "" ? undefined : Number(port),
			"http.request.resend_count": marks.trail.retries > 0 ? marks.trail.retries : undefined,
			"http.response.status_code": answered,
			"error.type": isError ? (failure ?? String(answered)) : undefined,
			"weir.connect_ms":
				marks.trail.connectMs > 0 ? toMicroseconds(marks.trail.connectMs) : undefined,
			"weir.response_ms": toMicroseconds(marks.responseMs),
		},
	};
}
