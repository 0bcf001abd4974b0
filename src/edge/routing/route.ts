/**
 * A route of a worker's snapshot, kept as small as it can be: there may be 100,000. What a request needs and
 * others don't is made when first asked for. Made by `routes.ts`, read by all of the data path.
 */

import type { CompiledPolicy, Outcome } from "../../policy/exchange.ts";
import type { RouteDocument } from "../../store/resources.ts";
import { type CounterSeries, series } from "../../telemetry/metrics.ts";
import type { Backend } from "./backends.ts";

/** Names of the counters of a route. */
export interface RouteSeries {
	readonly limited: CounterSeries;
	readonly overLimit: CounterSeries;
}

/** A change makes a new one, so that a request goes on under what it started with. */
export interface Route {
	readonly edgeId: string;
	readonly routeId: string;
	readonly matchType: RouteDocument["match_type"];
	readonly match: string;
	readonly backend: Backend;
	/** of a route that `RouteTable.find` has given: opened */
	readonly policy: CompiledPolicy | undefined;
	readonly series: RouteSeries;
}

const NEVER = (): Outcome => {
	throw new Error("a policy came to run that nobody has opened");
};

/** The policy of a route that no request has met. */
export const UNOPENED: CompiledPolicy = Object.freeze({
	enabled: true,
	inboundEmpty: false,
	outboundEmpty: false,
	inbound: NEVER,
	outbound: NEVER,
	resume: NEVER,
	close: () => {},
});

export class TableRoute implements Route {
	readonly edgeId: string;
	readonly routeId: string;
	readonly matchType: RouteDocument["match_type"];
	readonly match: string;
	readonly backend: Backend;
	/** changed by `RouteTable` alone, and only from what stands in for the policy to the policy */
	policy: CompiledPolicy | undefined;
	#series: RouteSeries | undefined;

	constructor(
		edgeId: string,
		routeId: string,
		{ match_type, match }: Pick<RouteDocument, "match_type" | "match">,
		backend: Backend,
		policy: CompiledPolicy | undefined,
	) {
		this.edgeId = edgeId;
		this.routeId = routeId;
		this.matchType = match_type;
		this.match = match;
		this.backend = backend;
		this.policy = policy;
	}

	withPolicy(policy: CompiledPolicy | undefined): TableRoute {
		const document = { match_type: this.matchType, match: this.match };
		return new TableRoute(this.edgeId, this.routeId, document, this.backend, policy);
	}

	get series(): RouteSeries {
		this.#series ??= seriesOf(this.edgeId, this.routeId);
		return this.#series;
	}
}

const seriesOf = (edge: string, route: string): RouteSeries => ({
	limited: series("weir_rate_limit_exceeded_total", { edge, route, enforced: "true" }),
	overLimit: series("weir_rate_limit_exceeded_total", { edge, route, enforced: "false" }),
});
