import { expect, it } from "vitest";
import { connectionLimit } from "../../src/upstream/connection-limit.ts";

it("connections are bounded by descriptors, ports and the net, whichever is least", () => {
	expect(connectionLimit(524_224, 1)).toBe(10_000);
	expect(connectionLimit(524_224, 8)).toBe(3000);
	expect(connectionLimit(448, 2)).toBe(448);
	expect(connectionLimit(1, 2)).toBe(32);
});
