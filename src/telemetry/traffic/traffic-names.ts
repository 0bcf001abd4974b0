/**
 * The names of routes and rules that workers have told of, in the supervisor: all workers name the same, so each is kept once
 * for all of them, as long as one of them has it. Given to each `TrafficReader` (`traffic-wire.ts`).
 */
import { LIMITS } from "../../limits/limits.ts";
import { RouteIds, routeKey } from "./route-rows.ts";
import type { RuleChange } from "./rule-counts.ts";

type Phase = RuleChange["phase"];

/** Of a rule: what each row of it says. */
export interface NamedRule {
	readonly ids: NamedRoute;
	readonly phase: Phase;
	readonly rule: number;
	readonly name: string;
}

class NamedRoute extends RouteIds {
	#rules: NamedRule[] = [];

	rule(phase: Phase, rule: number, name: string): NamedRule {
		const known = this.#rules.find(
			(each) => each.rule === rule && each.phase === phase && each.name === name,
		);
		if (known !== undefined) return known;
		// Rules that are called otherwise with each change; who has the former ones keeps them.
		if (this.#rules.length >= LIMITS.namedRules) this.#rules = [];
		const made = { ids: this, phase, rule, name };
		this.#rules.push(made);
		return made;
	}
}

export class TrafficNames {
	readonly #routes = new Map<string, WeakRef<NamedRoute>>();
	readonly #forgotten = new FinalizationRegistry<string>((key) => {
		if (this.#routes.get(key)?.deref() === undefined) this.#routes.delete(key);
	});

	route(edge: string, route: string): NamedRoute {
		const known = this.#routes.get(routeKey(edge, route))?.deref();
		if (known !== undefined) return known;
		const made = new NamedRoute(edge, route);
		this.#routes.set(made.key, new WeakRef(made));
		this.#forgotten.register(made, made.key);
		return made;
	}
}

/** Of this process, which has one supervisor. */
export const trafficNames = new TrafficNames();
