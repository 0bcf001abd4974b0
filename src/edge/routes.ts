/**
 * The snapshot that requests run against (contract 6, route choice): edges, routes and compiled policies.
 * `load` reads the whole store, `apply` what was announced. Both run within one turn of the event loop
 * and replace `Route`s as a whole, so a request sees the old state or the new one, and a request in
 * flight keeps the route and policy that it started with. Finding a route costs the same however many
 * there are.
 */
import { series } from "../metrics.ts";
import type { CompiledPolicy, Outcome } from "../policy/exchange.ts";
import type { PolicyDocument } from "../policy/schema.ts";
import { type Hostport, parseHostport } from "../store/hostport.ts";
import type { EdgeDocument, RouteDocument } from "../store/resources.ts";
import type { Change, Stored, StoreReader } from "../store/store.ts";
import type { Authority } from "../target.ts";
import type { Backend, Backends } from "./backends.ts";
import { HostTable } from "./host-table.ts";
import { PrefixTree } from "./prefix-tree.ts";

/** Immutable; a change makes a new one. */
export interface Route {
	readonly edgeId: string;
	readonly routeId: string;
	readonly matchType: RouteDocument["match_type"];
	readonly match: string;
	readonly backend: Backend;
	readonly policy: CompiledPolicy | undefined;
	/** names of its counters, made once */
	readonly series: { readonly limited: string; readonly overLimit: string };
}

interface Edge {
	readonly edgeId: string;
	hostports: readonly Hostport[];
	readonly exact: Map<string, Route>;
	readonly prefixes: PrefixTree<Route>;
	readonly routes: Map<string, Route>;
}

export interface RouteTableOptions {
	readonly reader: StoreReader;
	readonly backends: Backends;
	readonly compile: (
		document: PolicyDocument,
		edgeId: string,
		routeId: string,
		etag: string,
	) => CompiledPolicy;
	/** a stored policy that can't be compiled: the route answers 500 until it is replaced */
	readonly onBroken: (edgeId: string, routeId: string, error: unknown) => void;
}

const seriesOf = (edge: string, route: string) => ({
	limited: series("weir_rate_limit_exceeded_total", { edge, route, enforced: "true" }),
	overLimit: series("weir_rate_limit_exceeded_total", { edge, route, enforced: "false" }),
});

const FAILED: Outcome = Object.freeze({ kind: "failed" });
const BROKEN_POLICY: CompiledPolicy = Object.freeze({
	enabled: true,
	inboundEmpty: false,
	outboundEmpty: true,
	inbound: () => FAILED,
	outbound: () => FAILED,
	resume: () => FAILED,
	close: () => {},
});

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
		return edge.exact.get(path) ?? edge.prefixes.longest(path);
	}

	/** Stored policies that `apply` would have to compile for these changes. */
	*policiesOf(changes: readonly Change[]): Iterable<Stored<PolicyDocument>> {
		const { reader } = this.#options;
		reader.refresh();
		for (const change of changes) {
			const known = this.#edges.get(change.edgeId)?.routes;
			const routeIds =
				change.kind === "edge"
					? Array.from(reader.routes(change.edgeId), ({ routeId }) => routeId)
					: [change.routeId];
			for (const routeId of routeIds) {
				if (change.kind !== "policy" && known?.has(routeId) === true) continue;
				const stored = reader.policy(change.edgeId, routeId);
				if (stored !== undefined) yield stored;
			}
		}
	}

	load(): void {
		const { reader } = this.#options;
		reader.refresh();
		for (const { edgeId, document } of reader.edges()) this.#putEdge(edgeId, document);
		for (const { edgeId, routeId, document } of reader.routes()) {
			this.#putRoute(edgeId, routeId, document);
		}
	}

	apply(changes: readonly Change[]): void {
		const { reader } = this.#options;
		reader.refresh();
		for (const change of changes) {
			if (change.kind === "edge") this.#applyEdge(change.edgeId);
			else if (change.kind === "policy") this.#applyPolicy(change.edgeId, change.routeId);
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

	#applyPolicy(edgeId: string, routeId: string): void {
		const edge = this.#edges.get(edgeId);
		const old = edge?.routes.get(routeId);
		if (edge === undefined || old === undefined) return;
		this.#swap(edge, old, { ...old, policy: this.#compile(edgeId, routeId) });
		old.policy?.close();
	}

	#putEdge(edgeId: string, document: EdgeDocument): void {
		let edge = this.#edges.get(edgeId);
		if (edge === undefined) {
			edge = {
				edgeId,
				hostports: [],
				exact: new Map(),
				prefixes: new PrefixTree(),
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
		const backend = this.#options.backends.acquire(document.backend);
		this.#swap(edge, old, {
			edgeId,
			routeId,
			matchType: document.match_type,
			match: document.match,
			backend,
			policy: old === undefined ? this.#compile(edgeId, routeId) : old.policy,
			series: old?.series ?? seriesOf(edgeId, routeId),
		});
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

	#swap(edge: Edge, old: Route | undefined, route: Route): void {
		if (old !== undefined) this.#unlist(edge, old);
		edge.routes.set(route.routeId, route);
		if (route.matchType === "exact_path") edge.exact.set(route.match, route);
		else edge.prefixes.set(route.match, route);
	}

	/** Another route may have taken over the match in the same change; then it stays. */
	#unlist(edge: Edge, route: Route): void {
		if (route.matchType === "exact_path") {
			if (edge.exact.get(route.match) === route) edge.exact.delete(route.match);
		} else if (edge.prefixes.get(route.match) === route) {
			edge.prefixes.delete(route.match);
		}
	}

	#compile(edgeId: string, routeId: string): CompiledPolicy | undefined {
		const stored = this.#options.reader.policy(edgeId, routeId);
		if (stored === undefined) return undefined;
		try {
			return this.#options.compile(stored.document, edgeId, routeId, stored.etag);
		} catch (error) {
			this.#options.onBroken(edgeId, routeId, error);
			return BROKEN_POLICY;
		}
	}
}
