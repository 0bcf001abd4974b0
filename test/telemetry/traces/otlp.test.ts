/** Spans as a collector gets them over HTTP, and one that is slow, dead or refuses. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { openSpanQueue, traceExporterVersion } from "../../../src/telemetry/traces/otlp.ts";
import type { FinishedSpan } from "../../../src/telemetry/traces/span.ts";

const servers: Server[] = [];
afterEach(() => {
	for (const server of servers.splice(0)) {
		server.closeAllConnections();
		server.close();
	}
});

const span: FinishedSpan = {
	name: "GET",
	kind: "client",
	traceId: "0af7651916cd43dd8448eb211c80319c",
	spanId: "b7ad6b7169203331",
	parentSpanId: "00f067aa0ba902b7",
	hasRemoteParent: true,
	startMs: 1_763_000_000_123.456,
	durationMs: 12.5,
	isError: true,
	attributes: { "http.request.method": "GET", "server.port": 8080, "error.type": undefined },
};

async function collector(status: number): Promise<{ url: string; bodies: string[] }> {
	const bodies: string[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on("data", (chunk: Buffer) => chunks.push(chunk));
		request.on("end", () => {
			bodies.push(Buffer.concat(chunks).toString());
			response.writeHead(status, { "content-type": "application/json" }).end("{}");
		});
	});
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`, bodies };
}

async function sent(endpoint: string): Promise<{ exported: number; failed: string[] }> {
	const ends = { exported: 0, failed: [] as string[] };
	const queue = await openSpanQueue(
		{ endpoint, serviceName: "edge", version: "9.9.9" },
		{
			exported(spans) {
				ends.exported += spans;
			},
			failed: (_, reason) => void ends.failed.push(reason),
			dropped() {},
		},
	);
	queue.add(span);
	await queue.flush(10_000);
	return ends;
}

it("is a span of OpenTelemetry, of weir's service", async () => {
	const { url, bodies } = await collector(200);
	expect(await sent(url)).toEqual({ exported: 1, failed: [] });
	expect(JSON.parse(bodies[0] ?? "")).toMatchObject({
		resourceSpans: [
			{
				resource: {
					attributes: [
						{ key: "service.name", value: { stringValue: "edge" } },
						{ key: "service.version", value: { stringValue: "9.9.9" } },
					],
				},
				scopeSpans: [
					{
						scope: { name: "weir" },
						spans: [
							{
								traceId: span.traceId,
								spanId: span.spanId,
								parentSpanId: span.parentSpanId,
								name: "GET",
								kind: 3,
								startTimeUnixNano: "1763000000123456055",
								endTimeUnixNano: "1763000000135956055",
								status: { code: 2 },
								attributes: [
									{ key: "http.request.method", value: { stringValue: "GET" } },
									{ key: "server.port", value: { intValue: 8080 } },
								],
							},
						],
					},
				],
			},
		],
	});
});

it("says why a collector took none", async () => {
	const refusing = await collector(400);
	const refused = await sent(refusing.url);
	expect(refused.exported).toBe(0);
	expect(refused.failed[0]).toMatch(/Bad Request/i);
});

it("knows the package and the version that weir was tried with", () => {
	expect(traceExporterVersion()).toEqual({
		name: "@opentelemetry/exporter-trace-otlp-http",
		wanted: expect.stringMatching(/^\d+\.\d+\.\d+$/),
		installed: true,
	});
});
