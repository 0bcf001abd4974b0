/** Loading the addon: what it has, and a clear error where it is missing. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { AddonError, addon, loadAddon } from "../src/native-addon.ts";
import { addonFile } from "./limiter/support.ts";

it("is one addon, however often it is loaded", () => {
	expect(loadAddon(addonFile)).toBe(addon);
});

it("says how the memory is laid out that it shares", () => {
	const { recordBytes, word, lengthDouble, kind, failure } = addon.upstreamLayout;
	const words = [...Object.values(word), 2 * lengthDouble, 2 * lengthDouble + 1];
	expect(new Set(words).size, "no two in one place").toBe(words.length);
	expect(Math.max(...words)).toBeLessThan(recordBytes / 4);
	for (const names of [kind, failure]) {
		const numbers = Object.values(names);
		expect(new Set(numbers).size).toBe(numbers.length);
		// 0 is what memory holds that nobody wrote.
		expect(Math.min(...numbers)).toBeGreaterThan(0);
	}
});

it("a missing addon is an error that says what to do", () => {
	const attempt = () => loadAddon(join(import.meta.dirname, "no-such.node"));
	expect(attempt).toThrow(AddonError);
	expect(attempt).toThrow(/npm install/);
	expect(attempt).toThrow(expect.objectContaining({ code: "ERR_ADDON_UNAVAILABLE" }));
});
