/**
 * The names of all routes with the text that a search looks through, in memory, because reading 100,000 documents for each
 * letter that somebody types would take too long. Built in slices when it is asked for first, kept up to date by changes,
 * and dropped when nobody has asked for a while. Some 300 bytes a route. Used by `live-api.ts`.
 */
import { setImmediate as turn } from "node:timers/promises";
import { asciiLowerCase } from "../../ascii.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { RouteDocument } from "../../store/resources.ts";
import type { Change, Store } from "../../store/store.ts";
import { routeName } from "../../telemetry/traffic/route-rows.ts";
import type { RouteCounts } from "./route-traffic.ts";

export interface IndexedEdge {
	readonly edgeId: string;
	/** its hostports, in lower case */
	text: string;
}

export interface IndexedRoute {
	/** `EDGE/ROUTE`; the index is in the order of these */
	readonly name: string;
	readonly edge: IndexedEdge;
	/** name, match and backends, in lower case */
	readonly text: string;
	/** what it has had; looked up once it has had something, see route-search.ts */
	counts?: RouteCounts | undefined;
}

type Reads = Pick<Store, "refresh" | "route" | "edge" | "routeBatch">;

export class RouteIndex {
	readonly #store: Reads;
	#routes: IndexedRoute[] | undefined;
	#edges = new Map<string, IndexedEdge>();
	#building: Promise<readonly IndexedRoute[]> | undefined;
	/** announced while it is being built */
	#missed: Change[] = [];
	#idle: NodeJS.Timeout | undefined;

	constructor(store: Reads) {
		this.#store = store;
	}

	/** In the order of names. Not to be kept: a change may alter it. */
	async routes(): Promise<readonly IndexedRoute[]> {
		clearTimeout(this.#idle);
		this.#idle = setTimeout(() => this.drop(), LIMITS.liveIndexMs).unref();
		if (this.#routes !== undefined) return this.#routes;
		this.#building ??= this.#build().finally(() => {
			this.#building = undefined;
		});
		return this.#building;
	}

	async #build(): Promise<readonly IndexedRoute[]> {
		const routes: IndexedRoute[] = [];
		this.#edges = new Map();
		this.#missed = [];
		for (let after: string | undefined; ; ) {
			const batch = this.#store.routeBatch(LIMITS.liveIndexBatch, after);
			for (const { edgeId, routeId, document } of batch)
				routes.push(this.#indexed(edgeId, routeId, document));
			if (batch.length < LIMITS.liveIndexBatch) break;
			after = routes.at(-1)?.name;
			await turn();
			this.#store.refresh();
		}
		this.#routes = routes;
		this.changed(this.#missed);
		return routes;
	}

	/** @param changes that the store has, already */
	changed(changes: readonly Change[]): void {
		if (this.#routes === undefined) {
			if (this.#building !== undefined) this.#missed.push(...changes);
			return;
		}
		this.#store.refresh();
		for (const change of changes) {
			if (change.kind === "edge") this.#changeEdge(change.edgeId);
			else if (change.kind === "route") this.#changeRoute(change.edgeId, change.routeId);
		}
	}

	drop(): void {
		clearTimeout(this.#idle);
		this.#routes = undefined;
		this.#edges = new Map();
	}

	#changeEdge(edgeId: string): void {
		const stored = this.#store.edge(edgeId);
		const edge = this.#edges.get(edgeId);
		if (edge === undefined) return;
		if (stored !== undefined) {
			edge.text = asciiLowerCase(stored.document.hostports.join(" "));
			return;
		}
		this.#edges.delete(edgeId);
		this.#routes = this.#routes?.filter((route) => route.edge !== edge);
	}

	#changeRoute(edgeId: string, routeId: string): void {
		const routes = this.#routes ?? [];
		const name = routeName(edgeId, routeId);
		const place = placeOf(routes, name);
		const isThere = routes[place]?.name === name;
		const stored = this.#store.route(edgeId, routeId);
		if (stored === undefined) {
			if (isThere) routes.splice(place, 1);
		} else routes.splice(place, isThere ? 1 : 0, this.#indexed(edgeId, routeId, stored.document));
	}

	#indexed(edgeId: string, routeId: string, { match, backend }: RouteDocument): IndexedRoute {
		const name = routeName(edgeId, routeId);
		const text = asciiLowerCase(`${name} ${match} ${backend.urls.join(" ")}`);
		return { name, edge: this.#edgeOf(edgeId), text };
	}

	#edgeOf(edgeId: string): IndexedEdge {
		let edge = this.#edges.get(edgeId);
		if (edge === undefined) {
			const { hostports = [] } = this.#store.edge(edgeId)?.document ?? {};
			edge = { edgeId, text: asciiLowerCase(hostports.join(" ")) };
			this.#edges.set(edgeId, edge);
		}
		return edge;
	}
}

/** Where the name is, or would be. */
function placeOf(routes: readonly IndexedRoute[], name: string): number {
	let [low, high] = [0, routes.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((routes[middle]?.name ?? "") < name) low = middle + 1;
		else high = middle;
	}
	return low;
}
