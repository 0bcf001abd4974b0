/** Keys of a fleet's machine whose weir is stopped: its own are changed, the fleet's are not. */
import { expect, it } from "vitest";
import { StoreState } from "../../../src/fleet/store-state.ts";
import { withKeys } from "../../../src/process/control/keys.ts";
import { CommitQueue } from "../../../src/store/commit-queue.ts";
import type { Database } from "../../../src/store/lmdb/database.ts";
import { openStore } from "../../../src/store/open.ts";
import { temporaryFolder } from "../../store/folder.ts";
import { storedKey } from "./control.ts";

it("makes and revokes what stays on the machine alone", async () => {
	const folder = temporaryFolder();
	const queueOf = (database: Database) => {
		new StoreState(database).begin({ fleet: "prod", incarnation: "i.1", revision: 0, level: 1 });
		return new CommitQueue(database);
	};
	const store = openStore(folder, { queueOf });
	await store.addKey(storedKey("key_fleet"));
	await store.close();
	const refused = expect.objectContaining({
		message: expect.stringMatching(/is in the fleet "prod".*start it.*--local/),
	});
	await withKeys(folder, async (keys) => {
		// Nobody can be asked, the first time.
		await keys.keys();
		await expect(keys.addKey(storedKey("key_b"))).rejects.toEqual(refused);
		await expect(keys.revokeKey("key_fleet")).rejects.toEqual(refused);
		await keys.addKey({ ...storedKey("key_own"), isLocal: true });
		expect((await keys.keys()).map(({ id, isLocal }) => [id, isLocal])).toEqual([
			["key_fleet", undefined],
			["key_own", true],
		]);
		expect(await keys.revokeKey("key_own")).toBe(true);
		expect(await keys.revokeKey("key_own")).toBe(false);
	});
});

it("is refused where a machine is in no fleet", async () => {
	const folder = temporaryFolder();
	const store = openStore(folder);
	await expect(store.addKey({ ...storedKey("key_a"), isLocal: true })).rejects.toThrow(
		/in no fleet.*leave --local out/,
	);
	await store.close();
	const offline = withKeys(folder, (keys) => keys.addKey({ ...storedKey("key_a"), isLocal: true }));
	await expect(offline).rejects.toThrow(/in no fleet.*leave --local out/);
});
