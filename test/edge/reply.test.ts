/** Status lines and passed header lines as text; that they arrive so, `proxying.test.ts` and others prove. */
import { describe, expect, it } from "vitest";
import { hasNoBody, passedHeaders, statusLine } from "../../src/edge/reply.ts";

const bytes = (...texts: readonly string[]): Uint8Array[] =>
	texts.map((text) => Buffer.from(text, "latin1"));
const textOf = (headers: readonly Uint8Array[], added: readonly string[] = []) => {
	const passed = passedHeaders(headers, added);
	return passed === undefined ? undefined : [passed.name, passed.rest];
};

it("a status line has the standard reason, or the space that stands for none", () => {
	expect([404, 299].map(statusLine)).toEqual(["404 Not Found", "299 "]);
});

it("HEAD, 204 and 304 have no body", () => {
	expect([hasNoBody("HEAD", 200), hasNoBody("GET", 204), hasNoBody("GET", 304)]).toEqual([
		true,
		true,
		true,
	]);
	expect([hasNoBody("GET", 200), hasNoBody("POST", 304 + 1)]).toEqual([false, false]);
});

describe("passed header lines", () => {
	it("keep order, duplicates, spelling and bytes, and get the edge's own behind them", () => {
		expect(textOf(bytes("X-A", "1", "b", "t\xe9", "X-A", ""), ["via: 1.1 weir"])).toEqual([
			"X-A",
			"1\r\nb: t\xe9\r\nX-A: \r\nvia: 1.1 weir",
		]);
	});

	it("lose what belongs to the connection, what frames the message, and date", () => {
		const lost = ["Connection", "x-gone", "X-Gone", "1", "Keep-Alive", "5", "Date", "now"];
		const framing = ["Content-Length", "5", "Transfer-Encoding", "chunked"];
		expect(textOf(bytes(...lost, ...framing, "x", "1"))).toEqual(["x", "1"]);
		expect(textOf(bytes(...lost, ...framing))).toEqual(["", ""]);
	});

	it.each([
		["a b", "1"],
		["", "1"],
		["a", "1\r\nx: 2"],
		["a", "\0"],
	])("%j: %j is no header line", (name, value) => {
		expect(textOf(bytes(name, value))).toBeUndefined();
	});
});
