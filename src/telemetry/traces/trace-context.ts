/**
 * The header field `traceparent` of W3C Trace Context, as it is read and written. What is no good one starts a new trace
 * (3.2.2.5 and 4.3 of it), and its `tracestate` means nothing then. Used by `edge/access/carrier.ts`.
 */
import { randomHex } from "../random-hex.ts";

const TRACE_DIGITS = 32;
const SPAN_DIGITS = 16;

/** Bits of the flags: the caller may record; the trace id is random, which is passed on as it came. */
const SAMPLED = 1;
const RANDOM = 2;

/** Of a caller. */
export interface TraceParent {
	readonly traceId: string;
	readonly spanId: string;
	readonly isSampled: boolean;
	readonly isRandom: boolean;
}

/** Version 00 is just this long; a higher one may go on behind a hyphen. */
const FIELD = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NO_TRACE = "0".repeat(TRACE_DIGITS);
const NO_SPAN = "0".repeat(SPAN_DIGITS);

/** @param lines of the field; several are as bad as none @returns undefined if it is no good one */
export function traceParentOf(lines: readonly string[]): TraceParent | undefined {
	if (lines.length !== 1) return undefined;
	const match = FIELD.exec(lines[0] ?? "");
	if (match === null) return undefined;
	const [, version = "", traceId = "", spanId = "", flags = "", more] = match;
	if (version === "ff" || (version === "00" && more !== undefined)) return undefined;
	if (traceId === NO_TRACE || spanId === NO_SPAN) return undefined;
	const bits = Number.parseInt(flags, 16);
	return {
		traceId,
		spanId,
		isSampled: (bits & SAMPLED) !== 0,
		// of later versions nobody knows what the bit means
		isRandom: version === "00" && (bits & RANDOM) !== 0,
	};
}

export const newTraceId = (): string => randomHex(TRACE_DIGITS);
export const newSpanId = (): string => randomHex(SPAN_DIGITS);

/** A field of version 00. */
export const traceParentText = (
	traceId: string,
	spanId: string,
	isSampled: boolean,
	isRandom: boolean,
): string => `00-${traceId}-${spanId}-0${(isSampled ? SAMPLED : 0) + (isRandom ? RANDOM : 0)}`;
