/** The space that a store needs is there before LMDB opens it, and a folder without room is told from one with. */
import { ftruncateSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { hasRoom, takeRoom } from "../../../src/store/lmdb/disk-room.ts";
import { openStore, StoreError } from "../../../src/store/open.ts";
import { SmallDisk, whyNoDisk } from "../../faults/small-disk.ts";
import { edgeOf } from "../documents.ts";
import { temporaryFolder } from "../folder.ts";

const MIB = 1_048_576;

const allocated = (path: string): boolean => {
	const { blocks, size } = statSync(path);
	return size > 0 && blocks * 512 >= size;
};

describe("the lock file", () => {
	it("is made without holes", () => {
		const folder = temporaryFolder();
		takeRoom(folder, true);
		expect(allocated(join(folder, "lock.mdb"))).toBe(true);
	});

	it("of an older version has its holes filled, and keeps what is in it", () => {
		const folder = temporaryFolder();
		const path = join(folder, "lock.mdb");
		const descriptor = openSync(path, "w");
		writeSync(descriptor, "in use");
		ftruncateSync(descriptor, 8272);
		takeRoom(folder, false);
		expect(allocated(path)).toBe(true);
		expect(statSync(path).size).toBe(8272);
		expect(readFileSync(path, "latin1").slice(0, 7)).toBe("in use\0");
	});
});

it("leaves a data file that is there as it is, and one that it makes empty", () => {
	const folder = temporaryFolder();
	const path = join(folder, "data.mdb");
	takeRoom(folder, false);
	expect(statSync(path).size).toBe(0);
	writeFileSync(path, "content");
	takeRoom(folder, false);
	expect(readFileSync(path, "utf8")).toBe("content");
});

const reason = whyNoDisk("tmpfs");
describe.skipIf(reason !== undefined)(`a full disk${reason ? ` (skipped: ${reason})` : ""}`, () => {
	function fullDisk(): SmallDisk {
		const disk = new SmallDisk("tmpfs");
		onTestFinished(() => disk.remove());
		disk.fill();
		return disk;
	}

	it("has no room, and has some again", () => {
		const disk = fullDisk();
		expect(hasRoom(disk.folder, MIB)).toBe(false);
		disk.clear();
		expect(hasRoom(disk.folder, MIB)).toBe(true);
		expect(hasRoom(disk.folder, 100 * MIB)).toBe(false);
	});

	it("is no place for a store, and leaves nothing that a later start would stumble over", async () => {
		const disk = fullDisk();
		const folder = join(disk.folder, "data");
		expect(() => openStore(folder)).toThrow(StoreError);
		expect(() => openStore(folder)).toThrow(/no room left on its disk .*make room there/);
		disk.clear();
		const store = openStore(folder);
		await store.putEdge("e", edgeOf("a.example"), {});
		await store.close();
	});
});
