/**
 * The place of a request in a trace (W3C Trace Context): the trace that it continues or begins, weir's own spans in it,
 * and whether they are recorded. Made by `carrier.ts` where tracing is on.
 */
import {
	newSpanId,
	newTraceId,
	type TraceParent,
	traceParentText,
} from "../../telemetry/traces/trace-context.ts";

export class RequestTrace {
	readonly traceId: string;
	/** of the caller; undefined: the trace begins here */
	readonly parentSpanId: string | undefined;
	readonly isSampled: boolean;
	readonly #isRandom: boolean;
	#spanId: string | undefined;
	#upstreamSpanId: string | undefined;

	constructor(parent: TraceParent | undefined, isSampled: boolean) {
		this.traceId = parent?.traceId ?? newTraceId();
		this.parentSpanId = parent?.spanId;
		this.isSampled = isSampled;
		this.#isRandom = parent?.isRandom ?? true;
	}

	/** the server span, which the others are in */
	get spanId(): string {
		this.#spanId ??= newSpanId();
		return this.#spanId;
	}
	/** the client span, which is the backend's parent */
	get upstreamSpanId(): string {
		this.#upstreamSpanId ??= newSpanId();
		return this.#upstreamSpanId;
	}

	/** `traceparent` as the backend gets it */
	get field(): string {
		return traceParentText(this.traceId, this.upstreamSpanId, this.isSampled, this.#isRandom);
	}
}
