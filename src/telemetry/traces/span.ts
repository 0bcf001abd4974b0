/**
 * A span that is over, in weir's own words: what `edge/access/request-spans.ts` makes of a request, and `otlp.ts` hands to
 * the library that sends it.
 */

export type SpanKind = "internal" | "server" | "client";

export interface FinishedSpan {
	readonly name: string;
	readonly kind: SpanKind;
	readonly traceId: string;
	readonly spanId: string;
	/** undefined: it has none */
	readonly parentSpanId: string | undefined;
	/** the parent is another program's */
	readonly hasRemoteParent: boolean;
	/** milliseconds since 1970, with a fraction */
	readonly startMs: number;
	readonly durationMs: number;
	readonly isError: boolean;
	/** names by the conventions of OpenTelemetry; undefined: it is not known */
	readonly attributes: Readonly<Record<string, string | number | undefined>>;
}
