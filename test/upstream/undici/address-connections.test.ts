import { expect, it } from "vitest";
import { hasRoom, takenPlaces } from "../../../src/upstream/undici/address-connections.ts";
import { FakeConnection } from "./fakes.ts";

it("a place is taken by a request; idle and unconnected ones, and those not yet made, are room", () => {
	const full = { idle: [], cold: [], count: 3 };
	const idle = { idle: [new FakeConnection()], cold: [], count: 3 };
	const cold = { idle: [], cold: [new FakeConnection(), new FakeConnection()], count: 3 };
	expect([full, idle, cold].map((each) => hasRoom(each, 3))).toEqual([false, true, true]);
	expect([hasRoom(full, 4), hasRoom(undefined, 4)]).toEqual([true, false]);
	expect(takenPlaces([full, idle, cold])).toBe(3 + 2 + 1);
});
