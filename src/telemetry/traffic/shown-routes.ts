/**
 * Which routes have series of their own in `/metrics`: the busiest, as many as the configuration says. What all others
 * count is one sum. A series must never go back, so a route's series has what was counted while it had one, and the
 * sum what was counted of routes that had none: nothing moves from the one to the other. Kept by `traffic-totals.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import {
	addCounts,
	keyOf,
	OTHER_ROUTES,
	ROUTE_COUNTS,
	type RouteChange,
	requestsIn,
} from "./route-rows.ts";
import type { RuleChange } from "./rule-counts.ts";

interface Shown {
	readonly edge: string;
	readonly route: string;
	readonly counts: number[];
	seconds: number;
	readonly rules: Map<string, { -readonly [Name in keyof RuleChange]: RuleChange[Name] }>;
	/** requests lately; halved with each look */
	busy: number;
}

const made = (edge: string, route: string): Shown => ({
	edge,
	route,
	counts: ROUTE_COUNTS.map(() => 0),
	seconds: 0,
	rules: new Map(),
	busy: 0,
});

/** How much busier a route has to be than one that has series, to take its place. */
const BUSIER = 2;

export class ShownRoutes {
	readonly #max: () => number;
	/** those with series, and earlier ones, which go on where they were if they come back */
	readonly #known = new Map<string, Shown>();
	readonly #shown = new Set<string>();
	readonly #others = made(OTHER_ROUTES, "");
	readonly #none = made("", "");
	/** requests lately of those without series */
	readonly #busy = new Map<string, number>();
	#lookedMs = 0;

	constructor(max: () => number) {
		this.#max = max;
	}

	/** What is printed. */
	*routes(): Iterable<Shown> {
		for (const key of this.#shown) {
			const shown = this.#known.get(key);
			if (shown !== undefined) yield shown;
		}
		yield this.#others;
		yield this.#none;
	}

	/** @param key of the route, where it is known already */
	countRoute(change: RouteChange, key = keyOf(change)): void {
		const { edge, route, counts, seconds } = change;
		const requests = requestsIn(counts);
		const into = this.#of(key, edge, route, requests);
		addCounts(into.counts, counts);
		into.seconds += seconds;
		into.busy += requests;
	}

	/**
	 * What a weir before this one has counted of a route that had series there: it has some here, too, until the next look
	 * at least. @param busy requests lately
	 */
	resume(change: RouteChange, busy: number): void {
		const { edge, route, counts, seconds } = change;
		const key = keyOf(change);
		const isRoom = this.#shown.size < LIMITS.shownRoutesMax;
		if (route !== "" && isRoom && !this.#shown.has(key)) this.#show(key);
		const into = this.#of(key, edge, route, 0);
		addCounts(into.counts, counts);
		into.seconds += seconds;
		into.busy += busy;
	}

	/** @param owner as the key of `countRoute` */
	countRule(change: RuleChange, owner = keyOf(change)): void {
		const into = this.#of(owner, change.edge, change.route, 0);
		const isOwn = into !== this.#others && into.rules.size < LIMITS.ruleSeriesOfRoute;
		const rules = isOwn ? into.rules : this.#others.rules;
		const key = isOwn ? `${change.phase} ${change.rule} ${change.name}` : change.phase;
		const before = rules.get(key);
		if (before !== undefined) {
			before.matched += change.matched;
			before.refused += change.refused;
		} else if (isOwn) rules.set(key, { ...change });
		else rules.set(key, { ...change, edge: OTHER_ROUTES, route: "", rule: -1, name: "" });
	}

	/** Gives series to routes that are busier than those that have some. To be called every now and then. */
	look(nowMs: number): void {
		if (nowMs - this.#lookedMs < LIMITS.shownRoutesLookMs) return;
		this.#lookedMs = nowMs;
		const candidates = [...this.#busy].sort(([, left], [, right]) => right - left);
		const weakest = [...this.#shown]
			.map((key) => [key, this.#known.get(key)?.busy ?? 0] as const)
			.sort(([, left], [, right]) => left - right);
		const max = this.#max();
		while (this.#shown.size > max) this.#shown.delete(weakest.shift()?.[0] ?? "");
		for (const [key, busy] of candidates) {
			const [weak, itsBusy] = weakest[0] ?? ["", Number.POSITIVE_INFINITY];
			if (this.#shown.size >= max) {
				if (busy <= itsBusy * BUSIER) break;
				this.#shown.delete(weak);
				weakest.shift();
			}
			this.#show(key);
		}
		for (const shown of this.#known.values()) shown.busy = Math.floor(shown.busy / 2);
		this.#busy.clear();
	}

	#of(key: string, edge: string, route: string, requests: number): Shown {
		if (route === "") return edge === "" ? this.#none : this.#others;
		if (!this.#shown.has(key) && this.#shown.size < this.#max()) this.#show(key);
		const shown = this.#shown.has(key) ? this.#known.get(key) : undefined;
		if (shown !== undefined) return shown;
		// Nobody has read `/metrics` for long, and routes come and go.
		if (this.#busy.size >= LIMITS.countedRoutes && !this.#busy.has(key)) this.#busy.clear();
		if (requests > 0) this.#busy.set(key, (this.#busy.get(key) ?? 0) + requests);
		return this.#others;
	}

	#show(key: string): void {
		this.#shown.add(key);
		if (this.#known.has(key)) return;
		const [edge = "", route = ""] = key.split("\n");
		this.#known.set(key, made(edge, route));
		if (this.#known.size <= LIMITS.knownShownRoutes) return;
		// There are more than can be shown at a time, so one is found.
		for (const [old, kept] of this.#known) {
			this.#known.delete(old);
			if (!this.#shown.has(old)) return;
			this.#known.set(old, kept);
		}
	}
}
