/**
 * What a list of routes says of their policies, kept as long as nothing changes them, because a document may be large. Used
 * by `live-api.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { PolicyDocument } from "../../policy/document/schema.ts";
import type { Change, Store } from "../../store/store.ts";
import { StoreError } from "../../store/store-error.ts";
import { routeName } from "../../telemetry/traffic/route-rows.ts";
import type { LiveRoute } from "./shapes.ts";

export type PolicySummary = LiveRoute["policy"];

const NONE: PolicySummary = { state: "none", rules: 0, rate_limits: 0 };

export class PolicySummaries {
	readonly #store: Pick<Store, "policy">;
	readonly #known = new Map<string, PolicySummary>();

	constructor(store: Pick<Store, "policy">) {
		this.#store = store;
	}

	of(edgeId: string, routeId: string): PolicySummary {
		const name = routeName(edgeId, routeId);
		let summary = this.#known.get(name);
		if (summary === undefined) {
			if (this.#known.size >= LIMITS.livePolicySummaries) this.#known.clear();
			summary = this.#read(edgeId, routeId);
			this.#known.set(name, summary);
		}
		return summary;
	}

	changed(changes: readonly Change[]): void {
		for (const change of changes) {
			if (change.kind === "policies" || change.kind === "edge") this.#known.clear();
			else if (change.kind !== "ip_list")
				this.#known.delete(routeName(change.edgeId, change.routeId));
		}
	}

	#read(edgeId: string, routeId: string): PolicySummary {
		try {
			const stored = this.#store.policy(edgeId, routeId);
			return stored === undefined ? NONE : summaryOf(stored.document);
		} catch (error) {
			// One that is damaged must not hide the others; its own GET says what is wrong.
			if (error instanceof StoreError && !error.lost) return { ...NONE, state: "unreadable" };
			throw error;
		}
	}
}

function summaryOf({ enabled, inbound, outbound }: PolicyDocument): PolicySummary {
	const limits = inbound.flatMap(({ actions }) =>
		actions.filter(({ type }) => type === "rate-limit"),
	);
	return {
		state: enabled ? "enabled" : "disabled",
		rules: inbound.length + outbound.length,
		rate_limits: limits.length,
	};
}
