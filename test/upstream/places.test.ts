import { expect, it } from "vitest";
import { connectionPlaces } from "../../src/upstream/places.ts";

it("connections are bounded by descriptors, ports and the net, whichever is least", () => {
	expect(connectionPlaces(1_048_576, 1)).toBe(10_000);
	expect(connectionPlaces(1_048_576, 8)).toBe(3000);
	expect(connectionPlaces(1024, 2)).toBe(448);
	expect(connectionPlaces(64, 2)).toBe(32);
});
