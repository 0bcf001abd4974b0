/**
 * Contract 6, "Refused with 400 and close": over raw sockets, since clients send none of this. With the front, plain
 * and TLS, and without it, where the server library refuses some in its own way.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { writeCertificate } from "../certificate.ts";
import { listenerWith } from "../listener.ts";
import { get, RawClient, RawUpstream, secureClient, startEdge, type TestEdge } from "./harness.ts";

const upstream = new RawUpstream();
const folder = mkdtempSync(join(tmpdir(), "weir-refusals-"));
let edge: TestEdge;
let alone: TestEdge;
beforeAll(async () => {
	const urls = [await upstream.listen()];
	const tls = [await writeCertificate(folder, "refusals", "h.example")];
	edge = await startEdge({ urls, listen: [listenerWith(), listenerWith({ tls })] });
	alone = await startEdge({ urls, withoutFront: true });
});
afterAll(async () => {
	await edge.close();
	await alone.close();
	await upstream.close();
	rmSync(folder, { recursive: true });
});
beforeEach(() => {
	upstream.requests.length = 0;
});

const MODES: readonly (readonly [string, () => RawClient, boolean])[] = [
	["the front", () => new RawClient(edge.port), true],
	["the front, within TLS", () => secureClient(edge.ports[1] ?? 0), true],
	["the library alone", () => new RawClient(alone.port), false],
];

const request = (...lines: string[]) => `GET /x HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
const HOST = "Host: h";

const COMMON: readonly [string, number, string][] = [
	[
		"transfer-encoding and content-length",
		400,
		request(HOST, "Transfer-Encoding: chunked", "Content-Length: 3"),
	],
	["two different content-lengths", 400, request(HOST, "Content-Length: 3", "Content-Length: 30")],
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
	["DEL in a value", 400, request(HOST, "X: a\x7fb")],
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
];

/** What the library alone lets pass, refuses with a page of its own, or does not answer for 10 s. */
const FRONT_ONLY: readonly [string, number, string][] = [
	["an authority-form target", 405, "CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n"],
	["a bare line feed", 400, "GET /x HTTP/1.1\nHost: h\n\n"],
	["a header beyond 64 KiB", 431, request(HOST, `X: ${"a".repeat(70_000)}`)],
	["too many lines", 431, request(HOST, ...Array.from({ length: 120 }, () => "X: 1"))],
	["a target beyond 64 KiB", 414, get(`/${"a".repeat(70_000)}`)],
	["a NUL in the target", 400, get("/a\0b")],
	["HTTP/2.0", 505, "GET /x HTTP/2.0\r\nHost: h\r\n\r\n"],
	["the preface of HTTP/2", 505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
	["TLS within", 400, "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03"],
	["a missing host", 400, request("X: 1")],
	["obs-fold", 400, request(HOST, "X: a", " b")],
	["a space before the colon", 400, request(HOST, "X : a")],
	["a line without a name", 400, request(HOST, ": b", "Content-Length: 3")],
	["a line without a colon", 400, request(HOST, "X")],
	["NUL in a value", 400, request(HOST, "X: a\0b")],
	["a bare CR in a value", 400, request(HOST, "X: a\rb")],
	["an unknown expectation", 417, request(HOST, "Expect: 200-ok")],
	["a user in the target", 400, "GET http://u@h/x HTTP/1.1\r\nHost: h\r\n\r\n"],
	["an absolute target without a host", 400, "GET http:///x HTTP/1.1\r\nHost: h\r\n\r\n"],
];

const chunked = (body: string): string =>
	`POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n${body}`;

describe.each(MODES)(
	"%s answers with an error and closes: nothing reaches the upstream",
	(_mode, open, isFront) => {
		it.each(isFront ? [...COMMON, ...FRONT_ONLY] : COMMON)(
			"%s: %i",
			async (_name, status, bytes) => {
				// What comes behind it is nothing to anybody.
				const behind = isFront ? "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n" : "";
				const client = await open()
					.send(bytes + behind)
					.untilClosed();
				const statuses = [...client.received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) =>
					Number(code),
				);
				expect(statuses).toEqual([status]);
				expect(client.received).toMatch(/^connection: close\r$/im);
				if (isFront) {
					const body = client.received.slice(client.received.indexOf("\r\n\r\n"));
					expect(JSON.parse(body)).toMatchObject({ status_code: status });
					expect(client.reset).toBe(false);
				}
				expect(upstream.requests).toEqual([]);
			},
		);

		it.runIf(isFront).each([
			["a size that is none", "zz\r\nabc\r\n0\r\n\r\n"],
			["a size beyond all bounds", "ffffffffffffffffff\r\n"],
			["more than its size", "3\r\nabcd\r\n0\r\n\r\n"],
			["a line end that is none", "3\r\nabc\n0\r\n\r\n"],
			["a bad trailer", "3\r\nabc\r\n0\r\nX : 1\r\n\r\n"],
			["a trailer of framing's", "0\r\n X: 1\r\n\r\n"],
		])("a chunk with %s: 400", async (_name, body) => {
			const client = open().send(chunked(body));
			expect((await client.response()).status).toBe(400);
			await client.untilClosed();
			expect(upstream.requests).toEqual([]);
		});
	},
);

