/** Contract 6, "Refused with 400 and close": over raw sockets, since clients send none of this. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { get, RawClient, RawUpstream, startEdge, type TestEdge } from "./harness.ts";

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

const request = (...lines: string[]) => `GET /x HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
const HOST = "Host: h";

describe("answered with an error and closed, and nothing of it reaches the upstream", () => {
	it.each<[string, number, string]>([
		[
			"transfer-encoding and content-length",
			400,
			request(HOST, "Transfer-Encoding: chunked", "Content-Length: 3"),
		],
		[
			"two different content-lengths",
			400,
			request(HOST, "Content-Length: 3", "Content-Length: 30"),
		],
		["two equal content-lengths", 400, request(HOST, "Content-Length: 3", "Content-Length: 3")],
		[
			"an empty content-length",
			400,
			`${request(HOST, "Content-Length:")}GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n`,
		],
		["a content-length that is no number", 400, request(HOST, "Content-Length: 3x")],
		["a negative content-length", 400, request(HOST, "Content-Length: -3")],
		["a signed content-length", 400, request(HOST, "Content-Length: +3")],
		["a list of content-lengths", 400, request(HOST, "Content-Length: 3, 3")],
		[
			"a content-length beyond all bounds",
			400,
			request(HOST, "Content-Length: 99999999999999999999"),
		],
		["transfer-encoding: xchunked", 501, request(HOST, "Transfer-Encoding: xchunked")],
		["transfer-encoding: gzip, chunked", 501, request(HOST, "Transfer-Encoding: gzip, chunked")],
		[
			"transfer-encoding: chunked twice",
			501,
			request(HOST, "Transfer-Encoding: chunked", "Transfer-Encoding: chunked"),
		],
		[
			"transfer-encoding: chunked with a Kelvin sign",
			501,
			request(HOST, "Transfer-Encoding: chun\xe2\x84\xaaed"),
		],
		["transfer-encoding: identity", 501, request(HOST, "Transfer-Encoding: identity")],
		["an empty host", 400, request("Host:")],
		["two hosts", 400, request(HOST, "Host: other")],
		["a host with a user", 400, request("Host: u@h")],
		["a host with a path", 400, request("Host: h/x")],
		["a host with an encoded letter", 400, request("Host: %68")],
		["a host with two dots behind it", 400, request("Host: name..")],
		["a host with two dots in it", 400, request("Host: a..b")],
		["a host with a dot before it", 400, request("Host: .name")],
		["a port beyond 65535", 400, request("Host: h:65536")],
		["bytes in a value that are no UTF-8", 400, request(HOST, "X: t\xe9t")],
		["DEL in a value", 400, request(HOST, "X: a\x7fb")],
		["U+FFFD in a value", 400, request(HOST, "X: a\xef\xbf\xbdb")],
		["bytes in the path that are no UTF-8", 400, get("/\xe9")],
		["bytes in the query that are no UTF-8", 400, get("/?\xe9")],
		["%00 in the path", 400, get("/a%00b")],
		["a broken encoding in the path", 400, get("/a%zz")],
		["a backslash in the path", 400, get("/a\\..\\b")],
		["a fragment", 400, get("/a#b")],
		["a fragment behind the query", 400, get("/a?b#c")],
		["a dot segment with a parameter", 400, get("/a/..;/b")],
		["a dot segment before an encoded slash", 400, get("/a/..%2fb")],
		["a dot segment behind an empty one", 400, get("/a//../b")],
		["a dot segment behind one with an encoded slash", 400, get("/a%2fb/../c")],
		["an encoded slash at the beginning", 400, get("/%2fb")],
		["a method that is no token", 400, "GE(T /x HTTP/1.1\r\nHost: h\r\n\r\n"],
		["a standard method in lower case", 400, "post /x HTTP/1.1\r\nHost: h\r\n\r\n"],
		["a standard method with one lower letter", 400, "DELETe /x HTTP/1.1\r\nHost: h\r\n\r\n"],
		["TRACE", 405, "TRACE /x HTTP/1.1\r\nHost: h\r\n\r\n"],
		["CONNECT", 405, "CONNECT /x HTTP/1.1\r\nHost: h\r\n\r\n"],
		["HTTP/1.0", 505, "GET /x HTTP/1.0\r\nHost: h\r\n\r\n"],
		["an absolute-form target", 505, "GET http://h/x HTTP/1.1\r\nHost: h\r\n\r\n"],
		["an authority-form target", 505, "CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n"],
		["a bare line feed", 505, "GET /x HTTP/1.1\nHost: h\n\n"],
		["a header beyond 64 KiB", 431, request(HOST, `X: ${"a".repeat(70_000)}`)],
		["a NUL in the target", 505, get("/a\0b")],
	])("%s: %i", async (_name, status, bytes) => {
		const client = await new RawClient(edge.port).send(bytes).untilClosed();
		const statuses = [...client.received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) =>
			Number(code),
		);
		expect(statuses).toEqual([status]);
		expect(client.received).toContain("Connection: close");
		expect(upstream.requests).toEqual([]);
	});
});

describe("what the server library hides", () => {
	it.each([
		["a missing host", request("X: 1")],
		["obs-fold", request(HOST, "X: a", " b")],
		["a space before the colon", request(HOST, "X : a")],
		["NUL in a value", request(HOST, "X: a\0b")],
	])("%s is never forwarded", async (_name, bytes) => {
		const client = await new RawClient(edge.port).send(bytes).untilClosed(20_000);
		expect(client.received).not.toContain("200 OK");
		expect(upstream.requests).toEqual([]);
	});

	it("chunk extensions and bad chunk sizes end the request, and its body never looks complete", async () => {
		for (const chunk of [
			"3;x=y\r\nabc\r\n0\r\n\r\n",
			"zz\r\nabc\r\n0\r\n\r\n",
			"ffffffffffffffffff\r\n",
		]) {
			const head = `POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`;
			await new RawClient(edge.port).send(head).untilClosed(20_000);
		}
		expect(upstream.requests).toEqual([]);
	});
});

describe("after an answer that didn't wait for the body", () => {
	it.each([
		["whole", ["abcdef"]],
		["late", ["abc", "def"]],
		["that looks like a request", ["GET / ", "HTTP/1"]],
	])("a body %s leaves the connection in step", async (_name, pieces) => {
		edge.setPolicy({
			inbound: (exchange) =>
				exchange.method === "POST" ? { kind: "deny", statusCode: 403 } : { kind: "continue" },
		});
		const length = pieces.join("").length;
		const client = new RawClient(edge.port).send(
			`POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: ${length}\r\n\r\n${pieces[0]}`,
		);
		expect((await client.response()).status).toBe(403);
		for (const piece of pieces.slice(1)) client.send(piece);
		client.send(get("/next"));
		expect((await client.response()).status).toBe(200);
		expect(client.received).toBe("");
		client.destroy();
		edge.setPolicy(undefined);
		expect(upstream.requests.length).toBe(1);
		expect(upstream.requests[0]).toMatch(/^GET \/next /);
	});

	it("a chunked body likewise", async () => {
		edge.setPolicy({
			inbound: (exchange) =>
				exchange.method === "POST" ? { kind: "deny", statusCode: 403 } : { kind: "continue" },
		});
		const client = new RawClient(edge.port).send(
			"POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
		);
		expect((await client.response()).status).toBe(403);
		client.send("3\r\ndef\r\n0\r\n\r\n").send(get("/next"));
		expect((await client.response()).status).toBe(200);
		client.destroy();
		edge.setPolicy(undefined);
	});
});

describe("pipelining", () => {
	it("answers requests that arrive together when none has to wait", async () => {
		edge.setPolicy({ inbound: () => ({ kind: "deny", statusCode: 403 }) });
		const client = new RawClient(edge.port).send(get("/1") + get("/2") + get("/3"));
		for (let index = 0; index < 3; index++) expect((await client.response()).status).toBe(403);
		client.destroy();
		edge.setPolicy(undefined);
	});

	it("closes when a request comes before the answer of the one that waits for the upstream", async () => {
		const client = await new RawClient(edge.port).send(get("/1") + get("/2")).untilClosed();
		expect(client.received).toBe("");
		expect(upstream.requests.filter((text) => text.startsWith("GET /2"))).toEqual([]);
	});
});
