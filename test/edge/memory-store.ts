/** A `StoreReader` over plain maps, for the tests of the data path. */
import type { PolicyDocument } from "../../src/policy/document/schema.ts";
import type { EdgeDocument, RouteDocument } from "../../src/store/resources.ts";
import type { Stored, StoreReader } from "../../src/store/store.ts";

const stored = <T>(document: T | undefined): Stored<T> | undefined =>
	document === undefined ? undefined : { document, etag: JSON.stringify(document) };

export class MemoryStore implements StoreReader {
	readonly #edges = new Map<string, EdgeDocument>();
	readonly #routes = new Map<
		string,
		{ edgeId: string; routeId: string; document: RouteDocument }
	>();
	readonly #policies = new Map<
		string,
		{ edgeId: string; routeId: string; document: PolicyDocument }
	>();

	putEdge(edgeId: string, hostports: string[]): this {
		this.#edges.set(edgeId, { hostports, description: "", metadata: "" });
		return this;
	}
	putRoute(edgeId: string, routeId: string, document: RouteDocument): this {
		this.#routes.set(`${edgeId}/${routeId}`, { edgeId, routeId, document });
		return this;
	}
	/** @param policy a whole document, or the name of its one rule */
	putPolicy(edgeId: string, routeId: string, policy: string | PolicyDocument): this {
		const document: PolicyDocument =
			typeof policy === "string"
				? {
						enabled: true,
						inbound: [{ name: policy, expressions: [], actions: [] }],
						outbound: [],
					}
				: policy;
		this.#policies.set(`${edgeId}/${routeId}`, { edgeId, routeId, document });
		return this;
	}
	deleteEdge(edgeId: string): this {
		this.#edges.delete(edgeId);
		for (const kind of [this.#routes, this.#policies]) {
			for (const [key, entry] of kind) if (entry.edgeId === edgeId) kind.delete(key);
		}
		return this;
	}
	deleteRoute(edgeId: string, routeId: string): this {
		this.#routes.delete(`${edgeId}/${routeId}`);
		this.#policies.delete(`${edgeId}/${routeId}`);
		return this;
	}
	deletePolicy(edgeId: string, routeId: string): this {
		this.#policies.delete(`${edgeId}/${routeId}`);
		return this;
	}

	readonly #candidates = new Map<string, PolicyDocument>();
	/** @param document undefined: there is none any more */
	putCandidate(edgeId: string, routeId: string, document: PolicyDocument | undefined): this {
		if (document === undefined) this.#candidates.delete(`${edgeId}/${routeId}`);
		else this.#candidates.set(`${edgeId}/${routeId}`, document);
		return this;
	}
	candidate(edgeId: string, routeId: string) {
		return stored(this.#candidates.get(`${edgeId}/${routeId}`));
	}
	*candidates() {
		for (const name of this.#candidates.keys()) {
			const [edgeId = "", routeId = ""] = name.split("/");
			yield { edgeId, routeId };
		}
	}

	readonly ipLists = new Map<string, string[]>();
	ipList(id: string) {
		const entries = this.ipLists.get(id);
		return stored(entries === undefined ? undefined : { entries, description: "" });
	}
	ipListEntries(id: string) {
		return this.ipLists.get(id)?.join(" ");
	}
	ipListIds() {
		return this.ipLists.keys();
	}

	refresh(): void {}
	edge(edgeId: string) {
		return stored(this.#edges.get(edgeId));
	}
	route(edgeId: string, routeId: string) {
		return stored(this.#routes.get(`${edgeId}/${routeId}`)?.document);
	}
	policy(edgeId: string, routeId: string) {
		return stored(this.#policies.get(`${edgeId}/${routeId}`)?.document);
	}
	policyEtag(edgeId: string, routeId: string) {
		return this.policy(edgeId, routeId)?.etag;
	}
	policyText(edgeId: string, routeId: string) {
		const known = this.policy(edgeId, routeId);
		return known && JSON.stringify(known.document);
	}
	*edges() {
		for (const [edgeId, document] of this.#edges) yield { edgeId, document };
	}
	*routes(edgeId?: string) {
		for (const entry of this.#routes.values()) {
			if (edgeId === undefined || entry.edgeId === edgeId) yield entry;
		}
	}
	version(): number {
		return 0;
	}
	counts() {
		return {
			edges: this.#edges.size,
			routes: this.#routes.size,
			policies: this.#policies.size,
		};
	}
	keys() {
		return [];
	}
	close() {
		return Promise.resolve();
	}
}
