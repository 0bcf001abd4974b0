/** A restore replaces all or nothing, keeps what it replaces, and is refused where a store is in use. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { BackupFile } from "../../../src/store/backup/read-backup.ts";
import {
	checkBackup,
	countsInWords,
	type Restored,
	restoreStore,
} from "../../../src/store/backup/restore.ts";
import { Database } from "../../../src/store/lmdb/database.ts";
import { joinFleet } from "../../../src/store/membership.ts";
import { openStore } from "../../../src/store/open.ts";
import { StoreError } from "../../../src/store/store-error.ts";
import { SmallDisk, whyNoDisk } from "../../faults/small-disk.ts";
import { edgeOf } from "../documents.ts";
import { temporaryFolder } from "../folder.ts";
import { ABOUT, backupOf, fileOf, storeWith } from "./files.ts";

interface Way {
	readonly force?: boolean;
	readonly aside?: (bytes: Buffer) => void;
	readonly sound?: BackupFile;
}

function restore(folder: string, file: BackupFile, way: Way = {}): Promise<Restored> {
	return restoreStore(
		folder,
		file,
		checkBackup(way.sound ?? file, () => {}),
		{
			force: way.force ?? false,
			moment: "20260131T120000Z",
			progress: () => {},
			aside: (path) => {
				const pieces: Buffer[] = [];
				return {
					path,
					writing: {
						about: ABOUT,
						write: way.aside ?? ((bytes) => pieces.push(bytes)),
						progress: () => {},
					},
					keep: () => writeFileSync(path, Buffer.concat(pieces)),
					drop: () => {},
				};
			},
		},
	);
}

/** Without the first and the last line, which say when it was made. */
const entriesIn = async (folder: string): Promise<string> =>
	(await backupOf(folder)).split("\n").slice(1, -2).join("\n");

