/**
 * The snapshot that requests run against (contract 6, route choice): edges, routes and their policies' slots. `load`
 * reads all edges and routes, `apply` those that were announced. Each runs within one turn of the event loop and
 * replaces whole `Route`s, so a request sees the old state or the new one, and a request in flight keeps the route
 * and policy that it started with. Finding a route costs the same however many there are. The first request to a
 * route opens its policy (`policies/policy-slot.ts`). Made by `edge.ts`.
 */
import type { Authority } from "../../http/target.ts";
import type { PolicyDocument } from "../../policy/document/schema.ts";
import { parseHostport } from "../../store/hostport.ts";
import type { EdgeDocument, RouteDocument } from "../../store/resources.ts";
import type { Change, Stored, StoreReader } from "../../store/store.ts";
import { UNCOUNTED } from "../../telemetry/traffic/route-rows.ts";
import type { TriedPolicy } from "../candidates/shadow.ts";
import { isLong, mayBeLong } from "../policies/compilation.ts";
import type { PolicyLoader, PolicyOwner } from "../policies/policy-loader.ts";
import { NONE, type PolicySlot, STORED } from "../policies/policy-slot.ts";
import type { Backends } from "./backends.ts";
import { EdgeRoutes } from "./edge-routes.ts";
import { HostTable } from "./host-table.ts";
import { type Route, TableRoute } from "./route.ts";

interface RouteTableOptions {
	readonly reader: StoreReader;
	readonly backends: Backends;
	readonly policies: Pick<PolicyLoader, "open" | "openCompiled">;
	readonly candidates?: { of(owner: PolicyOwner): TriedPolicy | undefined } | undefined;
	/** A route is gone. */
	readonly removed?: ((route: Route) => void) | undefined;
}

export class RouteTable {
	readonly #options: RouteTableOptions;
	readonly #hosts = new HostTable<EdgeRoutes>();
	/** where requests look: nowhere while this machine may not answer */
	#visible = this.#hosts;
	readonly #edges = new Map<string, EdgeRoutes>();

	constructor(options: RouteTableOptions) {
		this.#options = options;
	}

	/** Hot. @param path in normal form */
	find(
		authority: Authority,
		schemePort: number,
		listenerPort: number,
		path: string,
	): Route | undefined {
		const edge = this.#visible.find(authority, schemePort, listenerPort);
		if (edge === undefined) return undefined;
		const route = edge.find(path);
		if (route === undefined || route.policy !== undefined) return route;
		return route.slot.state === "stored" ? this.#withOpened(route) : route;
	}

	/** Of a prefix route: does every path that begins with its match come to it? False also where that takes long to say. */
	hasNoneBelow({ edgeId, match }: Route): boolean {
		return this.#edges.get(edgeId)?.hasNoneBelow(match) === true;
	}

	/** While it is hidden no request finds a route; changes are taken over all the same. */
	set isHidden(hidden: boolean) {
		this.#visible = hidden ? new HostTable<EdgeRoutes>() : this.#hosts;
	}

	get isHidden(): boolean {
		return this.#visible !== this.#hosts;
	}

