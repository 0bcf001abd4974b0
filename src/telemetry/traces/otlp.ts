/**
 * Sends spans by OTLP over HTTP, with OpenTelemetry's own exporter: an optional package, which is loaded where
 * `tracing.endpoint` is set and by nobody else. The one file that imports it. Used by `process/worker/worker-traces.ts`;
 * `process/config/observing-mistakes.ts` asks whether it is there.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { LIMITS } from "../../limits/limits.ts";
import type { FinishedSpan, SpanKind } from "./span.ts";
import { type SpanEnds, SpanQueue } from "./span-queue.ts";

const NAME = "@opentelemetry/exporter-trace-otlp-http";

type LibrarySpan = Parameters<OTLPTraceExporter["export"]>[0][number];

/** The package's name, the version that weir was tried with, and whether one is installed. */
export function traceExporterVersion(): { name: string; wanted: string; installed: boolean } {
	const require = createRequire(import.meta.url);
	const own = JSON.parse(
		readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
	) as { peerDependencies: Record<string, string> };
	let installed = true;
	try {
		require.resolve(NAME);
	} catch {
		installed = false;
	}
	return { name: NAME, wanted: own.peerDependencies[NAME] ?? "", installed };
}

interface OtlpOptions {
	readonly endpoint: string;
	readonly serviceName: string;
	readonly version: string;
}

/** @throws Error the package is not installed, or can't be loaded */
export async function openSpanQueue(
	{ endpoint, serviceName, version }: OtlpOptions,
	ends: SpanEnds,
): Promise<SpanQueue> {
	const library = await import("@opentelemetry/exporter-trace-otlp-http");
	const exporter = new library.OTLPTraceExporter({
		url: endpoint,
		timeoutMillis: LIMITS.traceTimeoutMs,
		concurrencyLimit: 1,
	});
	const resource = resourceOf({ "service.name": serviceName, "service.version": version });
	const scope = { name: "weir", version };
	return new SpanQueue((spans, sent) => {
		const theirs = spans.map((span) => librarySpan(span, resource, scope));
		exporter.export(theirs, ({ code, error }) =>
			sent(code === EXPORTED ? undefined : (error?.message ?? "the collector took no spans")),
		);
	}, ends);
}

/** `ExportResultCode.SUCCESS` of the library */
const EXPORTED = 0;
const KINDS: Readonly<Record<SpanKind, number>> = { internal: 0, server: 1, client: 2 };
/** `SpanStatusCode` of the library */
const [UNSET, ERROR] = [0, 2];
const SAMPLED = 1;

function resourceOf(attributes: Readonly<Record<string, string>>): LibrarySpan["resource"] {
	const resource: LibrarySpan["resource"] = {
		attributes,
		merge: () => resource,
		getRawAttributes: () => [],
	};
	return resource;
}

type Time = LibrarySpan["startTime"];

const timeOf = (milliseconds: number): Time => {
	const seconds = Math.floor(milliseconds / 1000);
	return [seconds, Math.round((milliseconds - seconds * 1000) * 1e6)];
};

function librarySpan(
	span: FinishedSpan,
	resource: LibrarySpan["resource"],
	instrumentationScope: LibrarySpan["instrumentationScope"],
): LibrarySpan {
	const { traceId, spanId, parentSpanId, hasRemoteParent } = span;
	const context = { traceId, spanId, traceFlags: SAMPLED };
	const known = Object.entries(span.attributes).filter(([, value]) => value !== undefined);
	return {
		name: span.name,
		kind: KINDS[span.kind],
		spanContext: () => context,
		...(parentSpanId === undefined
			? {}
			: {
					parentSpanContext: {
						traceId,
						spanId: parentSpanId,
						traceFlags: SAMPLED,
						isRemote: hasRemoteParent,
					},
				}),
		startTime: timeOf(span.startMs),
		endTime: timeOf(span.startMs + span.durationMs),
		duration: timeOf(span.durationMs),
		status: { code: span.isError ? ERROR : UNSET },
		attributes: Object.fromEntries(known),
		links: [],
		events: [],
		ended: true,
		resource,
		instrumentationScope,
		droppedAttributesCount: 0,
		droppedEventsCount: 0,
		droppedLinksCount: 0,
	};
}