describe("a restore", () => {
	it("makes a store that is the same, in a folder that it makes", async () => {
		const from = await storeWith(5);
		const folder = join(temporaryFolder(), "deep", "data");
		const restored = await restore(folder, fileOf(await backupOf(from)));
		expect(restored).toMatchObject({ edges: 1, routes: 5, policies: 6, keys: 1, aside: undefined });
		expect(await entriesIn(folder)).toBe(await entriesIn(from));
		expect(statSync(folder).mode & 0o777).toBe(0o700);
		const store = openStore(folder);
		expect(store.route("e", "r3")?.document.match).toBe("/3/");
		await store.close();
	});

	it("replaces a store only if it is told to, and keeps what was there as a backup", async () => {
		const [folder, file] = [await storeWith(2), fileOf(await backupOf(await storeWith(4)))];
		const before = await entriesIn(folder);
		await expect(restore(folder, file)).rejects.toThrow(
			"is not empty, it holds 1 edge, 2 routes, 3 policies, 1 key; --force",
		);
		expect(await entriesIn(folder)).toBe(before);
		const { aside = "" } = await restore(folder, file, { force: true });
		expect(aside).toBe(join(folder, "before-restore-20260131T120000Z.backup"));
		const back = join(temporaryFolder(), "data");
		await restore(back, fileOf(readFileSync(aside)));
		expect(await entriesIn(back)).toBe(before);
		expect((await entriesIn(folder)).match(/^r\//gm)).toHaveLength(4);
	});

	it("goes into a store that was made and never used", async () => {
		const folder = temporaryFolder();
		await openStore(folder).close();
		expect(await restore(folder, fileOf(await backupOf(await storeWith(1))))).toMatchObject({
			routes: 1,
			aside: undefined,
		});
	});

	it("is refused where a fleet's other machines would not hear of it", async () => {
		const folder = await storeWith(1);
		const file = fileOf(await backupOf(folder));
		const database = Database.open(folder, { readOnly: false });
		database.commit((writes) => joinFleet(writes, "m_1", { fleet: "prod" }));
		await database.close();
		await expect(restore(folder, file, { force: true })).rejects.toThrow(
			/belongs to the fleet "prod", .* weir fleet restore, or .* weir fleet leave$/,
		);
	});
	it("is refused where a server owns the store", async () => {
		const folder = await storeWith(1);
		const store = openStore(folder);
		const file = fileOf(await backupOf(folder));
		await expect(restore(folder, file, { force: true })).rejects.toThrow("in use by another weir");
		await store.putEdge("late", edgeOf("late.example"), {});
		await store.close();
		expect(await entriesIn(folder)).toContain("e/late");
	});

	it("changes nothing if what is replaced can't be kept, or the file is another than was checked", async () => {
		const [folder, file] = [await storeWith(2), fileOf(await backupOf(await storeWith(3)))];
		const before = await entriesIn(folder);
		const full = () => {
			throw new StoreError("no room");
		};
		await expect(restore(folder, file, { force: true, aside: full })).rejects.toThrow("no room");
		const damaged = fileOf((await backupOf(await storeWith(3))).slice(0, -30));
		await expect(restore(folder, damaged, { force: true, sound: file })).rejects.toThrow(
			"cut short",
		);
		const other = fileOf(await backupOf(await storeWith(4)));
		await expect(restore(folder, other, { force: true, sound: file })).rejects.toThrow(
			"was changed while it was read",
		);
		expect(await entriesIn(folder)).toBe(before);
		await openStore(folder).close();
	});

	const reason = whyNoDisk("tmpfs");
	it.skipIf(reason !== undefined)(
		`onto a disk that is too small writes nothing${reason ? ` (skipped: ${reason})` : ""}`,
		async () => {
			const disk = new SmallDisk("tmpfs");
			onTestFinished(() => disk.remove());
			const file = fileOf(await backupOf(await storeWith(20_000)));
			const folder = join(disk.folder, "data");
			await expect(restore(folder, file)).rejects.toThrow("no room left on its disk");
			expect(statSync(join(folder, "data.mdb")).size).toBeLessThan(100_000);
			await openStore(folder).close();
		},
	);

	it("sets a store with a damaged document aside, and leaves it as it is otherwise", async () => {
		const [folder, file] = [await storeWith(2), fileOf(await backupOf(await storeWith(3)))];
		const database = Database.open(folder, { readOnly: false });
		database.commit((writes) => writes.put("p/e/r0", `${"x".repeat(22)}{}`));
		await database.close();
		await expect(restore(folder, file)).rejects.toThrow("is not empty");
		const { aside = "", routes } = await restore(folder, file, { force: true });
		expect([routes, aside]).toEqual([3, join(folder, "data.mdb.damaged-20260131T120000Z")]);
		const store = openStore(folder);
		expect(store.counts().routes).toBe(3);
		await store.close();
		expect(readdirSync(folder).sort()).toEqual(["data.mdb", basename(aside), "lock.mdb"]);
	});

	it("sets a damaged store aside, if it is told to", async () => {
		const folder = temporaryFolder();
		writeFileSync(join(folder, "data.mdb"), "x".repeat(20_000));
		const file = fileOf(await backupOf(await storeWith(1)));
		await expect(restore(folder, file)).rejects.toThrow(/is damaged .*; --force sets it aside/);
		const damaged = fileOf((await backupOf(await storeWith(1))).slice(0, -30));
		await expect(restore(folder, damaged, { force: true, sound: file })).rejects.toThrow(
			"cut short",
		);
		expect(readdirSync(folder)).toEqual(["data.mdb"]);
		const { aside = "" } = await restore(folder, file, { force: true });
		expect(readFileSync(aside, "utf8")).toBe("x".repeat(20_000));
		await openStore(folder).close();
	});
});

it("takes the file of every format that there was", async () => {
	for (const name of readdirSync(import.meta.dirname).filter((each) => each.endsWith(".backup"))) {
		const folder = temporaryFolder();
		const file = fileOf(readFileSync(join(import.meta.dirname, name)));
		const { edges, routes, policies, keys } = await restore(folder, file);
		expect([name, edges, routes, policies, keys]).toEqual([name, 1, 1, 1, 1]);
		const store = openStore(folder);
		expect(store.keys()[0]).toMatchObject({ id: "key_6BQVSpClWkd5", name: "", role: "admin" });
		expect(store.policy("site", "all")?.document.inbound[0]?.name).toBe("ünïcode");
		const lists = name !== "format-1.backup" ? ["10.0.0.0/8", "2001:db8::/32"] : undefined;
		expect(store.ipList("office")?.document.entries).toEqual(lists);
		const versions = store.listPolicyVersions("site", "all", 9, undefined).items;
		expect(versions.map(({ number }) => number)).toEqual(name === "layout-4.backup" ? [2, 1] : []);
		const deleted = await store.deleteIpList("office", {});
		const refused = lists === undefined ? "not_found" : "list_in_use";
		expect(deleted).toMatchObject({ refused });
		await store.close();
	}
	expect(existsSync(join(import.meta.dirname, "format-1.backup"))).toBe(true);
});

it("counts in words", () => {
	const counts = { edges: 1, routes: 0, policies: 1, keys: 2, lists: 0 };
	expect(countsInWords(counts)).toBe("1 edge, 0 routes, 1 policy, 2 keys");
	const some = "1 edge, 0 routes, 1 policy, 2 keys, 1 address list";
	expect(countsInWords({ ...counts, lists: 1 })).toBe(some);
});
