/** Contract 4, variables: what expressions read of a live request. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { PolicyExchange } from "../../src/policy/exchange.ts";
import { ask, get, post, RawClient, RawUpstream, startEdge, type TestEdge } from "./harness.ts";

const upstream = new RawUpstream();
let edge: TestEdge;
beforeAll(async () => {
	edge = await startEdge({ urls: [await upstream.listen()] });
});
afterAll(async () => {
	await edge.close();
	await upstream.close();
});
beforeEach(() => {
	upstream.requests.length = 0;
});

/** What `read` gets of the exchange while its inbound rules run. */
const during = async <T>(bytes: string, read: (exchange: PolicyExchange) => T): Promise<T> => {
	let found: T | undefined;
	edge.setPolicy({
		inbound: (exchange) => {
			found = read(exchange);
			return { kind: "deny", statusCode: 403 };
		},
	});
	await ask(edge.port, bytes);
	edge.setPolicy(undefined);
	return found as T;
};

describe("an exchange", () => {
	it("has the URL in normal form and as it came", async () => {
		const parts = await during(
			"GET /a/../%62%2fc?x=%zz&y HTTP/1.1\r\nHost: H.Example:8080\r\n\r\n",
			({ url, host }) => [
				host,
				url.full,
				url.raw,
				url.scheme,
				url.host,
				url.authority,
				url.port,
				url.path,
				url.rawPath,
				url.query,
				url.uri,
			],
		);
		expect(parts).toEqual([
			"h.example",
			"http://h.example:8080/b%2Fc?x=%zz&y",
			"http://h.example:8080/a/../%62%2fc?x=%zz&y",
			"http",
			"h.example",
			"h.example:8080",
			8080,
			"/b%2Fc",
			"/a/../%62%2fc",
			"x=%zz&y",
			"/b%2Fc?x=%zz&y",
		]);
	});

	it("leaves the scheme's port out of the URL, and brackets around IPv6 in the host", async () => {
		const [full, host] = await during(
			"GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n",
			({ url, host }) => [url.full, host],
		);
		expect([full, host]).toEqual(["http://[::1]/", "[::1]"]);
	});

	it("has header lines by lower-case name, in order, empty ones too", async () => {
		const lines = await during(get("/", "X-A: 1", "x-a:", "X-B: ü"), ({ requestHeaders }) => [
			requestHeaders.lines("x-a"),
			requestHeaders.lines("x-b"),
			requestHeaders.lines("missing"),
			requestHeaders.names(),
		]);
		expect(lines[0]).toEqual(["1", ""]);
		// A byte that is no UTF-8.
		expect(lines[1]).toEqual(["\ufffd"]);
		expect(lines[2]).toEqual([]);
		expect(lines[3]).toEqual(["host", "x-a", "x-b"]);
	});

	it.each([
		[get("/"), 0],
		[post("/", "hello"), 5],
		["POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", -1],
	])("has the body's length: case %#", async (bytes, length) => {
		expect(await during(bytes, (exchange) => exchange.requestContentLength)).toBe(length);
	});

	it.each([
		["GET", "200 OK", "content-length: 2", "ok", 2],
		["GET", "200 OK", "content-length: 0", "", 0],
		["GET", "200 OK", "transfer-encoding: chunked", "2\r\nok\r\n0\r\n\r\n", -1],
		["GET", "200 OK", "connection: close", "ok", -1],
		["GET", "204 No Content", "x-a: 1", "", 0],
		["GET", "304 Not Modified", "x-a: 1", "", 0],
		["GET", "304 Not Modified", "content-length: 2", "", 2],
		["HEAD", "200 OK", "x-a: 1", "", 0],
		["HEAD", "200 OK", "content-length: 2", "", 2],
		["HEAD", "200 OK", "transfer-encoding: chunked", "", 0],
	])(
		"has the length of the answer's body: %s, %s, %s",
		async (method, status, field, body, length) => {
			let seen: number | undefined;
			edge.setPolicy({
				outbound: (exchange) => {
					seen = exchange.responseContentLength;
					return { kind: "continue" };
				},
			});
			const answer = upstream.onRequest;
			upstream.onRequest = (socket) => {
				socket.write(`HTTP/1.1 ${status}\r\n${field}\r\n\r\n${body}`);
				if (field === "connection: close") socket.end();
			};
			const client = new RawClient(edge.port).send(`${method} / HTTP/1.1\r\nHost: h\r\n\r\n`);
			const told = (await client.response(method)).header("content-length");
			client.destroy();
			upstream.onRequest = answer;
			edge.setPolicy(undefined);
			expect(seen).toBe(length);
			if (body === "")
				expect(told).toBe(field === `content-length: ${length}` ? `${length}` : undefined);
		},
	);

	it("has its ends, clocks and places", async () => {
		const began = Date.now();
		const seen = await during(get("/"), (exchange) => ({
			peer: exchange.clientIp,
			server: [exchange.serverIp, exchange.serverPort],
			tls: exchange.tlsVersion + exchange.tlsSni + exchange.tlsCipherSuite,
			clocks: [exchange.requestReceivedMs, exchange.connectionStartMs, exchange.nowMs],
			place: [exchange.edgeId, exchange.routeId, exchange.endpointHost, exchange.endpointProtocol],
			response: [exchange.responseStatusCode, exchange.responseHeaders.names()],
			version: exchange.httpVersion,
			country: exchange.geo.countryCode,
		}));
		expect(seen).toMatchObject({
			peer: "127.0.0.1",
			server: ["127.0.0.1", edge.port],
			tls: "",
			place: ["e", "r", "h.example", "http"],
			response: [0, []],
			version: "HTTP/1.1",
			country: "",
		});
		for (const clock of seen.clocks) {
			// read of a finer clock and rounded by itself
			expect(clock).toBeGreaterThanOrEqual(began - 1);
			expect(clock).toBeLessThanOrEqual(Date.now());
		}
	});

	it("refuses a rewrite that gives no request target, and keeps the URL then", async () => {
		const seen = await during(get("/a"), (exchange) => [
			exchange.rewriteUrl("http://h.example/a b"),
			exchange.rewriteUrl("http://h.example/a//../b"),
			exchange.rewriteUrl("foo"),
			exchange.url.full,
			exchange.rewriteUrl("http://h.example/%62?c"),
			exchange.url.full,
			exchange.url.rawPath,
		]);
		expect(seen).toEqual([
			false,
			false,
			false,
			"http://h.example/a",
			true,
			"http://h.example/b?c",
			"/%62",
		]);
	});

	it("counts the bytes of both bodies", async () => {
		let seen: number[] = [];
		edge.setPolicy({
			outbound: (exchange) => {
				seen = [exchange.connectionBytesIn, exchange.connectionBytesOut];
				return { kind: "continue" };
			},
		});
		const bytes = post("/p", "hello");
		const client = new RawClient(edge.port).send(bytes);
		await client.response();
		client.destroy();
		edge.setPolicy(undefined);
		expect(seen[0]).toBeGreaterThanOrEqual(bytes.length - 10);
		expect(seen[0]).toBeLessThanOrEqual(bytes.length + 10);
		expect(seen[1]).toBe(0);
	});
});
