/** The front of a real server: what the configuration says of it holds, and who asks is told whether it is there. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Server, sendRaw, startServer } from "./harness.ts";

const GET = "GET /nowhere HTTP/1.1\r\nhost: h\r\n\r\n";

describe.each([
	["on", { front: "on", timeouts: { request_header_ms: 600, idle_ms: 800 } }],
	["off", { front: "off" }],
] as const)("front: %s", (state, settings) => {
	let server: Server;
	beforeAll(async () => {
		server = await startServer({ config: settings, workers: 1 });
	}, 30_000);
	afterAll(() => server.stop());

	it("is told by /healthz", async () => {
		const { status, body } = await server.api("GET", "/healthz");
		expect([status, JSON.parse(body)]).toEqual([200, { status: "ok", front: state }]);
	});

	it("answers a request, and one that is refused", async () => {
		expect((await sendRaw(server.port, GET, (got) => got.endsWith("}"))).received).toMatch(
			/^HTTP\/1\.1 404 /,
		);
		const bad = await sendRaw(server.port, "GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n");
		expect([bad.received.split("\r\n")[0], bad.closed]).toEqual(["HTTP/1.1 400 Bad Request", true]);
		expect(await server.metric('weir_requests_refused_total{status="400"}')).toBe(1);
		expect(await server.metric("weir_front_missing_total")).toBeNaN();
	});

	it.runIf(state === "on")("keeps the configured times", async () => {
		const begin = performance.now();
		const slow = await sendRaw(server.port, "GET / HTTP/1.1\r\nx:");
		expect(slow.received).toMatch(/^HTTP\/1\.1 408 [\s\S]*"error_code":"ERR_REQUEST_TIMEOUT"/);
		const idle = await sendRaw(server.port, GET);
		expect(idle).toMatchObject({ closed: true });
		expect(performance.now() - begin).toBeLessThan(5000);
	});
});
