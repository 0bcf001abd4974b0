/** Contract 6, what passes and what changes on the way to the upstream and back. */
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ask, get, post, RawClient, RawUpstream, startEdge, type TestEdge } from "../harness.ts";

const upstream = new RawUpstream();
let url = "";
let edge: TestEdge;
const defaultAnswer = upstream.onRequest;
beforeAll(async () => {
	url = await upstream.listen();
	edge = await startEdge({ urls: [url] });
});
afterAll(async () => {
	await edge.close();
	await upstream.close();
});
beforeEach(() => {
	upstream.requests.length = 0;
	upstream.onRequest = defaultAnswer;
});

/** header lines that the upstream saw, without the upstream client's own `connection` */
const seen = (index = 0): string[] =>
	(upstream.requests[index] ?? "")
		.split("\r\n\r\n")[0]
		?.split("\r\n")
		.filter((line) => line !== "connection: keep-alive") ?? [];
const answerWith = (...lines: string[]) => {
	upstream.onRequest = (socket) => socket.write(lines.join("\r\n"), "latin1");
};

describe("the request as the upstream sees it", () => {
	it("keeps other header lines: order, duplicates, values", async () => {
		await ask(edge.port, get("/", "B: 1", "A: x,  y", "b: 2", "C: t\xc3\xa9t", "D:", "B: 1"));
		expect(seen()).toEqual([
			"GET / HTTP/1.1",
			"host: h.example",
			"b: 1",
			"a: x,  y",
			"b: 2",
			"c: t\xc3\xa9t",
			"d: ",
			"b: 1",
			"x-forwarded-for: 127.0.0.1",
			"x-forwarded-proto: http",
			"x-forwarded-host: h.example",
			"via: 1.1 weir",
		]);
	});

	it("loses hop-by-hop fields, those named in connection, and what the edge answers itself", async () => {
		const lines = [
			"Connection: close, X-Mine,  x-other",
			"X-Mine: 1",
			"X-Other: 2",
			"Keep-Alive: 5",
			"Proxy-Connection: x",
			"Proxy-Authorization: x",
			"TE: trailers",
			"Trailer: x",
			"Upgrade: h2c",
			"HTTP2-Settings: x",
			"Expect: 100-continue",
			"X-Kept: 3",
		];
		await ask(edge.port, get("/", ...lines));
		expect(seen()).toEqual([
			"GET / HTTP/1.1",
			"host: h.example",
			"x-kept: 3",
			"x-forwarded-for: 127.0.0.1",
			"x-forwarded-proto: http",
			"x-forwarded-host: h.example",
			"via: 1.1 weir",
		]);
	});

	it("keeps its host though connection names it, and forged forwarding fields are replaced", async () => {
		await ask(
			edge.port,
			get(
				"/",
				"Connection: host, x-forwarded-for",
				"X-Forwarded-For: 1.2.3.4",
				"X-Forwarded-Proto: https",
				"X-Forwarded-Host: evil",
				"Via: 1.0 other",
			),
		);
		expect(seen().slice(1)).toEqual([
			"host: h.example",
			"via: 1.0 other",
			"x-forwarded-for: 127.0.0.1",
			"x-forwarded-proto: http",
			"x-forwarded-host: h.example",
			"via: 1.1 weir",
		]);
	});

	it.each([
		"/",
		"/%61%2f%2E%7e?",
		"/?a=%zz&b=/../c?d",
		"//a//b",
		"/\xc3\xa9?\xc3\xa9",
		"/'\"<>|{}^`[]",
		"/a?b=\\c",
	])("target %s goes upstream as it came", async (target) => {
		await ask(edge.port, get(target));
		expect(seen()[0]).toBe(`GET ${target} HTTP/1.1`);
	});

	it("a target with dot segments goes upstream in normal form, its query as it came", async () => {
		await ask(edge.port, get("/a/%2e./%62%3a/./c;d?/../%62\xc3\xa9"));
		expect(seen()[0]).toBe("GET /b%3A/c;d?/../%62\xc3\xa9 HTTP/1.1");
	});

	it.each(["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "propfind", "PROPFIND", "M-SEARCH"])(
		"method %s passes",
		async (method) => {
			await ask(edge.port, `${method} / HTTP/1.1\r\nHost: h\r\n\r\n`);
			expect(seen()[0]).toBe(`${method} / HTTP/1.1`);
		},
	);

	it("brings its body with its length, or chunked as it came", async () => {
		await ask(edge.port, post("/", "hello"));
		await ask(
			edge.port,
			"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n",
		);
		expect(seen(0)).toContain("content-length: 5");
		expect(upstream.requests[0]).toMatch(/\r\n\r\nhello$/);
		// What is complete before the upstream reads it may go with its length.
		expect(upstream.requests[1]).toMatch(
			/\r\n\r\n(hello|(?:3\r\nhel\r\n2\r\nlo|5\r\nhello)\r\n0\r\n\r\n)$/,
		);
	});

	it("of length 0 keeps saying so", async () => {
		await ask(edge.port, post("/", ""));
		expect(seen()).toContain("content-length: 0");
	});

	it("gets 100 Continue from the edge and the body goes through", async () => {
		const client = new RawClient(edge.port).send(
			"POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n",
		);
		await client.until(({ received }) => received.startsWith("HTTP/1.1 100 Continue\r\n\r\n"));
		client.send("hello");
		expect((await client.response()).status).toBe(200);
		expect(upstream.requests[0]).toMatch(/\r\n\r\nhello$/);
		client.destroy();
	});

	it("carries the backend's host_header, and a rewritten authority before that", async () => {
		const other = await startEdge({ urls: [url], backend: { host_header: "backend.example" } });
		await ask(other.port, get("/x?y"));
		other.setPolicy({
			inbound: (exchange) => {
				expect(exchange.rewriteUrl("http://new.example:81/z%20z?\u00fc")).toBe(true);
				return { kind: "continue" };
			},
		});
		await ask(other.port, get("/x?y"));
		await other.close();
		expect(seen(0).slice(0, 2)).toEqual(["GET /x?y HTTP/1.1", "host: backend.example"]);
		expect(seen(1).slice(0, 2)).toEqual(["GET /z%20z?%C3%BC HTTP/1.1", "host: new.example:81"]);
		expect(seen(1)).toContain("x-forwarded-host: h.example");
	});

	it("keeps the host as it was sent when a rewrite leaves the authority alone", async () => {
		edge.setPolicy({
			inbound: (exchange) => {
				exchange.rewriteUrl(exchange.url.full.replace("/a", "/b"));
				return { kind: "continue" };
			},
		});
		await ask(edge.port, "GET /a HTTP/1.1\r\nHost: H.Example:80\r\n\r\n");
		edge.setPolicy(undefined);
		expect(seen().slice(0, 2)).toEqual(["GET /b HTTP/1.1", "host: H.Example:80"]);
	});

	it("keeps the host_header when a rewrite changes nothing of the authority but its scheme", async () => {
		const other = await startEdge({ urls: [url], backend: { host_header: "backend.example" } });
		other.setPolicy({
			inbound: (exchange) => {
				expect(exchange.rewriteUrl(exchange.url.full.replace("http:", "https:"))).toBe(true);
				return { kind: "continue" };
			},
		});
		await ask(other.port, "GET /a HTTP/1.1\r\nHost: h.example\r\n\r\n");
		await ask(other.port, "GET /a HTTP/1.1\r\nHost: h.example:8080\r\n\r\n");
		await other.close();
		expect([seen(0)[1], seen(1)[1]]).toEqual(Array(2).fill("host: backend.example"));
	});
});

describe("who the client is", () => {
	const clientIps = async (trustedProxies: string[], ...lines: string[]) => {
		const trusting = await startEdge({ urls: [url], config: { trustedProxies } });
		let clientIp = "";
		trusting.setPolicy({
			inbound: (exchange) => {
				clientIp = exchange.clientIp;
				return { kind: "continue" };
			},
		});
		await ask(trusting.port, get("/", ...lines));
		await trusting.close();
		return [clientIp, ...seen().filter((line) => line.startsWith("x-forwarded"))];
	};

	it("the peer, if nobody is trusted", async () => {
		expect(await clientIps([], "X-Forwarded-For: 1.2.3.4")).toEqual([
			"127.0.0.1",
			"x-forwarded-for: 127.0.0.1",
			"x-forwarded-proto: http",
			"x-forwarded-host: h.example",
		]);
	});

	it("the right-most untrusted address behind a trusted peer, whose chain is appended to", async () => {
		expect(
			await clientIps(
				["127.0.0.0/8", "10.0.0.0/8"],
				"X-Forwarded-For: 6.6.6.6, 1.2.3.4",
				"X-Forwarded-For: 10.0.0.1",
				"X-Forwarded-Proto: https",
			),
		).toEqual([
			"1.2.3.4",
			"x-forwarded-for: 6.6.6.6, 1.2.3.4, 10.0.0.1, 127.0.0.1",
			"x-forwarded-proto: https",
			"x-forwarded-host: h.example",
		]);
	});
});

it("PROXY protocol is refused where the listener doesn't have it, at the beginning or later", async () => {
	/** signature, version 2 command PROXY, TCP over IPv4, 12 bytes: 203.0.113.9:1000 to 127.0.0.1:80 */
	const frame = "\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\xcb\0\x71\x09\x7f\0\0\x01\x03\xe8\0\x50";
	const client = new RawClient(edge.port);
	expect((await client.send(frame + get("/")).response()).status).toBe(400);
	await client.untilClosed();
	const later = new RawClient(edge.port).send(get("/"));
	expect((await later.response()).status).toBe(200);
	expect((await later.send(frame + get("/")).response()).status).toBe(400);
	await later.untilClosed();
});

describe("the response as the client sees it", () => {
	it("keeps header lines byte for byte, without hop-by-hop and framing fields and date", async () => {
		answerWith(
			"HTTP/1.1 200 Fine",
			"B: 1",
			"Set-Cookie: a=1",
			"X-Bytes: \xe9\xff\x80 t\xc3\xa9",
			"Set-Cookie: b=2; Path=/",
			"Date: Thu, 01 Jan 1970 00:00:00 GMT",
			"Connection: keep-alive, X-Hop",
			"X-Hop: 1",
			"Keep-Alive: timeout=5",
			"Empty:",
			"Content-Length: 2",
			"",
			"ok",
		);
		const { lines, statusLine, body, header } = await ask(edge.port, get("/"));
		expect(lines.slice(0, -2)).toEqual([
			"B: 1",
			"Set-Cookie: a=1",
			"X-Bytes: \xe9\xff\x80 t\xc3\xa9",
			"Set-Cookie: b=2; Path=/",
			"Empty: ",
		]);
		expect(lines.filter((line) => /^date:/i.test(line)).length).toBe(1);
		expect(header("date")).not.toContain("1970");
		expect({ statusLine, body }).toEqual({ statusLine: "HTTP/1.1 200 OK", body: "ok" });
	});

	it("is the same with no header line at all", async () => {
		answerWith("HTTP/1.1 200 OK", "Content-Length: 2", "", "ok");
		expect((await ask(edge.port, get("/"))).lines.length).toBe(2);
	});

	it.each([
		[
			"chunked",
			"Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\nX-Trailer: 1\r\n\r\n",
		],
		["of known length", "Content-Length: 5\r\n\r\nhello"],
	])("a body %s arrives", async (_name, rest) => {
		answerWith(`HTTP/1.1 200 OK\r\n${rest}`);
		const response = await ask(edge.port, get("/"));
		expect(response.body).toBe("hello");
		expect(response.header("x-trailer")).toBeUndefined();
	});

	it("a body that ends with the upstream's connection arrives chunked", async () => {
		upstream.onRequest = (socket) => socket.end("HTTP/1.1 200 OK\r\n\r\nhello");
		const response = await ask(edge.port, get("/"));
		expect(response.header("transfer-encoding")).toBe("chunked");
		expect(response.body).toBe("hello");
	});

	it.each([
		["HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n", "1234"],
		["HEAD", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", undefined],
		["HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "0"],
		["GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 77\r\n\r\n", "77"],
		["GET", "HTTP/1.1 304 Not Modified\r\n\r\n", undefined],
		["GET", "HTTP/1.1 204 No Content\r\n\r\n", undefined],
		["GET", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "0"],
	])(
		"%s answered %j has the right header, no body, and the connection goes on",
		async (method, text, length) => {
			answerWith(text);
			const client = new RawClient(edge.port).send(`${method} / HTTP/1.1\r\nHost: h\r\n\r\n`);
			expect((await client.response(method)).header("content-length")).toBe(length);
			upstream.onRequest = defaultAnswer;
			client.send(get("/next"));
			expect((await client.response()).body).toBe("ok");
			expect(client.received).toBe("");
			client.destroy();
		},
	);

	const ENDS = ["HTTP/1.1 close", "HTTP/1.1 x, Close", "HTTP/1.0 x", "HTTP/1.0 keep-alive, close"];
	it.each([
		["sized", "/", "Content-Length: 5\r\n\r\nhello"],
		["chunked", "/", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"],
		["of the edge's own", "/%zz", ""],
	])("who asks for the connection's end is told that it ends: %s", async (_name, path, rest) => {
		answerWith(`HTTP/1.1 200 OK\r\n${rest}`);
		for (const end of ENDS) {
			const [version, field] = end.split(/ (.*)/);
			const head = `GET ${path} ${version}\r\nHost: h\r\nConnection: ${field}\r\n\r\n`;
			const { received } = await new RawClient(edge.port).send(head).untilClosed();
			expect(received.match(/^connection: .*$/gim), end).toEqual(["connection: close"]);
		}
	});

	it("a client of HTTP/1.0 that keeps its connection is told so, others are told nothing", async () => {
		const client = new RawClient(edge.port);
		client.send("GET / HTTP/1.0\r\nHost: h\r\nConnection: keep-alive\r\n\r\n");
		expect((await client.response()).header("connection")).toBe("keep-alive");
		client.send(get("/"));
		expect((await client.response()).header("connection")).toBeUndefined();
		client.destroy();
	});

	it("1xx from the upstream are not passed on", async () => {
		answerWith(
			"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
		);
		const client = new RawClient(edge.port).send(get("/"));
		const response = await client.response();
		expect([response.status, response.body]).toEqual([200, "ok"]);
		client.destroy();
	});

	it.each([299, 418, 599])("status %i passes", async (status) => {
		answerWith(`HTTP/1.1 ${status} Whatever\r\nContent-Length: 0\r\n\r\n`);
		expect((await ask(edge.port, get("/"))).status).toBe(status);
	});

	it("the header arrives before a body that is late, sized and chunked", async () => {
		for (const framing of ["Content-Length: 4", "Transfer-Encoding: chunked"]) {
			let finish = () => {};
			upstream.onRequest = (socket) => {
				socket.write(`HTTP/1.1 200 OK\r\nX-Early: 1\r\n${framing}\r\n\r\n`);
				finish = () => socket.write(framing.startsWith("C") ? "late" : "4\r\nlate\r\n0\r\n\r\n");
			};
			const client = new RawClient(edge.port).send(get("/"));
			await client.until(({ received }) => received.includes("X-Early: 1"));
			finish();
			expect((await client.response()).body).toBe("late");
			client.destroy();
		}
	});
});

describe("whatever passes", () => {
	const name = fc.stringMatching(/^[Xx]-[A-Za-z0-9!#$%&'*+.^_`|~-]{1,12}$/);
	// The library trims blanks and bytes beyond ASCII at either end of a value.
	const value = fc.oneof(
		fc.constant(""),
		fc.stringMatching(/^[!-~]([ -~\t]{0,20}[!-~])?$/),
		fc
			.string({ unit: fc.constantFrom("é", "日", "a", " "), maxLength: 6 })
			.map((text) => `a${text}a`),
	);
	const lines = fc.array(fc.tuple(name, value), { maxLength: 20 });
	const utf8 = (text: string) => Buffer.from(text).toString("latin1");

	it("header lines keep their order, duplicates and bytes, both ways", async () => {
		await fc.assert(
			fc.asyncProperty(lines, lines, async (drawn, down) => {
				// Request fields with underscores and the like are dropped.
				const up = drawn.filter(([name]) => /^[A-Za-z0-9-]+$/.test(name));
				upstream.requests.length = 0;
				answerWith(
					"HTTP/1.1 200 OK",
					...down.map(([name, value]) => `${name}: ${utf8(value)}`),
					"Content-Length: 0",
					"",
					"",
				);
				const sent = up.map(([name, value]) => `${name}: ${utf8(value)}`);
				const response = await ask(edge.port, get("/", ...sent));
				expect(seen().slice(2, -4)).toEqual(
					up.map(([name, value]) => `${name.toLowerCase()}: ${utf8(value)}`),
				);
				expect(response.lines.slice(0, -2)).toEqual(
					down.map(([name, value]) => `${name}: ${utf8(value)}`),
				);
			}),
			{ numRuns: 100 },
		);
	});

	it("bodies of any size in any pieces arrive whole, many on one connection", async () => {
		upstream.onRequest = (socket, _head, body) => {
			const bytes = Buffer.from(body, "latin1");
			socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${bytes.length}\r\n\r\n`);
			socket.write(bytes);
		};
		const client = new RawClient(edge.port);
		const piece = fc.string({ unit: fc.constantFrom("a", "\xff", "\r\n", "\0"), maxLength: 400 });
		await fc.assert(
			fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
				const body = pieces.join("");
				client.send(`POST / HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}\r\n\r\n`);
				for (const text of pieces) {
					client.send(text);
					await new Promise((resolve) => setImmediate(resolve));
				}
				expect((await client.response()).body).toBe(body);
				expect(client.received).toBe("");
			}),
			{ numRuns: 60 },
		);
		client.destroy();
	});
});
