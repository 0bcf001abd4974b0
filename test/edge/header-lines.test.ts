/** Header lines as rules and the wire see them: order and duplicates kept, bytes never changed. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FlatHeaders, latin1, rawHeaderLines, utf8Bytes } from "../../src/edge/header-lines.ts";

describe("header lines", () => {
	it("are found by name, in order, and [] where there are none", () => {
		const lines = new FlatHeaders(["a", "1", "b", "", "a", "3"]);
		expect(lines.names()).toEqual(["a", "b"]);
		expect([lines.lines("a"), lines.lines("b"), lines.lines("c")]).toEqual([["1", "3"], [""], []]);
		// A value is no name.
		expect(lines.lines("1")).toEqual([]);
	});

	it("of an upstream are read as UTF-8 by lower-case name", () => {
		const raw = ["X-A", "tét", "x-a", "2"].map((text) => new Uint8Array(Buffer.from(text)));
		expect(rawHeaderLines(raw).lines("x-a")).toEqual(["tét", "2"]);
		const broken = [Buffer.from("a"), Buffer.from([0x61, 0xff])];
		expect(rawHeaderLines(broken).lines("a")).toEqual(["a\ufffd"]);
	});

	it("go out as the UTF-8 bytes of what came in, a character a byte", () => {
		fc.assert(
			fc.property(fc.string({ unit: "grapheme" }), (text) => {
				expect(Buffer.from(utf8Bytes(text), "latin1").toString("utf8")).toBe(
					Buffer.from(text).toString("utf8"),
				);
				expect(latin1(Buffer.from(text))).toBe(utf8Bytes(text));
			}),
		);
	});
});
