/**
 * What all workers have counted of requests since the start, in the supervisor: what came of each worker is added up, so
 * a worker that is gone takes nothing along but what it counted since it was last asked. Kept by
 * `process/supervisor/metrics-ledger.ts`. To read it, each second if need be: `await workers.metrics()` asks the workers,
 * and `workers.ledger.traffic` is up to date then. Totals only grow, so a rate is a difference of two readings.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { BackendChange } from "./backend-counts.ts";
import { DurationHistogram } from "./duration-histogram.ts";
import { addCounts, keyOf, type RouteChange, routeKey } from "./route-rows.ts";
import type { RuleChange } from "./rule-counts.ts";
import { ShownRoutes } from "./shown-routes.ts";
import { DURATIONS, type DurationKind, type TrafficChange } from "./worker-traffic.ts";

/** Since the start, or since its route got series of its own. */
export interface RouteTotals {
	readonly edge: string;
	readonly route: string;
	/** in the order of `ROUTE_COUNTS` */
	readonly counts: readonly number[];
	/** of all its requests together */
	readonly seconds: number;
}
interface GrowingTotals extends RouteTotals {
	readonly counts: number[];
	seconds: number;
}
export interface RuleTotals extends RuleChange {}
export interface BackendTotals {
	readonly address: string;
	readonly requests: number;
	readonly failures: Readonly<Record<string, number>>;
	/** of all workers, as they said last */
	readonly connections: number;
	readonly idle: number;
	/** the longest of any worker */
	readonly setAsideMs: number;
}

type CountedBackend = Pick<BackendChange, "address" | "requests" | "failures">;
type StateOf = "connections" | "idle" | "setAsideMs";
type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

export class TrafficTotals {
	/** by `routeKey` */
	readonly #routes = new Map<string, GrowingTotals>();
	/** by `routeKey`, then by phase, place and name */
	readonly #rules = new Map<string, Map<string, Mutable<RuleTotals>>>();
	readonly #backends = new Map<string, Mutable<Pick<BackendTotals, "requests" | "failures">>>();
	/** what each worker said last of the backends' addresses */
	readonly #states = new Map<unknown, readonly BackendChange[]>();
	/** for addresses that nobody knows any more */
	#lookedMs = Number.NEGATIVE_INFINITY;
	readonly durations = {
		proxied: new DurationHistogram(DURATIONS.proxied),
		answered: new DurationHistogram(DURATIONS.answered),
		policy: new DurationHistogram(DURATIONS.policy),
		upstream: new DurationHistogram(DURATIONS.upstream),
	} satisfies Record<DurationKind, DurationHistogram>;
	/** those that `/metrics` has */
	readonly shown: ShownRoutes;

	/** @param shown how many routes have series of their own */
	constructor(shown: () => number) {
		this.shown = new ShownRoutes(shown);
	}

	/** @param worker whoever it is that counted it */
	add(worker: unknown, { routes, rules, backends, durations }: TrafficChange): void {
		for (const change of routes) this.#addRoute(change);
		for (const change of rules) this.#addRule(change);
		this.#states.set(worker, backends);
		for (const change of backends) this.#addBackend(change);
		for (const [kind, change] of Object.entries(durations)) {
			this.durations[kind as DurationKind].add(change);
		}
	}

	/** What a weir before this one has counted of an address. */
	resumeBackend(counted: CountedBackend): void {
		this.#addBackend(counted);
	}

	/** It is gone, and its connections with it. */
	forget(worker: unknown): void {
		this.#states.delete(worker);
	}

	/** All that requests came to; one with empty ids: of requests that no route was found for. */
	routes(): Iterable<RouteTotals> {
		return this.#routes.values();
	}

	route(edge: string, route: string): RouteTotals | undefined {
		return this.#routes.get(routeKey(edge, route));
	}

	/** Of one route's policies: rules that have applied. */
	rulesOf(edge: string, route: string): Iterable<RuleTotals> {
		return this.#rules.get(routeKey(edge, route))?.values() ?? [];
	}