describe.each(MODES.filter(([, , isFront]) => isFront))("%s takes", (_mode, open) => {
	it.each([
		["HTTP/1.0", "GET /x HTTP/1.0\r\nHost: h\r\n\r\n"],
		["HTTP/1.0 without a host", "GET /x HTTP/1.0\r\n\r\n"],
		["an absolute-form target", "GET http://other/x HTTP/1.1\r\nHost: h\r\n\r\n"],
		["empty lines before a request", `\r\n\r\n${get("/x")}`],
		["a header that comes byte by byte", get("/x")],
	])("%s", async (name, bytes) => {
		const client = open();
		if (name.endsWith("byte")) for (const byte of bytes) client.send(byte);
		else client.send(bytes);
		expect((await client.response()).status).toBe(200);
		client.destroy();
		const [head = ""] = upstream.requests;
		expect(head).toMatch(/^GET \/x HTTP\/1\.1\r\n/);
		if (bytes.includes("other")) expect(head).toMatch(/^host: other\r$/m);
	});

	it("chunk extensions and trailers, which go nowhere", async () => {
		const body = "3;a=b\r\nabc\r\n0\r\nGET /trailer HTTP/1.1: x\r\nX: 1\r\n\r\n".replace(
			"GET /trailer HTTP/1.1",
			"Y",
		);
		const client = open().send(chunked(body) + get("/next"));
		expect((await client.response()).status).toBe(200);
		expect((await client.response()).status).toBe(200);
		client.destroy();
		expect(upstream.requests.map((text) => text.split(" ")[1])).toEqual(["/x", "/next"]);
		expect(upstream.requests[0]).toContain("\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
	});

	it("any bytes above 127 in values, as they came", async () => {
		const client = open().send(get("/x", "X: \xe9t\xe9", "Y: \xef\xbf\xbd", "Z: t\xc3\xa9"));
		expect((await client.response()).status).toBe(200);
		client.destroy();
		for (const line of ["x: \xe9t\xe9", "y: \xef\xbf\xbd", "z: t\xc3\xa9"]) {
			expect(upstream.requests[0]).toContain(`\r\n${line}\r\n`);
		}
	});
});

it.concurrent.each([
	["a missing host", request("X: 1")],
	["obs-fold", request(HOST, "X: a", " b")],
	["a space before the colon", request(HOST, "X : a")],
	["NUL in a value", request(HOST, "X: a\0b")],
])("the library alone never forwards %s", async (_name, bytes) => {
	const client = await new RawClient(alone.port).send(bytes).untilClosed(20_000);
	expect(client.received).not.toContain("200 OK");
	expect(upstream.requests).toEqual([]);
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

it("the library alone closes when a request comes before the answer of one that waits", async () => {
	const client = await new RawClient(alone.port).send(get("/1") + get("/2")).untilClosed();
	expect(client.received).toBe("");
	expect(upstream.requests.filter((text) => text.startsWith("GET /2"))).toEqual([]);
});
