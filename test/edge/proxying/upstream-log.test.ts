/** Lines about backends: what they name, and that a flood of failures does not fill the log. */
import { afterEach, expect, it } from "vitest";
import { UpstreamLog } from "../../../src/edge/proxying/upstream-log.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import type { Log } from "../../../src/telemetry/log.ts";
import { ask, get, RawClient, RawUpstream, startEdge, type TestEdge } from "../harness.ts";

const recorded = () => {
	const lines: unknown[] = [];
	const warn = (fields: object, message: string) => lines.push([message, { ...fields }]);
	return { lines, log: new UpstreamLog({ warn } as unknown as Log) };
};
const request = { edgeId: "e", routeId: "r", requestId: "id-1" };

it("says each failure of each route once a second, and how many went without a line", () => {
	const { lines, log } = recorded();
	const a = ["http://a"];
	for (let nowMs = 0; nowMs < 100; nowMs++) {
		log.requestFailed(request, a, "connect", "refused", 502, nowMs);
		log.attemptFailed("connect", "http://a", "refused", nowMs);
		log.loop(request, a, nowMs);
	}
	log.requestFailed(request, a, "timeout", "x".repeat(5000), undefined, 100);
	log.requestFailed(request, a, "connect", "refused", 502, 1000);
	const attempt = { failure: "connect", address: "http://a", reason: "refused" };
	const failed = {
		edge: "e",
		route: "r",
		request_id: "id-1",
		backend: a,
		failure: "connect",
		reason: "refused",
	};
	expect(lines).toEqual([
		["request failed upstream", { ...failed, status: 502 }],
		["upstream failed", attempt],
		["a backend leads back to weir", { edge: "e", route: "r", backend: a, hops: LIMITS.hops }],
		[
			"request failed upstream",
			{ ...failed, failure: "timeout", reason: "x".repeat(LIMITS.logReasonCharacters) },
		],
		["request failed upstream", { ...failed, status: 502, and_before: 99 }],
	]);
});

it("says it of each route, also where several have the same backend", () => {
	const { lines, log } = recorded();
	for (const routeId of ["busy", "busy", "rare"])
		log.requestFailed({ ...request, routeId }, ["http://a"], "connect", "refused", 502, 0);
	expect(lines).toMatchObject([
		["request failed upstream", { route: "busy" }],
		["request failed upstream", { route: "rare" }],
	]);
});

let edge: TestEdge | undefined;
const upstream = new RawUpstream();
afterEach(async () => {
	await edge?.close();
	await upstream.close();
});
const said = (): unknown[] =>
	edge?.lines
		.filter(({ message }) => message === "request failed upstream")
		.map(({ fields }) => fields) ?? [];

it("names edge, route, backend and the reason of a 502", async () => {
	const url = await upstream.listen();
	edge = await startEdge({ urls: [url] });
	await upstream.close();
	for (let each = 0; each < 3; each++) expect((await ask(edge.port, get("/"))).status).toBe(502);
	expect(said()).toEqual([
		{
			edge: "e",
			route: "r",
			request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
			backend: [url],
			failure: "connect",
			reason: expect.stringMatching(/refused/i),
			status: 502,
		},
	]);
});

it("names no status where the client had the header already", async () => {
	upstream.onRequest = (socket) => {
		socket.end("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nshort");
	};
	edge = await startEdge({ urls: [await upstream.listen()] });
	await new RawClient(edge.port).send(get("/")).untilClosed();
	expect(said()).toMatchObject([{ edge: "e", route: "r", failure: "broken" }]);
	expect(said()[0]).not.toHaveProperty("status");
});
