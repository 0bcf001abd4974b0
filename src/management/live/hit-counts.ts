/**
 * How often each rule of a policy has applied and refused, since the policy was changed last: rules are known by their
 * places, which mean something else afterwards. Filled by `tally.ts`, asked by `live-api.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { PolicyDocument } from "../../policy/document/schema.ts";
import { routeName } from "../../telemetry/traffic/route-rows.ts";
import type { RuleChange } from "../../telemetry/traffic/rule-counts.ts";
import type { RuleHits } from "./shapes.ts";

interface Counted {
	readonly sinceMs: number;
	/** the same moment, as `performance.now()` */
	readonly since: number;
	/** by phase and place */
	readonly rules: Map<string, { matches: number; refusals: number }>;
}

export class HitCounts {
	readonly #startedMs: number;
	readonly #counted = new Map<string, Counted>();

	/** @param startedMs since 1970 */
	constructor(startedMs: number) {
		this.#startedMs = startedMs;
	}

	/** @param toldAt when the worker told of it: what it told before a change it had counted before */
	add(change: RuleChange, toldAt: number): void {
		const { edge, route, phase, rule, matched, refused, former, ids } = change;
		if (former) return;
		const name = ids?.name ?? routeName(edge, route);
		let counted = this.#counted.get(name);
		if (counted === undefined) {
			if (this.#counted.size >= LIMITS.liveHitPolicies) return;
			counted = { sinceMs: this.#startedMs, since: 0, rules: new Map() };
			this.#counted.set(name, counted);
		}
		if (toldAt < counted.since) return;
		const key = `${phase} ${rule}`;
		const before = counted.rules.get(key);
		if (before === undefined) counted.rules.set(key, { matches: matched, refusals: refused });
		else {
			before.matches += matched;
			before.refusals += refused;
		}
	}

	/** The policy has another document now, or none. */
	restart(edgeId: string, routeId: string, nowMs: number): void {
		const name = routeName(edgeId, routeId);
		if (this.#counted.size >= LIMITS.liveHitPolicies && !this.#counted.has(name)) return;
		this.#counted.set(name, {
			...{ sinceMs: nowMs, since: performance.now() },
			rules: new Map(),
		});
	}

	forget(edgeId: string): void {
		for (const name of this.#counted.keys())
			if (name.startsWith(`${edgeId}/`)) this.#counted.delete(name);
	}

	/** One entry for each rule of the document, in its order. */
	of(
		edgeId: string,
		routeId: string,
		document: Pick<PolicyDocument, "inbound" | "outbound">,
	): { readonly rules: readonly RuleHits[]; readonly since: number } {
		const counted = this.#counted.get(routeName(edgeId, routeId));
		const rules = (["inbound", "outbound"] as const).flatMap((phase) =>
			document[phase].map(({ name }, index) => ({
				...{ phase, index, name },
				...(counted?.rules.get(`${phase} ${index}`) ?? { matches: 0, refusals: 0 }),
			})),
		);
		return { rules, since: counted?.sinceMs ?? this.#startedMs };
	}
}
