/** A few schedules of each mode with the store's own state, over LMDB, in the place of the one in memory. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MODES, type Mode } from "./faults.ts";
import { runSchedules } from "./schedules.ts";
import { StoreDisk } from "./store-disk.ts";

const SCHEDULES = Number(process.env.WEIR_MODEL_STORES ?? "1");
/** levels of real documents come with what they hold; the model's are made up */
const WITHOUT: readonly Mode[] = ["levels"];

/** in memory: the model's faults are others than the disk's */
const ROOT = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

it.each((Object.keys(MODES) as Mode[]).filter((mode) => !WITHOUT.includes(mode)))(
	"holds what it promises over the store: %s",
	async (mode) => {
		const folder = mkdtempSync(join(ROOT, "weir-model-"));
		const disks: StoreDisk[] = [];
		try {
			let number = 0;
			const diskOf = (name: string) => {
				const disk = new StoreDisk(join(folder, `${name}-${number++}`));
				disks.push(disk);
				return disk;
			};
			const { failures } = await runSchedules(mode, 1, SCHEDULES, {}, undefined, diskOf);
			expect(failures).toEqual([]);
		} finally {
			for (const { database } of disks) await database.close();
			rmSync(folder, { recursive: true, force: true });
		}
	},
	60_000 + 5000 * SCHEDULES,
);
