/** What is noted of header lines while they are copied. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HeaderReader } from "../../../src/edge/request/header-reader.ts";
import { checkFraming } from "../../../src/http/framing.ts";
import { Counter } from "../../../src/telemetry/metrics.ts";

const seen = (...flat: readonly string[]): HeaderReader => {
	const header = new HeaderReader("drop", new Counter());
	for (let at = 0; at < flat.length; at += 2) header.add(flat[at] ?? "", flat[at + 1] ?? "");
	return header;
};

const sentOn = (...flat: readonly string[]): string =>
	seen(...flat)
		.takeLines()
		.forwarded(undefined);

const LINES = ["x_admin 1", "a 1", "_ 2", "x-0 3", "x.a 4"];

describe("a request's header", () => {
	it.each<[string[], boolean]>([
		[["upgrade", "websocket"], true],
		[["trailer", "websocket"], false],
	])("%j: an upgrade is %j", (flat, upgrade) => {
		expect(seen(...flat).upgrade).toBe(upgrade);
	});

	it.each<[string[], string]>([
		[["connection", "keep-alive", "connection", "close", "x", "1"], "x: 1\r\n"],
		[["connection", "Keep-Alive", "x", "1"], "x: 1\r\n"],
		[["connection", "x", "connection", "close", "x", "1", "y", "2"], "y: 2\r\n"],
		[["keep-alive", "x", "x", "1"], "x: 1\r\n"],
	])("%j is sent on as %j", (flat, forwarded) => {
		expect(sentOn(...flat)).toBe(forwarded);
	});

	it.each<["drop" | "pass" | "refuse", string, boolean, number]>([
		["drop", "a: 1\r\nx-0: 3\r\n", false, 3],
		["refuse", "a: 1\r\nx-0: 3\r\n", true, 3],
		["pass", "x_admin: 1\r\na: 1\r\n_: 2\r\nx-0: 3\r\nx.a: 4\r\n", false, 0],
	])("names with underscores, %s: what stays is counted and told", (action, kept, told, count) => {
		const counter = new Counter();
		const header = new HeaderReader(action, counter);
		for (const [name, value] of LINES.map((line) => line.split(" "))) {
			header.add(name ?? "", value ?? "");
		}
		expect([header.underscored, counter.value]).toEqual([told, count]);
		expect(header.takeLines().forwarded(undefined)).toBe(kept);
		header.clear();
		expect(header.underscored).toBe(false);
	});

	it("of all tokens, letters, digits and hyphens alone make a name that everybody reads alike", () => {
		for (const byte of "!#$%&'*+.^_`|~") {
			expect([byte, sentOn(`x-forwarded${byte}for`, "6.6.6.6")]).toEqual([byte, ""]);
		}
		expect(sentOn("x-forwarded-0z", "1")).toBe("x-forwarded-0z: 1\r\n");
	});

	it("where other names pass, those don't that read as the edge's own", () => {
		const counter = new Counter();
		const header = new HeaderReader("pass", counter);
		const forged = ["x_forwarded_for", "x-forwarded.host", "content_length", "transfer~encoding"];
		for (const name of [...forged, "x_forwarded_foo"]) header.add(name, "1");
		expect(header.takeLines().forwarded(undefined)).toBe("x_forwarded_foo: 1\r\n");
		expect([header.underscored, counter.value]).toEqual([false, 4]);
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
		const header = new HeaderReader("drop", new Counter());
		fc.assert(
			fc.property(flat, (lines) => {
				const before = header.takeLines();
				const { bytes } = before;
				header.clear();
				for (let at = 0; at < lines.length; at += 2)
					header.add(lines[at] ?? "", lines[at + 1] ?? "");
				const { ascii, bad, host } = seen(...lines);
				expect(header).toMatchObject({ ascii, bad, host });
				expect(header.bodyLength).toEqual(checkFraming(lines));
				const taken = header.takeLines();
				expect(taken.bytes).toBe(lines.join("..").length + (lines.length > 0 ? 2 : 0));
				for (const each of ["host", "x", "accept"]) {
					const values = lines.filter((_, at) => at % 2 === 1 && lines[at - 1] === each);
					expect(taken.lines(each)).toEqual(values);
				}
				expect(before.bytes).toBe(bytes);
			}),
		);
	});
});
