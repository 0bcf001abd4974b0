/**
 * What a member counts of its fleet, for `/metrics` (docs/fleet.md, "What to watch"). Made once for a member; the
 * protocol tells it what happens, `Fleet.metrics` asks.
 */
import { LIMITS } from "../limits/limits.ts";
import { METRIC_FAMILIES } from "../telemetry/metric-families.ts";
import { Metrics, type MetricsSnapshot, series } from "../telemetry/metrics.ts";
import { DurationHistogram } from "../telemetry/traffic/duration-histogram.ts";
import { addHistogram } from "../telemetry/traffic/histogram-series.ts";
import type { OwnStatus } from "./fleet.ts";
import type { MemberState } from "./log/log.ts";

/** What became of one try to append. */
export type AppendOutcome = "ok" | "conflict" | "unknown" | "refused";
/** Why a state was put together anew: what did not fit, or that the log does not reach back far enough. */
export type ResyncReason = "verify" | "misfit" | "trimmed" | "audit" | "incarnation";

/** What is known of the others; undefined while nobody can tell. */
export interface OthersSeen {
	readonly counts: Readonly<Record<MemberState, number>>;
	/** machines whose bounds are others */
	readonly differing: number;
}

const UNIT_NS = 1000;
/** powers of two of the unit whose bounds are printed: 64 µs to 67 s */
const POWERS = [6, 26] as const;

/** Alerts see a counter grow only where it was there before. */
const NOTHING_YET: MetricsSnapshot = {
	weir_fleet_records_applied_total: 0,
	weir_fleet_gaps_filled_total: 0,
	weir_fleet_void_records_total: 0,
	weir_fleet_healed_records_total: 0,
	weir_fleet_lost_records_total: 0,
	weir_fleet_lost_records_found_total: 0,
	...Object.fromEntries(
		METRIC_FAMILIES.weir_fleet_resyncs_total.labels.why.map((why) => [
			series("weir_fleet_resyncs_total", { why }),
			0,
		]),
	),
	...Object.fromEntries(
		METRIC_FAMILIES.weir_fleet_appends_total.labels.outcome.map((outcome) => [
			series("weir_fleet_appends_total", { outcome }),
			0,
		]),
	),
};

export class FleetCounts {
	readonly #metrics = new Metrics();
	readonly #apply = new DurationHistogram(UNIT_NS);
	/** revisions that are known of and not applied, with when each was first heard of; ascending */
	readonly #known: { readonly revision: number; readonly atMs: number }[] = [];
	readonly #now: () => number;
	#tail = 0;
	#applied = 0;

	/** @param now milliseconds, monotonic */
	constructor(now: () => number = () => performance.now()) {
		this.#now = now;
	}

	/** Last revision of the log, as anybody says. */
	heardOf(revision: number): void {
		if (revision <= this.#tail) return;
		this.#tail = revision;
		if (revision > this.#applied && this.#known.length < LIMITS.fleetLiveBuffer)
			this.#known.push({ revision, atMs: this.#now() });
	}

	/** Records up to `revision` are in force on all workers, `ms` after they were taken. */
	applied(revision: number, records: number, ms: number): void {
		this.at(revision);
		this.#metrics.add("weir_fleet_records_applied_total", records);
		this.#apply.observe(ms * 1e6);
	}

	/** This machine stands here, however it came there: at the start, and after a resync, which may lead back. */
	at(revision: number): void {
		this.#applied = revision;
		this.#tail = Math.max(this.#tail, revision);
		while (this.#known[0] !== undefined && this.#known[0].revision <= revision) this.#known.shift();
	}

	appended(outcome: AppendOutcome): void {
		this.#metrics.add(series("weir_fleet_appends_total", { outcome }));
	}

	gapsFilled(records: number): void {
		this.#metrics.add("weir_fleet_gaps_filled_total", records);
	}

	voided(records: number): void {
		this.#metrics.add("weir_fleet_void_records_total", records);
	}

	healed(records: number): void {
		this.#metrics.add("weir_fleet_healed_records_total", records);
	}

	resynced(why: ResyncReason): void {
		this.#metrics.add(series("weir_fleet_resyncs_total", { why }));
	}

	lost(records: number): void {
		this.#metrics.add("weir_fleet_lost_records_total", records);
	}

	/** Of what was counted as lost. */
	found(records: number): void {
		this.#metrics.add("weir_fleet_lost_records_found_total", records);
	}

	/** Seconds for which the oldest record that is not applied has been known of. */
	get lagSeconds(): number {
		const [oldest] = this.#known;
		return oldest === undefined ? 0 : (this.#now() - oldest.atMs) / 1000;
	}

	snapshot(own: OwnStatus, others: OthersSeen | undefined): MetricsSnapshot {
		const { position, member, connection } = own;
		const revision = position?.applied ?? 0;
		const tail = Math.max(own.tail, this.#tail, revision);
		const values: Record<string, number> = {
			...NOTHING_YET,
			...this.#metrics.snapshot(),
			weir_fleet_revision: revision,
			weir_fleet_tail_revision: tail,
			weir_fleet_behind: tail - revision,
			weir_fleet_lag_seconds: this.lagSeconds,
			weir_fleet_connected: connection.isUp ? 1 : 0,
			weir_fleet_level: position?.level ?? 0,
		};
		const { id, name, role } = member;
		values[series("weir_fleet_info", { fleet: position?.fleet ?? "", member: id, name, role })] = 1;
		values[series("weir_fleet_missing_records", { why: "lost" })] = own.lost.records;
		values[series("weir_fleet_missing_records", { why: "unverified" })] = own.lost.unverified;
		addHistogram(values, "weir_fleet_apply_seconds", {}, this.#apply, POWERS);
		// What was heard of the others is of before it was cut off.
		if (others === undefined || !connection.isUp) return values;
		for (const [state, count] of Object.entries(others.counts))
			values[series("weir_fleet_members", { state: state as MemberState })] = count;
		values.weir_fleet_limits_differ = others.differing;
		return values;
	}
}
