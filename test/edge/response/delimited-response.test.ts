/** A body that ends with its connection is written whole and in order, whatever a full socket takes of it. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { DelimitedResponse } from "../../../src/edge/response/delimited-response.ts";
import type { ClientConnection } from "../../../src/http/client-connection.ts";

const HEAD = { passed: "connection: close\r\nx: \xe9", ascii: false };

it("has its head once and first, byte for byte", () => {
	const takes = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 30 });
	fc.assert(
		fc.property(takes, fc.integer({ min: 0, max: 300 }), (takes, size) => {
			let wire = "";
			let turn = 0;
			const write = (bytes: Uint8Array): number => {
				const taken = Math.min(takes[turn++] ?? bytes.byteLength, bytes.byteLength);
				expect(isReset, "nothing is written before that is said").toBe(true);
				wire += Buffer.from(bytes.subarray(0, taken)).toString("latin1");
				return taken;
			};
			let isReset = false;
			const endsBody = (): void => {
				isReset = true;
			};
			const client = { write, endsBody } as unknown as ClientConnection;
			const response = new DelimitedResponse(client, 200, HEAD);
			const body = Buffer.alloc(size, "abcdefgh");
			while (response.offset < size || !response.headWritten) {
				response.write(body.subarray(response.offset));
				if (!response.taken) expect(response.offset < size || !response.headWritten).toBe(true);
			}
			response.end();
			expect(response.ended).toBe(true);
			expect(isReset, "a connection that is closed before its end is reset").toBe(true);
			const end = wire.indexOf("\r\n\r\n");
			expect(wire.slice(0, end)).toMatch(
				/^HTTP\/1\.1 200 OK\r\nconnection: close\r\nx: \xe9\r\ndate: .* GMT$/,
			);
			expect(wire.slice(end + 4)).toBe(body.toString("latin1"));
		}),
	);
});
