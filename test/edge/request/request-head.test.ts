/** The first look at a request (contract 6): what is refused, whether the connection is still in step then. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HeaderReader } from "../../../src/edge/request/header-reader.ts";
import { checkRequest } from "../../../src/edge/request/request-head.ts";
import { FlatRequestLines } from "../../../src/edge/request/request-lines.ts";
import { CHUNKED } from "../../../src/http/framing.ts";
import { Counter } from "../../../src/telemetry/metrics.ts";

const HOST = ["host", "a.example"];

const headerOf = (flat: readonly string[]): HeaderReader => {
	const header = new HeaderReader("drop", new Counter());
	for (let index = 0; index < flat.length; index += 2) {
		header.add(flat[index] ?? "", flat[index + 1] ?? "");
	}
	return header;
};
const inspected = (
	method: string,
	path: string,
	query: string | undefined,
	flat: readonly string[],
	allowTrace = false,
) => checkRequest(method, path, query, headerOf(flat), allowTrace);

describe("checkRequest", () => {
	it("gives what came, with path and host in normal form", () => {
		expect(inspected("GET", "/x/../%61", "q=%zz", ["host", "A.Example:81", "x", "é"])).toEqual({
			method: "GET",
			rawPath: "/x/../%61",
			rawQuery: "q=%zz",
			lines: expect.objectContaining({ bytes: "host: A.Example:81\r\nx: é\r\n".length }),
			bodyLength: 0,
			host: "A.Example:81",
			authority: expect.objectContaining({ host: "a.example", port: 81 }),
			path: "/a",
			ascii: false,
			upgrade: false,
			via: false,
		});
		expect(
			inspected("PUT", "/", undefined, [...HOST, "transfer-encoding", "chunked"]),
		).toMatchObject({ bodyLength: CHUNKED, rawQuery: undefined });
	});

	it.each<[string, string, string, string | undefined, string[], number]>([
		["a method that is no token", "GE(T", "/", undefined, HOST, 400],
		["CONNECT", "CONNECT", "/", undefined, HOST, 405],
		["TRACE", "TRACE", "/", undefined, HOST, 405],
		["a standard method in lower case", "post", "/", undefined, HOST, 400],
		["a host with an empty label", "GET", "/", undefined, ["host", "name.."], 400],
		["a dot segment behind an empty one", "GET", "/a//../b", undefined, HOST, 400],
		["a control character in a value", "GET", "/", undefined, [...HOST, "x", "a\u0001"], 400],
		["a value that arrived changed", "GET", "/", undefined, [...HOST, "x", "a\ufffd"], 400],
		["a broken percent-encoding", "GET", "/%zz", undefined, HOST, 400],
		["NUL in the path", "GET", "/%00", undefined, HOST, 400],
		["a query no URL may hold", "GET", "/", "a b", HOST, 400],
		["a host that is none", "GET", "/", undefined, ["host", "a b"], 400],
	])("refuses %s and stays in step", (_name, method, path, query, headers, status) => {
		expect(inspected(method, path, query, headers)).toMatchObject({
			inStep: true,
			reply: { statusCode: status },
		});
	});

	it.each<[string, string[], number]>([
		["no host", [], 400],
		["two hosts", [...HOST, ...HOST], 400],
		["two lengths", [...HOST, "content-length", "1", "content-length", "1"], 400],
		["an unknown coding", [...HOST, "transfer-encoding", "xchunked"], 501],
		["a letter that is k in Unicode", [...HOST, "transfer-encoding", "chun\u212aed"], 501],
	])("refuses %s, after which nobody knows where the next request begins", (_, headers, status) => {
		expect(inspected("GET", "/", undefined, headers)).toMatchObject({
			inStep: false,
			reply: { statusCode: status },
		});
	});
});

it("names with underscores are refused where they are to be", () => {
	const header = new HeaderReader("refuse", new Counter());
	for (const name of ["host", "x_a", "x-a"]) header.add(name, "1");
	expect(checkRequest("GET", "/", undefined, header, false)).toMatchObject({
		inStep: true,
		reply: { statusCode: 400 },
	});
});

it("TRACE passes where it is allowed, CONNECT never", () => {
	expect(inspected("TRACE", "/", undefined, HOST, true)).toMatchObject({ method: "TRACE" });
	expect(inspected("CONNECT", "/", undefined, HOST, true)).toMatchObject({
		reply: { statusCode: 405, headers: expect.arrayContaining(["allow"]) },
	});
});

describe("any request that is in order", () => {
	const line = fc.tuple(
		fc.constantFrom("x-a", "cookie"),
		fc.string({ unit: fc.constantFrom("a", " ", "\t", "é", "😀", '"'), maxLength: 4 }),
	);
	const request = fc.record({
		method: fc.constantFrom("GET", "POST", "search", "M-SEARCH"),
		path: fc
			.string({ unit: fc.constantFrom("a", "/", "%20", "%2f", "é"), maxLength: 5 })
			.map((text) => `/a${text}`),
		query: fc.option(fc.string({ unit: fc.constantFrom("a", "?", "%", "é") }), { nil: undefined }),
		headers: fc
			.tuple(fc.array(line), fc.array(line), fc.nat())
			.map(([before, after, length]) => [
				...before.flat(),
				...HOST,
				...after.flat(),
				...["content-length", `${length}`],
			]),
	});

	it("passes as it came", () => {
		fc.assert(
			fc.property(request, ({ method, path, query, headers }) => {
				expect(inspected(method, path, query, headers)).toMatchObject({
					method,
					rawPath: path,
					rawQuery: query,
					lines: new FlatRequestLines(headers, false),
					bodyLength: Number(headers.at(-1)),
				});
			}),
		);
	});

	it("is ASCII if all of target and values is", () => {
		fc.assert(
			fc.property(request, ({ method, path, query, headers }) => {
				const values = headers.filter((_, index) => index % 2 === 1);
				expect(inspected(method, path, query, headers)).toMatchObject({
					ascii: !/[^\0-\u007f]/.test([path, query ?? "", ...values].join("")),
				});
			}),
		);
	});

	it("is refused for one bad character in any value", () => {
		const bad = fc.constantFrom("\0", "\n", "\r", "\u007f", "\ufffd");
		fc.assert(
			fc.property(request, line, bad, ({ method, path, query, headers }, [name, value], bad) => {
				for (const spoilt of [bad + value, value + bad]) {
					expect(inspected(method, path, query, [name, spoilt, ...headers])).toMatchObject({
						reply: { statusCode: 400 },
						inStep: true,
					});
				}
			}),
		);
	});

	it("is out of step for a fault of its framing, whatever else is wrong", () => {
		const faults = fc.constantFrom(["transfer-encoding", "chunked"], ["content-length", "1"], HOST);
		fc.assert(
			fc.property(
				request,
				faults,
				fc.constantFrom("GET", "CONNECT", ""),
				fc.constantFrom("/", "/%00"),
				({ headers }, fault, method, path) => {
					expect(
						inspected(method, path, undefined, [...headers, ...fault, "x", "\0"]),
					).toMatchObject({ reply: { statusCode: 400 }, inStep: false });
				},
			),
		);
	});
});
