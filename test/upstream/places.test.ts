import { expect, it } from "vitest";
import { connectionPlaces } from "../../src/upstream/places.ts";

it("connections are bounded by descriptors, ports and the net, whichever is least", () => {
	expect(connectionPlaces(524_224, 1)).toBe(10_000);
	expect(connectionPlaces(524_224, 8)).toBe(3000);
	expect(connectionPlaces(448, 2)).toBe(448);
	expect(connectionPlaces(1, 2)).toBe(32);
});
