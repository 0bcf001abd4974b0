/** The version is the package's. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { versionOf } from "../../src/process/version.ts";

it("is that of package.json", () => {
	const text = readFileSync(join(import.meta.dirname, "../../package.json"), "utf8");
	expect(text).toContain(`"version": "${versionOf()}"`);
});
