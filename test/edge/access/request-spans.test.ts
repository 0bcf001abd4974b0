/** The spans of a request: which there are, how they hang together, and what they tell. */
import { expect, it } from "vitest";
import { RequestMarks } from "../../../src/edge/access/request-marks.ts";
import { RequestSpans } from "../../../src/edge/access/request-spans.ts";
import { RequestTrace } from "../../../src/edge/access/request-trace.ts";
import type { FinishedSpan } from "../../../src/telemetry/traces/span.ts";
import { loggedRequest, placeOf } from "./logged.ts";

type Said = Parameters<typeof loggedRequest>[0];

function spansOf(said: Said, status = 200, aborted = false): FinishedSpan[] {
	const spans: FinishedSpan[] = [];
	new RequestSpans({ add: (span) => void spans.push(span) }).ended(
		loggedRequest(said),
		status,
		aborted,
	);
	return spans;
}

const TRACE = new RequestTrace(
	{ traceId: "1".repeat(32), spanId: "2".repeat(16), isSampled: true, isRandom: false },
	true,
);

function proxied(): RequestMarks {
	const marks = new RequestMarks();
	marks.phaseBegins();
	marks.phaseEnds();
	marks.sent();
	marks.trail.begin({ addressText: () => "[2001:db8::1]:8080" });
	marks.trail.came(0, 3, 0.5);
	marks.answered();
	return marks;
}

it("are none of a request that is not recorded", () => {
	expect(spansOf({ marks: new RequestMarks() })).toEqual([]);
	const trace = new RequestTrace(undefined, false);
	expect(spansOf({ trace, marks: new RequestMarks() })).toEqual([]);
});

it("are the server's in the caller's, and policy and backend in the server's", () => {
	const fields = ["user-agent", "curl"];
	const [policy, upstream, server] = spansOf({ trace: TRACE, marks: proxied(), fields });
	expect(server).toMatchObject({
		name: "GET",
		kind: "server",
		traceId: TRACE.traceId,
		spanId: TRACE.spanId,
		parentSpanId: "2".repeat(16),
		hasRemoteParent: true,
		isError: false,
		attributes: {
			"http.request.method": "GET",
			"url.path": "/x",
			"http.response.status_code": 200,
			"client.address": "192.0.2.1",
			"network.protocol.version": "1.1",
			"user_agent.original": "curl",
			"weir.edge": "e",
			"weir.route": "r",
			"weir.outcome": "upstream",
			"weir.request_id": "id-1",
		},
	});
	expect(policy).toMatchObject({ name: "policy", kind: "internal", parentSpanId: TRACE.spanId });
	expect(upstream).toMatchObject({
		kind: "client",
		spanId: TRACE.upstreamSpanId,
		parentSpanId: TRACE.spanId,
		hasRemoteParent: false,
		isError: false,
		attributes: {
			"server.address": "[2001:db8::1]",
			"server.port": 8080,
			"http.request.resend_count": 2,
			"http.response.status_code": 200,
		},
	});
	for (const inner of [policy, upstream]) {
		expect(inner?.startMs).toBeGreaterThanOrEqual(server?.startMs ?? Number.NaN);
		const end = (span: FinishedSpan | undefined) => (span?.startMs ?? 0) + (span?.durationMs ?? 0);
		expect(end(inner)).toBeLessThanOrEqual(end(server) + 0.001);
	}
});

it("tell of a refusal the rule, and nothing of a backend", () => {
	const marks = new RequestMarks();
	marks.phaseBegins();
	marks.phaseEnds();
	const endedBy = placeOf(1, "Slow down", 0);
	const said = { trace: TRACE, marks, endedBy, limit: "l", answeredBy: "limited" } as const;
	const spans = spansOf(said, 429);
	expect(spans.map(({ name }) => name)).toEqual(["policy", "GET"]);
	expect(spans[0]?.attributes).toMatchObject({
		"weir.rule": 1,
		"weir.rule_name": "Slow down",
		"weir.rate_limit": "l",
	});
	expect(spans[1]).toMatchObject({ isError: false, attributes: { "weir.outcome": "limited" } });
});

it("tell errors: of weir from 500 on, of a backend from 400 on and where it failed", () => {
	const trace = TRACE;
	const [, notFound, served] = spansOf({ trace, marks: proxied() }, 404);
	expect([notFound?.isError, served?.isError]).toEqual([true, false]);
	const code = { errorCode: "ERR_UPSTREAM_FAILED", failure: "broken", answeredBy: "edge" } as const;
	const [, broken, failed] = spansOf({ trace, marks: proxied(), ...code }, 502);
	expect(broken).toMatchObject({ isError: true, attributes: { "error.type": "broken" } });
	expect(broken?.attributes["http.response.status_code"]).toBe(undefined);
	expect(failed).toMatchObject({
		isError: true,
		attributes: { "error.type": "ERR_UPSTREAM_FAILED" },
	});
	const closed = spansOf({ trace, marks: new RequestMarks(), answeredBy: "close" }, 0)[0];
	expect([closed?.isError, closed?.attributes["http.response.status_code"]]).toEqual([
		false,
		undefined,
	]);
	expect(spansOf({ trace, marks: new RequestMarks() }, 0, true)[0]).toMatchObject({
		attributes: { "weir.outcome": "aborted" },
	});
});

it("have few names, and short texts", () => {
	const head = { method: "BREW", rawPath: `/${"x".repeat(5000)}` };
	const [span] = spansOf({ trace: TRACE, marks: new RequestMarks(), head });
	expect(span?.name).toBe("HTTP");
	expect(span?.attributes["http.request.method"]).toBe("_OTHER");
	expect(String(span?.attributes["url.path"]).length).toBeLessThan(300);
});
