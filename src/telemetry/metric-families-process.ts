/**
 * Families of weir's processes: what they take of the machine, which of them serve what, what is stored. A part of the
 * table of metrics (`metric-families.ts`).
 */
import { LIMITS } from "../limits/limits.ts";
import { ANY, type FamilyTable, NONE } from "./metric-family.ts";

export const PROCESS_FAMILIES = {
	weir_build_info: {
		kind: "gauge",
		help: "1; which weir this is, and on which Node it runs.",
		labels: { version: ANY, node: ANY, platform: ANY },
	},
	weir_start_time_seconds: {
		kind: "gauge",
		help: "When the supervisor was started, in seconds of Unix time.",
		labels: NONE,
	},
	weir_process_cpu_seconds_total: {
		kind: "counter",
		help: "Processor time of the supervisor and of each worker, by mode (user, system).",
		labels: { process: ANY, mode: ["user", "system"] },
	},
	weir_process_resident_bytes: {
		kind: "gauge",
		help: "Memory of the supervisor and of each worker that is in RAM, what they share included.",
		labels: { process: ANY },
	},
	weir_process_heap_bytes: {
		kind: "gauge",
		help: "JavaScript objects of a process, dead ones included until they are collected.",
		labels: { process: ANY },
	},
	weir_process_open_descriptors: {
		kind: "gauge",
		help: "File descriptors that a process has open; where the system tells.",
		labels: { process: ANY },
	},
	weir_process_descriptors_max: {
		kind: "gauge",
		help: "File descriptors that a process may have open.",
		labels: { process: ANY },
	},
	weir_event_loop_delay_seconds: {
		kind: "gauge",
		help: `How late the event loop of a process was within ${LIMITS.loopDelayWindowMs / 1000} seconds, by statistic (median, p99, max).`,
		labels: { process: ANY, statistic: ["median", "p99", "max"] },
	},
	weir_event_loop_busy_seconds_total: {
		kind: "counter",
		help: "Time for which the event loop of a process was at work.",
		labels: { process: ANY },
	},
	weir_gc_seconds_total: {
		kind: "counter",
		help: "Time that garbage collections of a process took, by kind (minor, major, incremental, weak).",
		labels: { process: ANY, kind: ["minor", "major", "incremental", "weak"] },
	},
	weir_gc_runs_total: {
		kind: "counter",
		help: "Garbage collections of a process, by kind (minor, major, incremental, weak).",
		labels: { process: ANY, kind: ["minor", "major", "incremental", "weak"] },
	},
	weir_workers: {
		kind: "gauge",
		help: "Workers that serve.",
		labels: NONE,
	},
	weir_workers_stuck_total: {
		kind: "counter",
		help: "Workers replaced because they stood still or went round in circles.",
		labels: NONE,
	},
	weir_worker_restarts_total: {
		kind: "counter",
		help: "Workers started again.",
		labels: NONE,
	},
	weir_store_lost: {
		kind: "gauge",
		help: "1 if the store's files were removed, replaced or cut short: nothing is stored until a restart.",
		labels: NONE,
	},
	weir_store_version: {
		kind: "gauge",
		help: "Version of the store that a process reads: it grows with each change, and is the supervisor's in every worker that has all changes.",
		labels: { process: ANY },
	},
	weir_policies: {
		kind: "gauge",
		help: "Policies stored.",
		labels: NONE,
	},
	weir_policies_in_use: {
		kind: "gauge",
		help: "Policies that a worker has compiled.",
		labels: { process: ANY },
	},
	weir_routes: {
		kind: "gauge",
		help: "Routes stored.",
		labels: NONE,
	},
	weir_edges: {
		kind: "gauge",
		help: "Edges stored.",
		labels: NONE,
	},
} as const satisfies FamilyTable;
