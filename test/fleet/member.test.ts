/** Two machines of a fleet as the rest of weir sees them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { MemberStatus } from "../../src/fleet/log/log.ts";
import { MemoryEngine } from "../../src/fleet/log/memory-engine.ts";
import { MemoryLog } from "../../src/fleet/log/memory-log.ts";
import { Member } from "../../src/fleet/member.ts";
import { StoreState } from "../../src/fleet/store-state.ts";
import { temporaryFolder } from "../store/folder.ts";
import { openDatabase } from "./databases.ts";
import { putting } from "./rig.ts";

function fleet() {
	const engine = new MemoryEngine({ incarnation: "born.1", now: () => performance.now() });
	const lines: string[] = [];
	const say = (_: object, line: string) => void lines.push(line);
	const logger = { info: say, warn: say, error: say };
	const machine = (name: string, role: MemberStatus["role"] = "manager") => {
		const state = new StoreState(openDatabase());
		state.begin({ fleet: "prod", incarnation: "born.1", revision: 0, level: 1 });
		const log = new MemoryLog(engine);
		const directory = temporaryFolder();
		const published: unknown[] = [];
		const member = new Member({
			fleet: "prod",
			identity: { name, version: "1.0.0", role, labels: {}, limits: "" },
			level: 1,
			log,
			state,
			publish: async (changes) => void published.push(...changes),
			directory,
			mayDiscard: false,
			logger,
		});
		onTestFinished(() => member.close());
		return { member, log, directory, published, state };
	};
	return { engine, lines, machine };
}

it("what is written at one is in force at both, and they tell of it", async () => {
	const { machine, lines } = fleet();
	const [one, other] = [machine("one"), machine("other", "edge")];
	await expect.poll(() => other.member.status().state).toBe("in_sync");
	await expect.poll(() => one.member.status().state).toBe("in_sync");
	let revision = 0;
	const attending = one.member.attend();
	await one.member.queue.write(putting("a"), {
		at: "2026-01-01T00:00:00.000Z",
		isAwaited: true,
		onRevision: (at) => {
			revision = at;
		},
	});
	expect(revision).toBe(1);
	expect(await other.member.reached(1, 5000)).toBe(true);
	expect(other.published).toEqual([{ kind: "edge", edgeId: "a" }]);
	const { applied, of, missing } = await one.member.spread(1, 5000);
	expect([applied, of, missing]).toEqual([2, 2, []]);
	attending();
	const { members } = { members: await other.member.members() };
	expect(members.map(({ status: { name, state } }) => [name, state])).toEqual([
		["one", "in_sync"],
		["other", "in_sync"],
	]);
	expect(await other.member.history(5, undefined)).toMatchObject([{ revision: 1, isVoid: false }]);
	expect(other.member.status()).toMatchObject({
		member: { name: "other", role: "edge" },
		position: { applied: 1 },
		connection: { isUp: true },
		tail: 1,
		why: undefined,
	});
	expect(other.member.metrics()).toMatchObject({ weir_fleet_revision: 1, weir_fleet_connected: 1 });
	expect(other.member.refusal).toBeUndefined();
	await one.member.forget(other.state.member);
	expect(lines).toContain("This machine is in sync in the fleet.");
});

it("what is lost is in a file and in the log, and so is that it came back", async () => {
	const { machine, engine, lines } = fleet();
	const [one, other] = [machine("one"), machine("other")];
	await expect.poll(() => other.member.status().state).toBe("in_sync");
	other.log.cut("nats-1:4222 refuses the connection");
	await one.member.queue.write(putting("a"), { at: "2026-01-01T00:00:00.000Z" });
	const record = engine.at(1)?.record;
	one.log.cut();
	engine.loseEnd(1);
	const [entries, id, digest] = [[], "", "0".repeat(32)];
	const snapshot = { revision: 0, head: 0, id, digest, level: 1, incarnation: "born.1", count: 0 };
	engine.snapshots.set("s-0", { ...snapshot, entries });
	other.log.restore();
	await expect.poll(() => other.member.status().state).toBe("in_sync");
	await other.member.queue.write(putting("b"), { at: "2026-01-01T00:00:00.000Z" });
	one.log.restore();
	expect(await one.member.reached(1, 5000)).toBe(true);
	await expect.poll(() => one.state.position?.digest).toBe(other.state.position?.digest);
	expect(readdirSync(one.directory)).toEqual([expect.stringMatching(/^fleet-lost-.*\.jsonl$/)]);
	expect(lines).toContainEqual(
		expect.stringContaining("1 records of it are not in force any more"),
	);
	expect(lines).toContain("nats-1:4222 refuses the connection");
	const [file = ""] = readdirSync(one.directory).map((name) => join(one.directory, name));
	expect(one.member.status().lost).toEqual({ records: 1, unverified: 0, files: [file] });
	expect(one.member.metrics()).toMatchObject({ 'weir_fleet_missing_records{why="lost"}': 1 });
	await expect
		.poll(async () =>
			(await other.member.members()).map(({ status }) => [status.name, status.lost]),
		)
		.toEqual([
			["one", 1],
			["other", undefined],
		]);
	// Somebody who was away has the first history, and the engine goes back to it.
	for (const { log } of [one, other]) log.cut();
	engine.loseEnd(1);
	if (record !== undefined) engine.append(record);
	engine.snapshots.set("s-0", { ...snapshot, entries });
	one.log.restore();
	await expect.poll(() => one.state.ring().get(1)?.id).toBe(record?.id);
	expect(JSON.parse(readFileSync(file, "utf8").trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
		why: "given back at revision 1",
		id: record?.id,
	});
	expect(lines).toContainEqual(expect.stringContaining("in force after all"));
	expect(one.member.metrics()).toMatchObject({
		weir_fleet_lost_records_total: 2,
		weir_fleet_lost_records_found_total: 1,
		'weir_fleet_missing_records{why="lost"}': 1,
	});
});

it("a machine that has no state yet says so", async () => {
	const { machine, engine } = fleet();
	const young = machine("young");
	young.state.leave();
	engine.vanish();
	expect(young.member.refusal).toContain('no state of the fleet "prod" yet');
	await expect.poll(() => young.member.status().why).toContain("weir fleet reseed");
	await young.member.close();
});
