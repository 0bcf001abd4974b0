/** The rest is proven in C++ (`native/test/address_room_test.cc`). */
import { expect, it } from "vitest";
import { addon } from "../../src/native-addon.ts";
import { gatherMemory } from "../../src/process/gathered-memory.ts";

const TERABYTE = 2 ** 40;

it("leaves V8 no addresses to draw but those that it has", () => {
	gatherMemory();
	expect(addon.takeDrawnAddresses()).toBeLessThan(TERABYTE);
});
