/** A membership for as long as the process lives: opened, paused for another weir, opened anew at a reload. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { FleetSettings } from "../../../src/config.ts";
import type { FleetState } from "../../../src/fleet/state.ts";
import { FleetKeeper, type Membership } from "../../../src/process/fleet/fleet-keeper.ts";
import type { Database } from "../../../src/store/lmdb/database.ts";
import { fakeFleet, POSITION, statusWith } from "./fake-fleet.ts";

const SETTINGS: FleetSettings = {
	...{ name: "prod", servers: [], credentials: null, role: "manager", domain: null },
	...{ tls: { ca: null, cert: null, key: null }, refuseAfterMs: null, insecure: false },
	member: { name: "a", labels: {} },
};

function kept(position: { current: typeof POSITION | undefined }) {
	const folder = mkdtempSync(join(tmpdir(), "weir-keeper-"));
	const opened: Membership[] = [];
	let closed = 0;
	const keeper = new FleetKeeper(SETTINGS, {
		stateOf: () =>
			({
				member: "m_a",
				get position() {
					return position.current;
				},
			}) as FleetState,
		open: async (membership) => {
			opened.push(membership);
			return fakeFleet({
				status: () => statusWith({ position: position.current }),
				history: async () => [],
				metrics: () => ({ weir_fleet_revision: 7 }),
				close: async () => {
					closed++;
				},
			});
		},
		syncMark: join(folder, "mark"),
	});
	onTestFinished(async () => {
		await keeper.close();
		rmSync(folder, { recursive: true });
	});
	keeper.queueOf({} as Database);
	return { keeper, opened, closings: () => closed };
}

it("tells what the machine has before it is opened", async () => {
	const { keeper } = kept({ current: POSITION });
	expect(keeper.status()).toMatchObject({ state: "starting", position: POSITION, tail: 7 });
	expect(keeper.metrics()).toEqual({});
	await expect(keeper.history(1, undefined)).rejects.toMatchObject({
		code: "ERR_FLEET_UNAVAILABLE",
	});
	await keeper.start(
		async () => {},
		() => {},
	);
	expect(keeper.status().state).toBe("in_sync");
	expect(await keeper.history(1, undefined)).toEqual([]);
	expect(keeper.metrics()).toEqual({ weir_fleet_revision: 7 });
});

it("refuses requests until the first state is in force on all workers", async () => {
	const position: { current: typeof POSITION | undefined } = { current: undefined };
	const { keeper, opened } = kept(position);
	expect(keeper.refusal).toMatch(/no configuration of the fleet prod yet/);
	const seen: string[] = [];
	await keeper.start(
		async (changes) => {
			seen.push(`published ${changes.length}`);
		},
		(refusal) => seen.push(refusal === undefined ? "answers" : "refuses"),
	);
	position.current = POSITION;
	seen.length = 0;
	await opened[0]?.publish([{ kind: "edge", edgeId: "e" }]);
	expect(seen).toEqual(["published 1", "answers", "published 0"]);
});

it("is closed while another weir takes over, and opened again with other settings", async () => {
	const { keeper, opened, closings } = kept({ current: POSITION });
	await keeper.start(
		async () => {},
		() => {},
	);
	await keeper.pause();
	expect([opened.length, closings()]).toEqual([1, 1]);
	await keeper.reload({ ...SETTINGS, servers: ["tls://b:4222"] });
	expect(opened.length).toBe(1);
	await keeper.resume();
	await keeper.resume();
	expect(opened.map(({ settings }) => settings.servers)).toEqual([[], ["tls://b:4222"]]);
	await keeper.reload({ ...SETTINGS, servers: ["tls://c:4222"] });
	expect([opened.length, closings()]).toEqual([3, 2]);
});
