/** `traceparent` as W3C Trace Context has it (2.2, 3.2, 4.3), with the cases of its test suite. */
import { expect, it } from "vitest";
import {
	newSpanId,
	newTraceId,
	traceParentOf,
	traceParentText,
} from "../../../src/telemetry/traces/trace-context.ts";

const TRACE = "12345678901234567890123456789012";
const SPAN = "1234567890123456";

it("reads a good one, with the flags that it knows", () => {
	for (const [flags, isSampled, isRandom] of [
		["00", false, false],
		["01", true, false],
		["02", false, true],
		["03", true, true],
		["ff", true, true],
		["f0", false, false],
	] as const) {
		expect(traceParentOf([`00-${TRACE}-${SPAN}-${flags}`])).toEqual({
			traceId: TRACE,
			spanId: SPAN,
			isSampled,
			isRandom,
		});
	}
});

it("reads what it knows of later versions, which may be longer", () => {
	for (const field of [
		`cc-${TRACE}-${SPAN}-01`,
		`cc-${TRACE}-${SPAN}-01-what-the-future-will-be-like`,
		`fe-${TRACE}-${SPAN}-03-`,
	]) {
		expect(traceParentOf([field])).toMatchObject({
			traceId: TRACE,
			isSampled: true,
			isRandom: false,
		});
	}
});

it("takes nothing else for one", () => {
	for (const lines of [
		[],
		[""],
		[`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`],
		[`00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
		[`00-${TRACE}-${SPAN}`],
		[`00-${TRACE}-${SPAN}-1`],
		[`00-${TRACE}-${SPAN}-0x`],
		[`00-${TRACE}-${SPAN}-01-`],
		[`00-${TRACE}-${SPAN}-01-more`],
		[`00-${TRACE}-${SPAN}-01.more`],
		[`cc-${TRACE}-${SPAN}-01.what`],
		[`ff-${TRACE}-${SPAN}-01`],
		[`0-${TRACE}-${SPAN}-01`],
		[`000-${TRACE}-${SPAN}-01`],
		[`.0-${TRACE}-${SPAN}-01`],
		[`00-${"0".repeat(32)}-${SPAN}-01`],
		[`00-${TRACE}-${"0".repeat(16)}-01`],
		[`00-${TRACE.slice(1)}-${SPAN}-01`],
		[`00-${TRACE}0-${SPAN}-01`],
		[`00-${"A".repeat(32)}-${SPAN}-01`],
		[`00-${TRACE}-${"F".repeat(16)}-01`],
		[`00-${TRACE}-${SPAN}-0A`],
		[` 00-${TRACE}-${SPAN}-01`],
		[`00-${TRACE}-${SPAN}-01 `],
		[`00_${TRACE}_${SPAN}_01`],
	]) {
		expect([lines, traceParentOf(lines)]).toEqual([lines, undefined]);
	}
});

it("writes what it would read", () => {
	for (const isSampled of [false, true])
		for (const isRandom of [false, true]) {
			const [traceId, spanId] = [newTraceId(), newSpanId()];
			const field = traceParentText(traceId, spanId, isSampled, isRandom);
			expect(field).toHaveLength(55);
			expect(traceParentOf([field])).toEqual({ traceId, spanId, isSampled, isRandom });
		}
});
