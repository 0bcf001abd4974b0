/**
 * What a worker counts of each request: by route, by rule, how long requests, policies and backends took. All of it in
 * memory that is there already, at places that are known. The supervisor asks for
 * what has come to it since it last asked, and adds that up (`traffic-totals.ts`). Made by `edge/services.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import { nanosecondsBetween, notedTicks } from "../request-clock.ts";
import { type BackendChange, BackendCounts } from "./backend-counts.ts";
import { type DurationChange, DurationHistogram } from "./duration-histogram.ts";
import { type RouteOwner, RouteRows } from "./route-rows.ts";
import { RuleCounts } from "./rule-counts.ts";
import { type PackedRows, TrafficPacker, type TrafficRows } from "./traffic-wire.ts";

/**
 * Kinds of durations, and the nanoseconds that are told apart: `proxied` and `answered`, whole requests that went to a
 * backend, or were answered without one; `policy`, from a request's arrival until its rules have let it go to a backend, or have had
 * it answered; `upstream`, from there until the header of a backend's response is there.
 */
export const DURATIONS = { proxied: 1000, answered: 1000, policy: 100, upstream: 1000 } as const;
export type DurationKind = keyof typeof DURATIONS;

/** What a worker tells the supervisor. */
export interface TrafficChange extends TrafficRows {
	readonly backends: readonly BackendChange[];
	readonly durations: Readonly<Record<DurationKind, DurationChange>>;
}

/** The same as it is sent. */
export interface PackedTraffic extends Omit<TrafficChange, keyof TrafficRows> {
	readonly rows: PackedRows;
}

/** A request that is over, with its times in ticks (`request-clock.ts`). */
export interface TimedRequest {
	readonly route: (RouteOwner & { readonly policy: unknown }) | undefined;
	readonly receivedTicks: number;
	/** its rules have let it go to a backend; 0: they never did */
	readonly passedTicks: number;
}

export class WorkerTraffic {
	readonly routes = new RouteRows(LIMITS.countedRoutes);
	readonly rules = new RuleCounts();
	readonly backends = new BackendCounts();
	readonly #proxied = new DurationHistogram(DURATIONS.proxied);
	readonly #answered = new DurationHistogram(DURATIONS.answered);
	readonly #policy = new DurationHistogram(DURATIONS.policy);
	readonly #upstream = new DurationHistogram(DURATIONS.upstream);
	readonly #packer = new TrafficPacker();

	// Both go by the time that was noted last: one that is handed over costs an object.

	/** Hot. The header of a backend's response is there. */
	responded({ passedTicks }: Pick<TimedRequest, "passedTicks">): void {
		if (passedTicks === 0) return;
		this.#upstream.observe(nanosecondsBetween(passedTicks, notedTicks()));
	}

	/** Hot. */
	ended(request: TimedRequest, statusCode: number, isAborted: boolean): void {
		const { route, receivedTicks, passedTicks } = request;
		const endedTicks = notedTicks();
		const nanoseconds = nanosecondsBetween(receivedTicks, endedTicks);
		this.routes.count(route, statusCode, isAborted, nanoseconds);
		if (passedTicks === 0) this.#answered.observe(nanoseconds);
		else this.#proxied.observe(nanoseconds);
		if (route?.policy === undefined) return;
		const decidedTicks = passedTicks === 0 ? endedTicks : passedTicks;
		this.#policy.observe(nanosecondsBetween(receivedTicks, decidedTicks));
	}

	/** The front has refused so many requests of a route with a policy by itself, in no time that could be told. */
	stood(route: RouteOwner, statusCode: number, times: number): void {
		this.routes.count(route, statusCode, false, 0, times);
		this.#answered.observe(0, times);
		this.#policy.observe(0, times);
	}

	/** As `take`, for the supervisor: what is told is to be read, and in order. */
	tell(most?: number): PackedTraffic {
		return this.gather(most)();
	}

	/** As `tell`, in two parts. @returns the second, whose result is to be sent at once */
	gather(most?: number): () => PackedTraffic {
		const [rows, places]: [number[], number[]] = [[], []];
		const { routes, rules, backends, durations } = this.take(most, rows, places);
		return () => {
			const packed = this.#packer.pack({ routes, rules }, rows, places);
			return { rows: packed, backends, durations };
		};
	}

	/** What has been counted and not told yet. @param most routes, and rules, that are told of @param rows @param places see there */
	take(most = Number.POSITIVE_INFINITY, rows: number[] = [], places: number[] = []): TrafficChange {
		return {
			routes: this.routes.take(most, rows),
			rules: this.rules.take(most, places),
			backends: this.backends.take(),
			durations: {
				proxied: this.#proxied.take(),
				answered: this.#answered.take(),
				policy: this.#policy.take(),
				upstream: this.#upstream.take(),
			},
		};
	}
}
