/** The way of spans to the collector: in batches, one at a time, bounded, with each one's end counted. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import type { FinishedSpan } from "../../../src/telemetry/traces/span.ts";
import { SpanQueue } from "../../../src/telemetry/traces/span-queue.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const span = (name: string): FinishedSpan => ({
	name,
	kind: "server",
	traceId: "1".repeat(32),
	spanId: "2".repeat(16),
	parentSpanId: undefined,
	hasRemoteParent: false,
	startMs: 0,
	durationMs: 1,
	isError: false,
	attributes: {},
});

function queue() {
	const batches: { names: string[]; sent: (failure?: string) => void }[] = [];
	const ends = { exported: 0, failed: 0, dropped: 0 };
	const reasons: string[] = [];
	const made = new SpanQueue(
		(spans, sent) => void batches.push({ names: spans.map(({ name }) => name), sent }),
		{
			exported(spans) {
				ends.exported += spans;
			},
			dropped(spans) {
				ends.dropped += spans;
			},
			failed(spans, reason) {
				ends.failed += spans;
				reasons.push(reason);
			},
		},
	);
	return { made, batches, ends, reasons };
}

it("waits for others, then sends them together; never from within the request that adds one", () => {
	const { made, batches, ends } = queue();
	made.add(span("a"));
	made.add(span("b"));
	expect(batches).toEqual([]);
	vi.advanceTimersByTime(LIMITS.traceIntervalMs);
	expect(batches.map(({ names }) => names)).toEqual([["a", "b"]]);
	batches[0]?.sent();
	batches[0]?.sent("twice");
	expect(ends).toEqual({ exported: 2, failed: 0, dropped: 0 });
});

it("sends a full batch at once, one at a time", () => {
	const { made, batches } = queue();
	for (let each = 0; each < 2.5 * LIMITS.traceBatchSpans; each++) made.add(span(String(each)));
	expect(batches).toEqual([]);
	vi.advanceTimersByTime(0);
	expect(batches.map(({ names }) => names.length)).toEqual([LIMITS.traceBatchSpans]);
	vi.advanceTimersByTime(60_000);
	expect(batches).toHaveLength(1);
	batches[0]?.sent();
	vi.advanceTimersByTime(0);
	batches[1]?.sent();
	vi.advanceTimersByTime(0);
	const half = LIMITS.traceBatchSpans / 2;
	expect(batches.map(({ names }) => names.length)).toEqual([
		LIMITS.traceBatchSpans,
		LIMITS.traceBatchSpans,
		half,
	]);
});

it("drops what a dead collector has no room for, and counts it", () => {
	const { made, batches, ends } = queue();
	made.add(span("first"));
	vi.advanceTimersByTime(LIMITS.traceIntervalMs);
	expect(batches).toHaveLength(1);
	for (let each = 0; each < LIMITS.traceQueueSpans + 7; each++) made.add(span("x"));
	expect(ends).toEqual({ exported: 0, failed: 0, dropped: 7 });
});

it("does not ask a collector again at once that takes none", () => {
	const { made, batches, ends, reasons } = queue();
	for (let each = 0; each < 2 * LIMITS.traceBatchSpans; each++) made.add(span("x"));
	vi.advanceTimersByTime(0);
	batches[0]?.sent("refused");
	vi.advanceTimersByTime(LIMITS.traceIntervalMs - 1);
	expect(batches).toHaveLength(1);
	vi.advanceTimersByTime(1);
	expect(batches).toHaveLength(2);
	expect([ends.failed, reasons]).toEqual([LIMITS.traceBatchSpans, ["refused"]]);
});

it("takes an exception of the sender for a failure", () => {
	const failed: string[] = [];
	const made = new SpanQueue(
		() => {
			throw new Error("a bug");
		},
		{ exported() {}, dropped() {}, failed: (_, reason) => void failed.push(reason) },
	);
	made.add(span("a"));
	vi.advanceTimersByTime(LIMITS.traceIntervalMs);
	expect(failed).toEqual(["a bug"]);
});

it("is flushed at a stop, and what no collector took by then has failed", async () => {
	const { made, batches, ends } = queue();
	await made.flush(1000);
	made.add(span("a"));
	const flushed = made.flush(1000);
	vi.advanceTimersByTime(0);
	batches[0]?.sent();
	await flushed;
	expect(ends.exported).toBe(1);

	for (let each = 0; each < LIMITS.traceBatchSpans + 3; each++) made.add(span("b"));
	const late = made.flush(1000);
	vi.advanceTimersByTime(1000);
	await late;
	expect(ends).toEqual({ exported: 1, failed: 3, dropped: 0 });
});
