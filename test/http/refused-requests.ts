/**
 * Requests as bytes that must be refused, whoever serves them, each with its status. For the tests of the data path and
 * of the management API, with the front and without it.
 */

export type RefusedRequest = readonly [what: string, status: number, bytes: string];

export const HOST = "Host: h";
export const request = (...lines: string[]) => `GET /x HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
export const get = (target: string): string => `GET ${target} HTTP/1.1\r\nHost: h\r\n\r\n`;
export const chunked = (body: string): string =>
	`POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n${body}`;

/** Readers could see their ends, or their hosts, in different places. */
export const BAD_FRAMING: readonly RefusedRequest[] = [
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
];

/** What the library alone lets pass, refuses with a page of its own, or does not answer for 10 s. */
export const FRONT_ONLY: readonly RefusedRequest[] = [
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

/** Bodies in chunks that are none. */
export const BAD_CHUNKS: readonly (readonly [what: string, body: string])[] = [
	["a size that is none", "zz\r\nabc\r\n0\r\n\r\n"],
	["a size beyond all bounds", "ffffffffffffffffff\r\n"],
	["more than its size", "3\r\nabcd\r\n0\r\n\r\n"],
	["a line end that is none", "3\r\nabc\n0\r\n\r\n"],
	["a bad trailer", "3\r\nabc\r\n0\r\nX : 1\r\n\r\n"],
	["a trailer of framing's", "0\r\n X: 1\r\n\r\n"],
];
