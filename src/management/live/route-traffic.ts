/**
 * What each route has had, added up over workers, those that have ended included. Routes without a request take nothing.
 * Used by `tally.ts`, which fills it, and `live-api.ts`.
 */
import { routeName } from "../../telemetry/traffic/route-rows.ts";
import { Rate } from "./rates.ts";

export class RouteCounts {
	readonly requests = new Rate();
	readonly errors = new Rate();
	readonly refusals = new Rate();
}

export class RouteTraffic {
	readonly #counts = new Map<string, RouteCounts>();

	/** Made if there are none yet. */
	at(edgeId: string, routeId: string, name = routeName(edgeId, routeId)): RouteCounts {
		let counts = this.#counts.get(name);
		if (counts === undefined) {
			counts = new RouteCounts();
			this.#counts.set(name, counts);
		}
		return counts;
	}

	of(name: string): RouteCounts | undefined {
		return this.#counts.get(name);
	}

	/** By name; routes that have had requests. */
	get all(): ReadonlyMap<string, RouteCounts> {
		return this.#counts;
	}

	forget(name: string): void {
		this.#counts.delete(name);
	}

	/** The edge is gone with all of its routes. */
	forgetEdge(edgeId: string): void {
		for (const name of this.#counts.keys())
			if (name.startsWith(`${edgeId}/`)) this.#counts.delete(name);
	}
}
