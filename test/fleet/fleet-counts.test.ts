/** What a member counts becomes series of the table, and the lag is that of the oldest record that is known and not applied. */
import { expect, it } from "vitest";
import type { OwnStatus } from "../../src/fleet/fleet.ts";
import { FleetCounts } from "../../src/fleet/fleet-counts.ts";
import { countsOf } from "../../src/fleet/presence.ts";
import { familyOf } from "../../src/telemetry/metric-families.ts";
import { status } from "./fake-seen.ts";

const own: OwnStatus = {
	member: { id: "m_own", name: "ams-1", role: "manager", version: "9.9.9", level: 1, labels: {} },
	position: { fleet: "prod", incarnation: "i", applied: 7, head: 7, digest: "d", level: 2 },
	...{ state: "in_sync", since: "2026-11-22T08:00:00Z", why: undefined, tail: 9 },
	lost: { records: 3, unverified: 1, files: ["fleet-lost-x.jsonl"] },
	connection: { isUp: true, server: "nats-1:4222", version: "2.15.1", since: "" },
};

it("prints every family of a fleet", () => {
	const counts = new FleetCounts();
	counts.applied(7, 3, 2);
	counts.appended("conflict");
	counts.gapsFilled(2);
	counts.voided(1);
	counts.healed(4);
	counts.resynced("trimmed");
	counts.lost(5);
	counts.found(2);
	const values = counts.snapshot(own, {
		counts: countsOf([{ status: status("a"), ageMs: 0 }]),
		differing: 1,
	});
	for (const series of Object.keys(values)) expect(familyOf(series), series).toBeDefined();
	expect(values).toMatchObject({
		'weir_fleet_info{fleet="prod",member="m_own",name="ams-1",role="manager"}': 1,
		weir_fleet_revision: 7,
		weir_fleet_tail_revision: 9,
		weir_fleet_behind: 2,
		weir_fleet_connected: 1,
		weir_fleet_level: 2,
		'weir_fleet_members{state="in_sync"}': 1,
		'weir_fleet_members{state="stuck"}': 0,
		weir_fleet_limits_differ: 1,
		weir_fleet_records_applied_total: 3,
		weir_fleet_apply_seconds_count: 1,
		'weir_fleet_appends_total{outcome="conflict"}': 1,
		weir_fleet_gaps_filled_total: 2,
		weir_fleet_void_records_total: 1,
		weir_fleet_healed_records_total: 4,
		'weir_fleet_resyncs_total{why="trimmed"}': 1,
		weir_fleet_lost_records_total: 5,
		weir_fleet_lost_records_found_total: 2,
		'weir_fleet_missing_records{why="lost"}': 3,
		'weir_fleet_missing_records{why="unverified"}': 1,
	});
	expect(Object.keys(counts.snapshot(own, undefined)).join()).not.toContain("fleet_members");
});

it("says nothing of the others while this machine is cut off, though it has heard of them before", () => {
	const connection = { isUp: false, why: "no server answers", since: "" } as const;
	const others = { counts: countsOf([{ status: status("a"), ageMs: 0 }]), differing: 1 };
	const values = new FleetCounts().snapshot({ ...own, connection }, others);
	expect(values.weir_fleet_connected).toBe(0);
	expect(Object.keys(values).join()).not.toMatch(/fleet_members|fleet_limits_differ/);
});

it("has every counter from the start, so that an alert sees the first count", () => {
	const values = new FleetCounts().snapshot(own, undefined);
	expect(values).toMatchObject({
		'weir_fleet_resyncs_total{why="verify"}': 0,
		'weir_fleet_appends_total{outcome="ok"}': 0,
		weir_fleet_lost_records_total: 0,
	});
});

it("measures the lag from when the oldest missing record was first heard of", () => {
	let nowMs = 0;
	const counts = new FleetCounts(() => nowMs);
	counts.at(4);
	counts.heardOf(4);
	expect(counts.lagSeconds).toBe(0);
	counts.heardOf(5);
	nowMs = 2000;
	counts.heardOf(6);
	counts.heardOf(5);
	nowMs = 3000;
	expect(counts.lagSeconds).toBe(3);
	counts.applied(5, 1, 1);
	expect(counts.lagSeconds).toBe(1);
	counts.applied(6, 1, 1);
	expect(counts.lagSeconds).toBe(0);
	counts.heardOf(6);
	expect(counts.lagSeconds).toBe(0);
});
