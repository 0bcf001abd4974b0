/** Files that are cut short while they are read: an error, and the process lives on. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mappingsOf } from "../../../src/store/lmdb/mapping-guard.ts";
import { startChild } from "../children.ts";
import { filledFolder } from "../folder.ts";

const MAPS = [
	"00400000-00452000 r-xp 00000000 08:02 173521      /usr/bin/data.mdb",
	"7fab04000000-7faf04000000 r--s 00000000 fe:00 2146506                    /srv/a b/data.mdb",
	"7faf4004d000-7faf40050000 rw-s 00000000 fe:00 2146507                    /srv/a b/lock.mdb",
	"7faf50000000-7faf50001000 r--s 00000000 fe:00 2146508                    /srv/data.mdb (deleted)",
	"7faf60000000-7faf60001000 r--s 00000000 fe:00 2146509                    /srv/l\\012f/data.mdb",
	"7ffc0000e000-7ffc0002f000 rw-p 00000000 00:00 0                          [stack]",
	"",
].join("\n");

describe("mappings", () => {
	it("are found by the file's name, whatever is in it", () => {
		expect(mappingsOf("/srv/a b/data.mdb", MAPS)).toEqual([
			{ begin: 0x7fab04000000, end: 0x7faf04000000, writable: false },
		]);
		expect(mappingsOf("/srv/a b/lock.mdb", MAPS)).toEqual([
			{ begin: 0x7faf4004d000, end: 0x7faf40050000, writable: true },
		]);
		expect(mappingsOf("/srv/data.mdb", MAPS)).toHaveLength(1);
		expect(mappingsOf("/srv/l\nf/data.mdb", MAPS)).toHaveLength(1);
	});
	it("are none of other files, private ones and no maps", () => {
		expect(mappingsOf("data.mdb", MAPS)).toEqual([]);
		expect(mappingsOf("/usr/bin/data.mdb", MAPS)).toEqual([]);
		expect(mappingsOf("/srv/data.mdb", "")).toEqual([]);
	});
});

describe.runIf(process.platform === "linux")(
	"a reader whose files are cut short as it reads",
	() => {
		it.each([
			["data.mdb", 0],
			["data.mdb", 8192],
			["data.mdb", 0.5],
			["lock.mdb", 0],
		])("%s, %d kept", async (name, kept) => {
			const folder = await filledFolder();
			const bytes = kept < 1 ? Math.floor(statSync(join(folder, name)).size * kept) : kept;
			const { child, lines } = startChild("cut", folder, name, String(bytes));
			const ended = new Promise((resolve) => {
				child.once("exit", (code, signal) => resolve(signal ?? code));
			});
			const said = [(await lines.next()).value];
			if (said[0] === "read all") said.push((await lines.next()).value);
			expect(said.at(-1)).toBe("lost");
			expect(await ended).toBe(0);
		});
	},
);
