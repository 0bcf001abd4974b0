/** Families of a machine that is in a fleet (docs/fleet.md, "What to watch"). A part of the table of metrics (`metric-families.ts`). */
import { ANY, type FamilyTable, NONE } from "./metric-family.ts";

export const FLEET_FAMILIES = {
	weir_fleet_info: {
		kind: "gauge",
		help: "1; which fleet this machine is in, and as whom.",
		labels: { fleet: ANY, member: ANY, name: ANY, role: ["manager", "edge"] },
	},
	weir_fleet_revision: {
		kind: "gauge",
		help: "Revision of the fleet that this machine has.",
		labels: NONE,
	},
	weir_fleet_tail_revision: {
		kind: "gauge",
		help: "Last revision of the fleet's log that this machine knows of.",
		labels: NONE,
	},
	weir_fleet_behind: {
		kind: "gauge",
		help: "Records of the fleet's log that this machine knows of and has not applied.",
		labels: NONE,
	},
	weir_fleet_lag_seconds: {
		kind: "gauge",
		help: "For how long this machine has known of the oldest record that it has not applied; 0: it has all.",
		labels: NONE,
	},
	weir_fleet_connected: {
		kind: "gauge",
		help: "1 while this machine is connected to the fleet's engine.",
		labels: NONE,
	},
	weir_fleet_members: {
		kind: "gauge",
		help: "Machines of the fleet by state, as this one has heard of late; one that has been silent for 30 seconds counts as cut_off. Absent while this machine is cut off itself.",
		labels: {
			state: ["starting", "in_sync", "catching_up", "cut_off", "stuck", "diverged"],
		},
	},
	weir_fleet_limits_differ: {
		kind: "gauge",
		help: "Machines of the fleet whose `limits` are others than this machine's.",
		labels: NONE,
	},
	weir_fleet_level: {
		kind: "gauge",
		help: "Level of the fleet: the least that a weir must understand.",
		labels: NONE,
	},
	weir_fleet_records_applied_total: {
		kind: "counter",
		help: "Records of the fleet's log that this machine has applied, own ones too.",
		labels: NONE,
	},
	weir_fleet_apply_seconds: {
		kind: "histogram",
		help: "Time from a batch of records to all workers running it.",
		labels: NONE,
	},
	weir_fleet_appends_total: {
		kind: "counter",
		help: "Tries of this machine to append to the fleet's log, by outcome: of conflicts another machine was first, of unknown ones the answer was lost (ok, conflict, unknown, refused).",
		labels: { outcome: ["ok", "conflict", "unknown", "refused"] },
	},
	weir_fleet_gaps_filled_total: {
		kind: "counter",
		help: "Records that did not come by themselves and were fetched from the log.",
		labels: NONE,
	},
	weir_fleet_void_records_total: {
		kind: "counter",
		help: "Records of the log that do not fit the state before them; every machine skips them alike.",
		labels: NONE,
	},
	weir_fleet_healed_records_total: {
		kind: "counter",
		help: "Records that this machine has given back to an engine that had lost them.",
		labels: NONE,
	},
	weir_fleet_resyncs_total: {
		kind: "counter",
		help: "How often this machine put its state together anew from a snapshot and the log, by reason (verify, misfit, trimmed, audit, incarnation).",
		labels: { why: ["verify", "misfit", "trimmed", "audit", "incarnation"] },
	},
	weir_fleet_lost_records_total: {
		kind: "counter",
		help: "Records that this machine had when it went over to a log that did not have them; `fleet-lost-….jsonl` in the data folder holds them.",
		labels: NONE,
	},
	weir_fleet_lost_records_found_total: {
		kind: "counter",
		help: "Records of those that another machine gave back to the log after all; `fleet-lost-….jsonl` says where they are.",
		labels: NONE,
	},
	weir_fleet_missing_records: {
		kind: "gauge",
		help: "Records in this machine's `fleet-lost-….jsonl` files that nobody has given back, until the file is deleted: lost, or its own and so old that nobody can tell (lost, unverified).",
		labels: { why: ["lost", "unverified"] },
	},
} as const satisfies FamilyTable;
