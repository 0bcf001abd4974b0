/** A worker's way to the collector: counted, and said in the log where the collector takes none. */
import { expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { openTraces } from "../../../src/process/worker/worker-traces.ts";
import { Metrics } from "../../../src/telemetry/metrics.ts";
import type { FinishedSpan } from "../../../src/telemetry/traces/span.ts";
import { tracingSettings } from "../../observing.ts";

const SPAN: FinishedSpan = {
	name: "GET",
	kind: "server",
	traceId: "1".repeat(32),
	spanId: "2".repeat(16),
	parentSpanId: undefined,
	hasRemoteParent: false,
	startMs: 0,
	durationMs: 1,
	isError: false,
	attributes: {},
};

it("is none where tracing is off", async () => {
	const log = { warn() {} };
	expect(await openTraces(tracingSettings(), new Metrics(), log)).toBe(undefined);
});

it("counts what nobody took and what found no room, and says so once in a while", async () => {
	const metrics = new Metrics();
	const said: [string, object][] = [];
	const log = { warn: (fields: object, message: string) => void said.push([message, fields]) };
	const endpoint = "http://127.0.0.1:1/v1/traces";
	const spans = await openTraces(tracingSettings({ endpoint }), metrics, log);
	for (let each = 0; each < LIMITS.traceQueueSpans + 5; each++) spans?.add(SPAN);
	await spans?.flush(500);
	const { weir_trace_spans_total: _, ...counted } = metrics.snapshot();
	expect(counted['weir_trace_spans_total{result="dropped"}']).toBe(5);
	expect(counted['weir_trace_spans_total{result="failed"}']).toBeGreaterThan(0);
	expect(counted).not.toHaveProperty('weir_trace_spans_total{result="exported"}');
	expect(said).toEqual([
		["the collector takes no spans", { endpoint, reason: "more spans come than it takes" }],
	]);
});
