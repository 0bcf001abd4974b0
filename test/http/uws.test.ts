/** The server library's compiled part is told apart from other files. */
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { expect, it } from "vitest";
import { libraryFile } from "../../src/http/uws.ts";

it("names the file that is loaded, for this platform and this Node", () => {
	const file = libraryFile() ?? "";
	const { platform, arch, versions } = process;
	expect(basename(file)).toBe(`uws_${platform}_${arch}_${versions.modules}.node`);
	expect(existsSync(file)).toBe(true);
});
