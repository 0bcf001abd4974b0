/** A process without workers, as far as the live feed can tell; tests give it some. */
import type { LiveSource, Reported, ToldTraffic } from "../../../src/management/live/source.ts";
import type { LiveReport } from "../../../src/telemetry/live-report.ts";
import type { DurationChange } from "../../../src/telemetry/traffic/duration-histogram.ts";

export const NO_DURATIONS: DurationChange = { seconds: 0, counts: [] };

export const trafficOf = (change: Partial<ToldTraffic>): ToldTraffic => ({
	...{ routes: [], rules: [], backends: [], toldAt: performance.now() },
	durations: {
		...{ proxied: NO_DURATIONS, answered: NO_DURATIONS },
		...{ policy: NO_DURATIONS, upstream: NO_DURATIONS },
	},
	...change,
});

export const reportOf = (report: Partial<LiveReport> = {}): LiveReport => ({
	...{ inFlight: 0, refusals: 0, refused: [], candidates: [], cpu: 0, rssBytes: 0 },
	...report,
});

export const reportedOf = (reported: Partial<Reported> = {}): Reported => ({
	...{ index: 0, pid: 100, elapsedMs: 1000, traffic: [], report: reportOf() },
	...reported,
});

export class FakeSource implements LiveSource {
	readonly workersWanted = 1;
	revision = 0;
	reported: Reported[] = [];
	seen: ReturnType<LiveSource["workers"]> = [
		{ index: 0, pid: 100, state: "serving", policyVersion: 0, startedMs: 1 },
	];
	wrong: ReturnType<LiveSource["conditions"]> = [];
	async collect(): Promise<readonly Reported[]> {
		return this.reported.splice(0);
	}
	workers() {
		return this.seen;
	}
	conditions() {
		return this.wrong;
	}
}