	#withOpened(route: TableRoute): Route {
		const slot = this.#options.policies.open(route);
		// The next request tries to read it again.
		if (slot.state === "unreadable") return route.withSlot(slot);
		route.open(slot);
		return route;
	}

	/**
	 * Stored policies to be compiled before `apply` takes these changes over: policies of routes that requests come to, and
	 * policies that are too long for a request to wait for.
	 */
	*policiesOf(changes: readonly Change[]): Iterable<Stored<PolicyDocument>> {
		const { reader } = this.#options;
		reader.refresh();
		for (const change of changes) {
			if (change.kind === "policies" || change.kind === "ip_list") continue;
			const known = this.#edges.get(change.edgeId)?.routes;
			const routeIds =
				change.kind === "edge"
					? Array.from(reader.routes(change.edgeId), ({ routeId }) => routeId)
					: [change.routeId];
			for (const routeId of routeIds) {
				const route = known?.get(routeId);
				if (change.kind !== "policy" && route !== undefined) continue;
				if (!isAsked(route) && !mayBeLong(reader.policyText(change.edgeId, routeId) ?? ""))
					continue;
				const stored = reader.policy(change.edgeId, routeId);
				if (stored === undefined) continue;
				if (isAsked(route) || isLong(stored.document)) yield stored;
			}
		}
	}

	load(): void {
		const { reader } = this.#options;
		reader.refresh();
		for (const { edgeId, document } of reader.edges()) this.#putEdge(edgeId, document);
		for (const { edgeId, routeId, document } of reader.routes()) {
			const edge = this.#edges.get(edgeId);
			if (edge !== undefined) edge.list(this.#newRoute(edge, routeId, document, STORED));
		}
	}

	apply(changes: readonly Change[]): void {
		const { reader } = this.#options;
		reader.refresh();
		for (const change of changes) {
			if (change.kind === "edge") this.#applyEdge(change.edgeId);
			else if (change.kind === "policy") this.#applyPolicy(change.edgeId, change.routeId);
			else if (change.kind === "candidate") this.#applyCandidate(change.edgeId, change.routeId);
			else if (change.kind === "policies") this.#applyPolicies(change.edgeId);
			else if (change.kind === "route") {
				const route = reader.route(change.edgeId, change.routeId);
				if (route === undefined) this.#removeRoute(change.edgeId, change.routeId);
				else this.#putRoute(change.edgeId, change.routeId, route.document);
			}
		}
	}

	#applyEdge(edgeId: string): void {
		const { reader } = this.#options;
		const stored = reader.edge(edgeId);
		const gone = new Set(this.#edges.get(edgeId)?.routes.keys());
		if (stored !== undefined) {
			this.#putEdge(edgeId, stored.document);
			for (const { routeId, document } of reader.routes(edgeId)) {
				gone.delete(routeId);
				this.#putRoute(edgeId, routeId, document);
			}
		}
		for (const routeId of gone) this.#removeRoute(edgeId, routeId);
		const edge = this.#edges.get(edgeId);
		if (stored !== undefined || edge === undefined) return;
		for (const hostport of edge.hostports) this.#hosts.delete(hostport, edge);
		this.#edges.delete(edgeId);
	}

	#applyPolicies(edgeId: string): void {
		for (const routeId of [...(this.#edges.get(edgeId)?.routes.keys() ?? [])]) {
			this.#applyPolicy(edgeId, routeId);
			this.#applyCandidate(edgeId, routeId);
		}
	}

	#applyPolicy(edgeId: string, routeId: string): void {
		const edge = this.#edges.get(edgeId);
		const old = edge?.routes.get(routeId);
		if (edge === undefined || old === undefined) return;
		this.#swap(edge, old, old.withSlot(this.#publishedSlot(old)));
		old.slot.close();
	}

	#applyCandidate(edgeId: string, routeId: string): void {
		const route = this.#edges.get(edgeId)?.routes.get(routeId);
		if (route) route.candidate = this.#options.candidates?.of(route);
	}

	#putEdge(edgeId: string, document: EdgeDocument): void {
		let edge = this.#edges.get(edgeId);
		if (edge === undefined) {
			edge = new EdgeRoutes(edgeId);
			this.#edges.set(edgeId, edge);
		}
		for (const hostport of edge.hostports) this.#hosts.delete(hostport, edge);
		edge.hostports = document.hostports.flatMap((text) => parseHostport(text) ?? []);
		for (const hostport of edge.hostports) this.#hosts.set(hostport, edge);
	}

	#putRoute(edgeId: string, routeId: string, document: RouteDocument): void {
		const edge = this.#edges.get(edgeId);
		if (edge === undefined) return;
		const old = edge.routes.get(routeId);
		const slot = old?.slot ?? this.#publishedSlot({ edgeId, routeId });
		this.#swap(edge, old, this.#newRoute(edge, routeId, document, slot));
		if (old !== undefined) this.#options.backends.release(old.backend);
	}

	#removeRoute(edgeId: string, routeId: string): void {
		const edge = this.#edges.get(edgeId);
		const old = edge?.routes.get(routeId);
		if (edge === undefined || old === undefined) return;
		edge.unlist(old);
		edge.routes.delete(routeId);
		this.#options.backends.release(old.backend);
		this.#options.removed?.(old);
		old.slot.close();
	}

	#newRoute(
		{ edgeId }: EdgeRoutes,
		routeId: string,
		document: RouteDocument,
		slot: PolicySlot,
	): TableRoute {
		const backend = this.#options.backends.acquire(document.backend);
		const route = new TableRoute(edgeId, routeId, document, backend, slot);
		route.candidate = this.#options.candidates?.of(route);
		return route;
	}

	#swap(edge: EdgeRoutes, old: TableRoute | undefined, route: TableRoute): void {
		if (old !== undefined) edge.unlist(old);
		edge.list(route);
	}

	/** For a policy that was published. One that is not compiled yet is left to the next request. */
	#publishedSlot(owner: PolicyOwner): PolicySlot {
		const etag = this.#options.reader.policyEtag(owner.edgeId, owner.routeId);
		if (etag === undefined) return NONE;
		return this.#options.policies.openCompiled(owner, { etag }) ?? STORED;
	}
}

/**
 * Do requests come to it? One has asked for its policy then, or, where it had none, was counted. A policy that is put to any
 * other route costs this worker next to nothing, however many such routes there are.
 */
const isAsked = (route: TableRoute | undefined): boolean => {
	if (route === undefined || route.slot.state === "stored") return false;
	return route.slot.state !== "none" || route.row !== UNCOUNTED;
};
