/** What is written of a response reaches the wire in order, its head once and first. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { CorkedResponse } from "../../../src/edge/response/corked-response.ts";
import type { HttpResponse } from "../../../src/http/uws.ts";
import { ScriptedResponse } from "../../upstream/scripted-response.ts";
import { BodyReader } from "../request/body-reader.ts";

const HEAD = { passed: "x: 1", ascii: true };
const corked = (length: number) => {
	const response = new ScriptedResponse([1]);
	const written = new CorkedResponse(response as unknown as HttpResponse, 200, HEAD, length);
	return { response, written };
};

it("has its head once, whatever is written first and how the body is framed", () => {
	const sizes = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 5 });
	fc.assert(
		fc.property(sizes, fc.boolean(), fc.boolean(), (sizes, sized, headFirst) => {
			const total = sizes.reduce((sum, size) => sum + size, 0);
			const body = Buffer.alloc(total, "abcdefgh");
			const { response, written } = corked(sized ? total : -1);
			expect(written.headBytes).toBeGreaterThan(0);
			if (headFirst) written.writeHead();
			let at = 0;
			for (const size of sizes) {
				expect([written.taken, written.ended]).toEqual([true, false]);
				written.write(body.subarray(at, at + size));
				expect([written.headWritten, written.headBytes]).toEqual([true, 0]);
				at += size;
			}
			if (!sized) written.end();
			expect(written.ended).toBe(true);
			const wire = Buffer.concat(response.wire).toString("latin1");
			expect(wire.match(/HTTP\/1\.1/g)).toEqual(["HTTP/1.1"]);
			expect(wire.startsWith("HTTP/1.1 200 OK\r\nx: 1\r\n")).toBe(true);
			const reader = new BodyReader(body);
			for (const bytes of response.wire) reader.push(bytes);
			expect([reader.mistake, reader.received, reader.complete]).toEqual([undefined, total, true]);
		}),
	);
});

it("of length 0 is its head", () => {
	const { response, written } = corked(0);
	written.end();
	expect(written.ended).toBe(true);
	expect(Buffer.concat(response.wire).toString()).toBe(
		"HTTP/1.1 200 OK\r\nx: 1\r\ncontent-length: 0\r\n\r\n",
	);
});

it("says when the socket is full", () => {
	const response = new ScriptedResponse([0]);
	const written = new CorkedResponse(response as unknown as HttpResponse, 200, HEAD, -1);
	// The first one waits in the library's buffer.
	for (const taken of [true, false]) {
		written.write(Buffer.from("abc"));
		expect([written.taken, written.ended]).toEqual([taken, false]);
	}
});
