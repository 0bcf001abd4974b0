/**
 * The snapshot that requests run against (contract 6, route choice): edges, routes and their policies.
 * `load` reads edges and routes, `apply` what was announced. Both run within one turn of the event loop
 * and replace `Route`s as a whole, so a request sees the old state or the new one, and a request in
 * flight keeps the route and policy that it started with. Finding a route costs the same however many
 * there are; its policy is opened by the first request (`opening/route-policies.ts`).
 */

import type { Authority } from "../../http/target.ts";
import type { CompiledPolicy } from "../../policy/exchange.ts";
import type { PolicyDocument } from "../../policy/schema.ts";
import { type Hostport, parseHostport } from "../../store/hostport.ts";
import type { EdgeDocument, RouteDocument } from "../../store/resources.ts";
import type { Change, Stored, StoreReader } from "../../store/store.ts";
import { isLong } from "../policies/compilation.ts";
import { type PolicyOwner, type PolicyLoader, UNREADABLE } from "../policies/policy-loader.ts";
import type { Backends } from "./backends.ts";
import { HostTable } from "./host-table.ts";
import { PrefixTree } from "./prefix-tree.ts";
import { type Route, TableRoute, UNOPENED } from "./route.ts";

export type { Route } from "./route.ts";

/** Tables are made when there is something to put in: most edges have exact paths or prefixes only. */
interface Edge {
	readonly edgeId: string;
	hostports: readonly Hostport[];
	exact: Map<string, TableRoute> | undefined;
	prefixes: PrefixTree<TableRoute> | undefined;
	readonly routes: Map<string, TableRoute>;
}

export interface RouteTableOptions {
	readonly reader: StoreReader;
	readonly backends: Backends;
	readonly policies: Pick<PolicyLoader, "open" | "openReady">;
}

export class RouteTable {
	readonly #options: RouteTableOptions;
	readonly #hosts = new HostTable<Edge>();
	readonly #edges = new Map<string, Edge>();

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
		const edge = this.#hosts.find(authority, schemePort, listenerPort);
		if (edge === undefined) return undefined;
		const route = edge.exact?.get(path) ?? edge.prefixes?.longest(path);
		if (route !== undefined && route.policy === UNOPENED) {
			const policy = this.#options.policies.open(route, this.#onOpened);
			if (policy === UNREADABLE) return route.withPolicy(policy);
			route.policy = policy;
		}
		return route;
	}

	readonly #onOpened = (
		{ edgeId, routeId }: PolicyOwner,
		standIn: CompiledPolicy,
		policy: CompiledPolicy,
	): void => {
		const route = this.#edges.get(edgeId)?.routes.get(routeId);
		if (route?.policy === standIn) route.policy = policy;
	};

	/**
	 * Stored policies that had better be compiled before `apply` takes these changes over: those that replace
	 * one in use, and those that no request should have to wait for.
	 */
	*policiesOf(changes: readonly Change[]): Iterable<Stored<PolicyDocument>> {
		const { reader } = this.#options;
		reader.refresh();
		for (const change of changes) {
			// they were deleted
			if (change.kind === "policies") continue;
			const known = this.#edges.get(change.edgeId)?.routes;
			const routeIds =
				change.kind === "edge"
					? Array.from(reader.routes(change.edgeId), ({ routeId }) => routeId)
					: [change.routeId];
			for (const routeId of routeIds) {
				const route = known?.get(routeId);
				if (change.kind !== "policy" && route !== undefined) continue;
				const stored = reader.policy(change.edgeId, routeId);
				if (stored === undefined) continue;
				const isInUse = route !== undefined && route.policy !== UNOPENED;
				if (isInUse || isLong(stored.document)) yield stored;
			}
		}
	}

	load(): void {
		const { reader } = this.#options;
		reader.refresh();
		for (const { edgeId, document } of reader.edges()) this.#putEdge(edgeId, document);
		for (const { edgeId, routeId, document } of reader.routes()) {
			const edge = this.#edges.get(edgeId);
			if (edge !== undefined) this.#list(edge, this.#newRoute(edge, routeId, document, UNOPENED));
		}
	}

	apply(changes: readonly Change[]): void {
		const { reader } = this.#options;
		reader.refresh();
		for (const change of changes) {
			if (change.kind === "edge") this.#applyEdge(change.edgeId);
			else if (change.kind === "policy") this.#applyPolicy(change.edgeId, change.routeId);
			else if (change.kind === "policies") this.#applyPolicies(change.edgeId);
			else {
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
		const routeIds = Array.from(this.#edges.get(edgeId)?.routes.keys() ?? []);
		for (const routeId of routeIds) this.#applyPolicy(edgeId, routeId);
	}

	#applyPolicy(edgeId: string, routeId: string): void {
		const edge = this.#edges.get(edgeId);
		const old = edge?.routes.get(routeId);
		if (edge === undefined || old === undefined) return;
		this.#swap(edge, old, old.withPolicy(this.#readyPolicy(old)));
		old.policy?.close();
	}

	#putEdge(edgeId: string, document: EdgeDocument): void {
		let edge = this.#edges.get(edgeId);
		if (edge === undefined) {
			edge = {
				edgeId,
				hostports: [],
				exact: undefined,
				prefixes: undefined,
				routes: new Map(),
			};
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
		const policy = old === undefined ? this.#readyPolicy({ edgeId, routeId }) : old.policy;
		this.#swap(edge, old, this.#newRoute(edge, routeId, document, policy));
		if (old !== undefined) this.#options.backends.release(old.backend);
	}

	#removeRoute(edgeId: string, routeId: string): void {
		const edge = this.#edges.get(edgeId);
		const old = edge?.routes.get(routeId);
		if (edge === undefined || old === undefined) return;
		this.#unlist(edge, old);
		edge.routes.delete(routeId);
		this.#options.backends.release(old.backend);
		old.policy?.close();
	}

	#newRoute(
		{ edgeId }: Edge,
		routeId: string,
		document: RouteDocument,
		policy: CompiledPolicy | undefined,
	): TableRoute {
		const backend = this.#options.backends.acquire(document.backend);
		return new TableRoute(edgeId, routeId, document, backend, policy);
	}

	#swap(edge: Edge, old: TableRoute | undefined, route: TableRoute): void {
		if (old !== undefined) this.#unlist(edge, old);
		this.#list(edge, route);
	}

	#list(edge: Edge, route: TableRoute): void {
		edge.routes.set(route.routeId, route);
		if (route.matchType === "exact_path") {
			edge.exact ??= new Map();
			edge.exact.set(route.match, route);
		} else {
			edge.prefixes ??= new PrefixTree();
			edge.prefixes.set(route.match, route);
		}
	}

	/** Another route may have taken over the match in the same change; then it stays. */
	#unlist(edge: Edge, route: TableRoute): void {
		if (route.matchType === "exact_path") {
			if (edge.exact?.get(route.match) === route) edge.exact.delete(route.match);
		} else if (edge.prefixes?.get(route.match) === route) {
			edge.prefixes.delete(route.match);
		}
	}

	/** What is not ready is left to the next request. */
	#readyPolicy(owner: PolicyOwner): CompiledPolicy | undefined {
		const stored = this.#options.reader.policy(owner.edgeId, owner.routeId);
		if (stored === undefined) return undefined;
		return this.#options.policies.openReady(owner, stored) ?? UNOPENED;
	}
}
