/** The first look at a request (contract 6): what is refused, whether the connection is still in step then. */
import { describe, expect, it } from "vitest";
import { inspect } from "../../src/edge/arrival.ts";
import { CHUNKED } from "../../src/framing.ts";

const HOST = ["host", "a.example"];

describe("inspect", () => {
	it("gives what came, with path and host in normal form", () => {
		expect(inspect("GET", "/x/../%61", "q=%zz", ["host", "A.Example:81", "x", "é"])).toEqual({
			method: "GET",
			rawPath: "/x/../%61",
			rawQuery: "q=%zz",
			headers: ["host", "A.Example:81", "x", "é"],
			bodyLength: 0,
			authority: { host: "a.example", port: 81 },
			path: "/a",
		});
		expect(inspect("PUT", "/", undefined, [...HOST, "transfer-encoding", "chunked"])).toMatchObject(
			{ bodyLength: CHUNKED, rawQuery: undefined },
		);
	});

	it.each<[string, string, string, string | undefined, string[], number]>([
		["a method that is no token", "GE(T", "/", undefined, HOST, 400],
		["CONNECT", "CONNECT", "/", undefined, HOST, 405],
		["a control character in a value", "GET", "/", undefined, [...HOST, "x", "a\u0001"], 400],
		["a value that arrived changed", "GET", "/", undefined, [...HOST, "x", "a\ufffd"], 400],
		["a broken percent-encoding", "GET", "/%zz", undefined, HOST, 400],
		["NUL in the path", "GET", "/%00", undefined, HOST, 400],
		["a query no URL may hold", "GET", "/", "a b", HOST, 400],
		["a host that is none", "GET", "/", undefined, ["host", "a b"], 400],
	])("refuses %s and stays in step", (_name, method, path, query, headers, status) => {
		expect(inspect(method, path, query, headers)).toMatchObject({
			inStep: true,
			answer: { statusCode: status },
		});
	});

	it.each<[string, string[], number]>([
		["no host", [], 400],
		["two hosts", [...HOST, ...HOST], 400],
		["two lengths", [...HOST, "content-length", "1", "content-length", "1"], 400],
		["an unknown coding", [...HOST, "transfer-encoding", "xchunked"], 501],
	])("refuses %s, after which nobody knows where the next request begins", (_, headers, status) => {
		expect(inspect("GET", "/", undefined, headers)).toMatchObject({
			inStep: false,
			answer: { statusCode: status },
		});
	});
});