	backends(): BackendTotals[] {
		const states = new Map<string, Pick<Mutable<BackendTotals>, StateOf>>();
		for (const { address, connections, idle, setAsideMs } of this.#told()) {
			const now = states.get(address) ?? { connections: 0, idle: 0, setAsideMs: 0 };
			now.connections += connections;
			now.idle += idle;
			now.setAsideMs = Math.max(now.setAsideMs, setAsideMs);
			states.set(address, now);
		}
		return [...this.#backends].map(([address, totals]) => {
			const now = states.get(address) ?? { connections: 0, idle: 0, setAsideMs: 0 };
			return { address, ...totals, ...now };
		});
	}

	/** What workers said last, of those addresses that are counted. */
	*#told(): Iterable<BackendChange> {
		for (const states of this.#states.values()) {
			for (const state of states) if (this.#backends.has(state.address)) yield state;
		}
	}

	#addRoute(change: RouteChange): void {
		const key = keyOf(change);
		this.shown.countRoute(change, key);
		const before = this.#routes.get(key);
		if (before === undefined) {
			if (this.#routes.size >= LIMITS.countedRoutes) this.#forgetRoutes();
			const { edge, route, counts, seconds } = change;
			this.#routes.set(key, { edge, route, counts: counts.slice(), seconds });
			return;
		}
		addCounts(before.counts, change.counts);
		before.seconds += change.seconds;
	}

	#addRule(change: RuleChange): void {
		const key = keyOf(change);
		this.shown.countRule(change, key);
		let rules = this.#rules.get(key);
		if (rules === undefined) {
			// Of routes that are gone, and counted as others.
			const [first = key] = this.#rules.keys();
			if (this.#rules.size >= LIMITS.countedRoutes) this.#rules.delete(first);
			rules = new Map();
			this.#rules.set(key, rules);
		}
		const own = `${change.phase} ${change.rule} ${change.name}`;
		const before = rules.get(own);
		// A policy that is often replaced leaves the counts of rules that are gone.
		if (before === undefined) {
			if (rules.size >= LIMITS.countedRulesOfRoute) rules.clear();
			const { edge, route, phase, rule, name, matched, refused } = change;
			rules.set(own, { edge, route, phase, rule, name, matched, refused });
			return;
		}
		before.matched += change.matched;
		before.refused += change.refused;
	}

	#addBackend({ address, requests, failures }: CountedBackend): void {
		const known = this.#backends.get(address);
		const isUsed = requests > 0 || Object.keys(failures).length > 0;
		if (known === undefined && !this.#hasRoom(isUsed)) return;
		const before = known ?? { requests: 0, failures: {} };
		const sum = { ...before.failures };
		for (const [reason, count] of Object.entries(failures))
			sum[reason] = (sum[reason] ?? 0) + count;
		this.#backends.set(address, { requests: before.requests + requests, failures: sum });
	}

	/** For one more address. For one that is used, those make room that never were, or that no worker knows any more. */
	#hasRoom(isUsed: boolean): boolean {
		if (this.#backends.size < LIMITS.countedBackends) return true;
		if (!isUsed) return false;
		const nowMs = performance.now();
		if (nowMs - this.#lookedMs < LIMITS.backendsLookMs) return false;
		this.#lookedMs = nowMs;
		const known = new Set(Array.from(this.#told(), ({ address }) => address));
		for (const [address, { requests, failures }] of this.#backends) {
			const wasUsed = requests > 0 || Object.keys(failures).length > 0;
			if (!wasUsed || !known.has(address)) this.#backends.delete(address);
		}
		return this.#backends.size < LIMITS.countedBackends;
	}

	/** Half of them, those met first: most are of routes that are gone. */
	#forgetRoutes(): void {
		let left = this.#routes.size >> 1;
		for (const key of this.#routes.keys()) {
			if (left-- <= 0) return;
			this.#routes.delete(key);
			this.#rules.delete(key);
		}
	}
}
