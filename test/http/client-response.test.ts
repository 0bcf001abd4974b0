/** A chunk of a body is looked at where it lies, whoever hands it over. */
import { expect, it } from "vitest";
import { bytesOf } from "../../src/http/client-response.ts";

it("makes bytes of a chunk without copying it", () => {
	const buffer = new ArrayBuffer(4);
	const part = new Uint8Array(buffer, 1, 2);
	expect(bytesOf(buffer).buffer).toBe(buffer);
	expect(bytesOf(part)).toBe(part);
});
