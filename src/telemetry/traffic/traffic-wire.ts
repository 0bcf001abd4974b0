/**
 * Traffic between a worker and the supervisor. 10,000 rows may be told each second, so names are told once: afterwards a
 * row is a handful of numbers behind the number of its names. Both ends keep what was named, in the order of messages. What
 * comes out is what went in, with texts that are the same objects each time, whose hashes are known: the supervisor looks
 * each up in some four tables. Packed by `worker-traffic.ts`, read by `process/supervisor/worker-handle.ts`.
 */
import { ROUTE_COUNTS, type RouteChange, type RouteIds } from "./route-rows.ts";
import type { RuleChange } from "./rule-counts.ts";
import { type NamedRule, type TrafficNames, trafficNames } from "./traffic-names.ts";

/** What a row is of. */
type RouteName = readonly [edge: string, route: string];
type RuleName = readonly [
	edge: string,
	route: string,
	phase: RuleChange["phase"],
	rule: number,
	name: string,
];

export interface TrafficRows {
	readonly routes: readonly RouteChange[];
	readonly rules: readonly RuleChange[];
}

/** As JSON carries them. */
export interface PackedRows {
	/** numbers of rows that mean something else from now on, and what */
	readonly routeIds: readonly number[];
	readonly routeNames: readonly RouteName[];
	readonly ruleIds: readonly number[];
	readonly ruleNames: readonly RuleName[];
	/** of each row its number, its counts and its seconds */
	readonly routes: readonly number[];
	/** of each rule its number, how often it matched and how often it refused */
	readonly rules: readonly number[];
	/** which of these, by their order, are of policies that have been replaced */
	readonly former: readonly number[];
	/** of routes that have no row any more */
	readonly gone: readonly RouteChange[];
}

const ROUTE_NUMBERS = 1 + ROUTE_COUNTS.length + 1;
const RULE_NUMBERS = 3;

export class TrafficPacker {
	readonly #routes: (RouteName | undefined)[] = [];
	readonly #rules: (RuleName | undefined)[] = [];

	/** @param routeIds of each route its row, -1: it has none any more @param ruleIds of each rule its place */
	pack(
		{ routes, rules }: TrafficRows,
		routeIds: readonly number[],
		ruleIds: readonly number[],
	): PackedRows {
		const packed = {
			...{ routeIds: [] as number[], routeNames: [] as RouteName[] },
			...{ ruleIds: [] as number[], ruleNames: [] as RuleName[] },
			...{
				routes: [] as number[],
				rules: [] as number[],
				former: [] as number[],
				gone: [] as RouteChange[],
			},
		};
		for (const [at, change] of routes.entries()) {
			const id = routeIds[at] ?? -1;
			if (id < 0) {
				packed.gone.push(change);
				continue;
			}
			const name = this.#newRoute(id, change);
			if (name !== undefined) {
				packed.routeIds.push(id);
				packed.routeNames.push(name);
			}
			packed.routes.push(id, ...change.counts, change.seconds);
		}
		for (const [at, change] of rules.entries()) {
			const id = ruleIds[at] ?? -1;
			const name = this.#newRule(id, change);
			if (name !== undefined) {
				packed.ruleIds.push(id);
				packed.ruleNames.push(name);
			}
			packed.rules.push(id, change.matched, change.refused);
			if (change.former) packed.former.push(at);
		}
		return packed;
	}

	/** @returns undefined if the other end knows it */
	#newRoute(id: number, { edge, route }: RouteChange): RouteName | undefined {
		const known = this.#routes[id];
		if (known !== undefined && known[0] === edge && known[1] === route) return undefined;
		const name: RouteName = [edge, route];
		put(this.#routes, id, name);
		return name;
	}

	#newRule(id: number, { edge, route, phase, rule, name }: RuleChange): RuleName | undefined {
		const known = this.#rules[id];
		if (
			known !== undefined &&
			known[0] === edge &&
			known[1] === route &&
			known[2] === phase &&
			known[3] === rule &&
			known[4] === name
		)
			return undefined;
		const named: RuleName = [edge, route, phase, rule, name];
		put(this.#rules, id, named);
		return named;
	}
}

export class TrafficReader {
	readonly #routes: (RouteIds | undefined)[] = [];
	readonly #rules: (NamedRule | undefined)[] = [];
	readonly #names: TrafficNames;

	/** @param names of all workers */
	constructor(names: TrafficNames = trafficNames) {
		this.#names = names;
	}

	/** Every message of the worker, in order. */
	read(packed: PackedRows): TrafficRows {
		for (const [at, id] of packed.routeIds.entries()) {
			const [edge, route] = packed.routeNames[at] ?? ["", ""];
			put(this.#routes, id, this.#names.route(edge, route));
		}
		for (const [at, id] of packed.ruleIds.entries()) {
			const [edge, route, phase, rule, name] = packed.ruleNames[at] ?? ["", "", "inbound", 0, ""];
			put(this.#rules, id, this.#names.route(edge, route).rule(phase, rule, name));
		}
		const routes = this.#readRoutes(packed.routes);
		return { routes: [...packed.gone, ...routes], rules: this.#readRules(packed) };
	}

	#readRoutes(numbers: readonly number[]): RouteChange[] {
		const changes: RouteChange[] = [];
		for (let at = 0; at < numbers.length; at += ROUTE_NUMBERS) {
			const ids = this.#routes[numbers[at] ?? -1];
			if (ids === undefined) continue;
			const end = at + ROUTE_NUMBERS - 1;
			const { edge, route } = ids;
			const counts = numbers.slice(at + 1, end);
			changes.push({ edge, route, counts, seconds: numbers[end] ?? 0, ids });
		}
		return changes;
	}

	#readRules({ rules: numbers, former }: PackedRows): RuleChange[] {
		const changes: RuleChange[] = [];
		const replaced = new Set(former);
		for (let at = 0; at < numbers.length; at += RULE_NUMBERS) {
			const of = this.#rules[numbers[at] ?? -1];
			if (of === undefined) continue;
			const { ids, phase, rule, name } = of;
			const { edge, route } = ids;
			const [matched = 0, refused = 0] = [numbers[at + 1], numbers[at + 2]];
			const change = { edge, route, phase, rule, name, matched, refused, ids };
			changes.push(replaced.has(at / RULE_NUMBERS) ? { ...change, former: true } : change);
		}
		return changes;
	}
}

/** Numbers come as rows are first told of, in any order; a list with holes would become a slow table. */
function put<T>(list: (T | undefined)[], at: number, value: T): void {
	while (list.length <= at) list.push(undefined);
	list[at] = value;
}
