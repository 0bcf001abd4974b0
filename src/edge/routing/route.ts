/**
 * A route of a worker's snapshot. There may be 100,000, so a route is small, and what only some requests need is
 * made when a request first asks for it. Made by `route-table.ts`, read by all of the data path.
 */

import type { CompiledPolicy } from "../../policy/exchange.ts";
import type { RouteDocument } from "../../store/resources.ts";
import { type RouteOwner, UNCOUNTED } from "../../telemetry/traffic/route-rows.ts";
import type { TriedPolicy } from "../candidates/shadow.ts";
import type { PolicySlot } from "../policies/policy-slot.ts";
import type { Backend } from "./backends.ts";

/** A change makes another `Route`, so that a request keeps what it started with. */
export interface Route extends RouteOwner {
	readonly matchType: RouteDocument["match_type"];
	readonly match: string;
	readonly backend: Backend;
	/** not `stored` in a route that `RouteTable.find` returned */
	readonly slot: PolicySlot;
	/** the slot's */
	readonly policy: CompiledPolicy | undefined;
	/** what is tried beside the policy */
	readonly candidate?: TriedPolicy | undefined;
}

export class TableRoute implements Route {
	// What each request reads comes first, so that it lies together.
	readonly match: string;
	/** once the slot is ready */
	#policy: CompiledPolicy | undefined;
	row = UNCOUNTED;
	readonly backend: Backend;
	/** `RouteTable` alone sets it */
	candidate: TriedPolicy | undefined;
	#slot: PolicySlot;
	readonly edgeId: string;
	readonly routeId: string;
	readonly matchType: RouteDocument["match_type"];

	constructor(
		edgeId: string,
		routeId: string,
		{ match_type, match }: Pick<RouteDocument, "match_type" | "match">,
		backend: Backend,
		slot: PolicySlot,
	) {
		this.edgeId = edgeId;
		this.routeId = routeId;
		this.matchType = match_type;
		this.match = match;
		this.backend = backend;
		this.#slot = slot;
	}

	get slot(): PolicySlot {
		return this.#slot;
	}

	/** Called by `RouteTable` alone, when the first request opens the policy. */
	open(slot: PolicySlot): void {
		this.#slot = slot;
	}

	/** Hot. A slot that is ready stays so: what it has is kept here, which is one look into memory less for each request. */
	get policy(): CompiledPolicy | undefined {
		this.#policy ??= this.#slot.policy;
		return this.#policy;
	}

	withSlot(slot: PolicySlot): TableRoute {
		const document = { match_type: this.matchType, match: this.match };
		const route = new TableRoute(this.edgeId, this.routeId, document, this.backend, slot);
		route.candidate = this.candidate;
		route.row = this.row;
		return route;
	}
}
