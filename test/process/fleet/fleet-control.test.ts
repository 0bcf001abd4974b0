/** What `weir fleet` is answered over a real control socket; the command reads it as it was meant. */
import { expect, it } from "vitest";
import { LogError } from "../../../src/fleet/log/log.ts";
import { ControlClient } from "../../../src/process/control/client.ts";
import { fleetControl } from "../../../src/process/fleet/fleet-control.ts";
import type { Writes } from "../../../src/store/lmdb/database.ts";
import type { WriteQueue } from "../../../src/store/write-queue.ts";
import { startControlled } from "../control/control.ts";
import { fakeFleet, POSITION, QUEUE, SINCE, statusWith } from "./fake-fleet.ts";

const SAID = {
	...{ id: "m_b", name: "b", version: "1", level: 1, role: "edge" as const, revision: 6 },
	...{
		state: "in_sync" as const,
		digest: "d",
		since: SINCE,
		labels: { region: "ams" },
		limits: "",
	},
};

/** said that all is well, long ago */
const SILENT = { status: { ...SAID, id: "m_c" }, ageMs: 30_001 };

const audited: object[] = [];

const asked = (changes: Parameters<typeof fakeFleet>[0] = {}, restored = {}) =>
	askedAt(1, changes, restored);

async function askedAt(level: number, changes: Parameters<typeof fakeFleet>[0], restored = {}) {
	const fleet = fakeFleet({
		members: async () => [{ status: SAID, ageMs: 5 }, SILENT],
		...changes,
	});
	const restore = async () => ({ written: 1, deleted: 0, revision: 8, ...restored });
	const control = fleetControl({
		fleet,
		level,
		restore,
		log: { audit: (line) => audited.push(line) },
	});
	const { folder } = await startControlled(undefined, undefined, control);
	return new ControlClient(folder);
}

it("where the machine and the others are", async () => {
	const client = await asked({ refusal: "cut off" });
	const { limits: _, ...shown } = SAID;
	expect(await client.fleetStatus()).toEqual({
		own: {
			...JSON.parse(JSON.stringify(statusWith())),
			member: { id: "m_a", name: "a", role: "manager" },
		},
		refusal: "cut off",
		members: [
			{ status: shown, ageMs: 5 },
			{ status: { ...shown, id: "m_c", state: "cut_off" }, ageMs: 30_001 },
		],
		level: 1,
	});
});

it("where nobody knows of the others, and there is no state yet", async () => {
	const members = async () => {
		throw new LogError("unreachable", "no engine");
	};
	const down = { isUp: false as const, why: "no engine", since: SINCE };
	const own = () => statusWith({ position: undefined, state: "cut_off", connection: down });
	const status = await (await asked({ members, status: own })).fleetStatus();
	expect(status.members).toBeUndefined();
	expect(status.own).toMatchObject({ state: "cut_off", connection: down });
	expect(status.own.position).toBeUndefined();
});

it("the log, as far as it is asked for", async () => {
	const entry = {
		...{ revision: 6, at: SINCE, key: undefined, member: "m_b", isVoid: false },
		operations: [["put", "e/a"]] as const,
	};
	const history = async (limit: number, before: number | undefined) =>
		limit === 1 && before === POSITION.applied ? [entry] : [];
	const client = await asked({ history });
	expect(await client.fleetLog(1, POSITION.applied)).toMatchObject([
		{ revision: 6, member: "m_b" },
	]);
	expect(await client.fleetLog(1, undefined)).toEqual([]);
});

it("forgets members that there are, and restores", async () => {
	const forgotten: string[] = [];
	const client = await asked({
		forget: async (member) => {
			forgotten.push(member);
		},
	});
	await client.fleetForget("m_b");
	await expect(client.fleetForget("m_x")).rejects.toThrow(/has no member "m_x"/);
	expect(forgotten).toEqual(["m_b"]);
	expect(await client.fleetRestore("/f")).toEqual({ written: 1, deleted: 0, revision: 8 });
	expect(audited).toMatchObject([
		{ operation: "forgetMember", member: "m_b", result: "deleted" },
		{ operation: "restoreFleet", file: "/f", revision: 8, result: "changed" },
	]);
});

it("raises the level, if there is a higher one", async () => {
	const raising = async (own: number) => {
		const asked: (number | undefined)[] = [];
		const queue: WriteQueue = {
			...QUEUE,
			write: async (operation, { level, onRevision }) => {
				asked.push(level);
				onRevision?.(8, "d");
				return operation({} as Writes);
			},
		};
		const status = () => statusWith({ position: { ...POSITION, level: own } });
		return { asked, client: await askedAt(2, { queue, status }) };
	};
	const { asked, client } = await raising(1);
	expect(await client.fleetRaise()).toEqual({ level: 2, revision: 8 });
	expect(asked).toEqual([2]);
	expect(audited.at(-1)).toMatchObject({ operation: "raiseFleetLevel", level: 2, revision: 8 });
	const there = await raising(2);
	expect(await there.client.fleetRaise()).toEqual({ level: 2 });
	expect(there.asked).toEqual([]);
});

it("tells the engine's sentence, and that there is no fleet", async () => {
	const history = async () => {
		throw new LogError("missing", "there is no log");
	};
	await expect((await asked({ history })).fleetLog(1, undefined)).rejects.toThrow(
		"there is no log",
	);
	const { folder } = await startControlled();
	await expect(new ControlClient(folder).fleetStatus()).rejects.toThrow(
		/is in no fleet; put fleet:/,
	);
});
