import { expect, it } from "vitest";
import { RESPAWN, RespawnDelay } from "../../src/process/respawn.ts";

it("restarts at once, then with doubled delays up to the bound, and forgives after a long life", () => {
	const delay = new RespawnDelay();
	const young = Array.from({ length: 10 }, () => delay.next(0));
	expect(young).toEqual([0, 100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
	expect(delay.next(RESPAWN.stableMs)).toBe(0);
	expect(delay.next(RESPAWN.stableMs - 1)).toBe(100);
});
