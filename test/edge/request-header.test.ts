/** What is noted of header lines while they are copied. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RequestHeader } from "../../src/edge/request-header.ts";
import { checkFraming } from "../../src/framing.ts";

const seen = (...flat: readonly string[]): RequestHeader => {
	const header = new RequestHeader();
	for (let at = 0; at < flat.length; at += 2) header.add(flat[at] ?? "", flat[at + 1] ?? "");
	return header;
};

describe("a request's header", () => {
	it.each<[string[], Partial<RequestHeader>]>([
		[["connection", "keep-alive", "connection", "close"], { connectionOptions: false }],
		[["connection", "Keep-Alive"], { connectionOptions: true }],
		[["connection", "x", "connection", "close"], { connectionOptions: true }],
		[["keep-alive", "x"], { connectionOptions: false }],
		[["upgrade", "websocket"], { upgrade: true }],
		[["trailer", "websocket"], { upgrade: false }],
	])("%j: %j", (flat, noted) => {
		expect(seen(...flat)).toMatchObject(noted);
	});

	it("tells ASCII from other bytes, and those that can't be forwarded, one by one", () => {
		for (let code = 0; code < 0x180; code++) {
			const { ascii, bad } = seen("x", `a${String.fromCharCode(code)}b`, "y", "z");
			const isControl = (code < 32 && code !== 9) || code === 127;
			expect([code, bad]).toEqual([code, isControl]);
			expect([code, ascii]).toEqual([code, code < 128]);
		}
		expect(seen("x", "a\tb", "y", "\ufffd")).toMatchObject({ ascii: false, bad: true });
	});

	it("has the framing that the whole has, and nothing of the header before it", () => {
		const name = fc.constantFrom("host", "content-length", "transfer-encoding", "x", "accept");
		const value = fc.constantFrom("", "a", "5", "chunked", "é", "\0");
		const flat = fc.array(fc.tuple(name, value)).map((lines) => lines.flat());
		const header = new RequestHeader();
		fc.assert(
			fc.property(flat, (lines) => {
				const before = header.lines;
				const length = before.length;
				header.clear();
				for (let at = 0; at < lines.length; at += 2)
					header.add(lines[at] ?? "", lines[at + 1] ?? "");
				expect(header).toEqual({ ...seen(...lines), add: expect.any(Function) });
				expect(header.lines).toEqual(lines);
				expect(header.framing.bodyLength()).toBe(checkFraming(lines));
				expect(before).toHaveLength(length);
			}),
		);
	});
});
