/** The place of a request in a trace: continued, or begun. */
import { expect, it } from "vitest";
import { RequestTrace } from "../../../src/edge/access/request-trace.ts";
import { traceParentOf } from "../../../src/telemetry/traces/trace-context.ts";

const TRACE = "12345678901234567890123456789012";
const SPAN = "1234567890123456";

it("continues the caller's trace, and is the backend's parent with a span of its own", () => {
	const parent = traceParentOf([`00-${TRACE}-${SPAN}-01`]);
	const trace = new RequestTrace(parent, true);
	expect(trace).toMatchObject({ traceId: TRACE, parentSpanId: SPAN, isSampled: true });
	expect(trace.field).toBe(`00-${TRACE}-${trace.upstreamSpanId}-01`);
	expect(new Set([SPAN, trace.spanId, trace.upstreamSpanId]).size).toBe(3);
	expect(new RequestTrace(parent, false).field.slice(-2)).toBe("00");
	const random = traceParentOf([`00-${TRACE}-${SPAN}-03`]);
	expect(new RequestTrace(random, false).field.slice(-2)).toBe("02");
});

it("begins one where there is none", () => {
	const trace = new RequestTrace(undefined, true);
	expect(trace.parentSpanId).toBe(undefined);
	expect(traceParentOf([trace.field])).toMatchObject({ isSampled: true, isRandom: true });
});
