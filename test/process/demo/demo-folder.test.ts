/** A demo's folder is new, private and removed with all that is in it. */
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { DemoFolder } from "../../../src/process/demo/demo-folder.ts";

it("makes a folder of its own each time and removes it", () => {
	const [one, two] = [new DemoFolder(), new DemoFolder()];
	expect(one.path).not.toBe(two.path);
	expect(statSync(one.path).mode & 0o777).toBe(0o700);
	writeFileSync(join(one.path, "data.mdb"), "");
	one.remove();
	expect([existsSync(one.path), existsSync(two.path)]).toEqual([false, true]);
	two.remove();
	two.remove();
	expect(existsSync(two.path)).toBe(false);
});
