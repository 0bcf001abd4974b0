/** What is passed on of an upstream's header, and what rules read of it: order, duplicates and bytes kept. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { latin1, RawResponseHead } from "../../src/upstream/response-head.ts";

const bytes = (...texts: readonly string[]): Uint8Array[] =>
	texts.map((text) => Buffer.from(text, "latin1"));
const passed = (...texts: readonly string[]) => {
	const head = RawResponseHead.from(bytes(...texts));
	return head && [head.passed, head.ascii];
};

describe("a response's header passed on", () => {
	it("keeps order, duplicates, spelling and bytes", () => {
		expect(passed("X-A", "1", "b", "t\xe9", "X-A", "")).toEqual([
			"X-A: 1\r\nb: t\xe9\r\nX-A: ",
			false,
		]);
		expect(passed("X-A", "a: b")).toEqual(["X-A: a: b", true]);
	});

	it("loses what belongs to the connection, what frames the message, and date", () => {
		const lost = ["Connection", "x-gone", "X-Gone", "1", "Keep-Alive", "5", "Date", "now"];
		const framing = ["Content-Length", "5", "Transfer-Encoding", "chunked"];
		expect(passed(...lost, ...framing, "x", "1")).toEqual(["x: 1", true]);
		expect(passed(...lost, ...framing)).toEqual(["", true]);
		expect(passed()).toEqual(["", true]);
	});

	it.each([
		["a b", "1"],
		["", "1"],
		["a", "1\r\nx: 2"],
		["a", "\0"],
	])("%j: %j is no header line", (name, value) => {
		expect(passed(name, value)).toBeUndefined();
	});
});

describe("a response's header as rules read it", () => {
	it("has all lines in order, values as UTF-8 text by lower-case name", () => {
		const value = fc.string({ unit: "grapheme" }).filter((text) => !/[\p{Cc}]/u.test(text));
		const name = fc.constantFrom("X-A", "x-a", "Date", "Connection", "content-length");
		fc.assert(
			fc.property(fc.array(fc.tuple(name, value)), (lines) => {
				const raw = lines.flat().map((text) => new Uint8Array(Buffer.from(text)));
				expect(RawResponseHead.from(raw)?.lines()).toEqual(
					lines.flatMap(([name, value]) => [name.toLowerCase(), value]),
				);
			}),
		);
		const broken = [Buffer.from("a"), Buffer.from([0x61, 0xff])];
		expect(RawResponseHead.from(broken)?.lines()).toEqual(["a", "a\ufffd"]);
	});

	it("latin1 is a character for each byte", () => {
		fc.assert(
			fc.property(fc.uint8Array(), (bytes) => {
				expect([...latin1(bytes)].map((character) => character.charCodeAt(0))).toEqual([...bytes]);
			}),
		);
		expect(latin1(undefined)).toBe("");
	});
});
