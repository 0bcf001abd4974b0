/** Loading the addon: what it has, and a clear error where it is missing. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { AddonError, addon, loadAddon } from "../src/native-addon.ts";
import { addonFile } from "./limiter/support.ts";

it("is one addon, however often it is loaded", () => {
	expect(loadAddon(addonFile)).toBe(addon);
});

it("a missing addon is an error that says what to do", () => {
	const attempt = () => loadAddon(join(import.meta.dirname, "no-such.node"));
	expect(attempt).toThrow(AddonError);
	expect(attempt).toThrow(/npm install/);
	expect(attempt).toThrow(expect.objectContaining({ code: "ERR_ADDON_UNAVAILABLE" }));
});
