/**
 * What workers are told when records were taken: which documents are others now, each once. Lists come before the policies
 * that may name them, edges before their routes. Used by `store-state.ts`.
 */
import { bumpKeysRevision, bumpVersion, isVersion } from "../store/layout.ts";
import type { Writes } from "../store/lmdb/database.ts";
import type { Change } from "../store/store.ts";

/** more policies of one edge than this are told of as all of them */
const POLICIES_PER_EDGE = 1000;

export class Changes {
	readonly #lists = new Set<string>();
	readonly #edges = new Set<string>();
	readonly #routes = new Set<string>();
	/** by edge; "": all of them */
	readonly #policies = new Map<string, Set<string>>();
	/** `EDGE/ROUTE`; without a route: all of the edge */
	readonly #candidates = new Set<string>();
	#documents = 0;
	#keys = 0;

	/** @param key primary, or what those of an edge begin with: `r/EDGE/` */
	readonly note = (key: string): void => {
		const [kind, id = "", more = ""] = key.split("/");
		if (kind === "k") this.#keys += 1;
		else if (!isVersion(key)) this.#documents += 1;
		if (kind === "l" || kind === "x") this.#lists.add(id);
		if (kind === "e" || (kind === "r" && more === "")) this.#edges.add(id);
		if (kind === "r" && more !== "") this.#routes.add(`${id}/${more}`);
		if (kind === "c") this.#candidates.add(`${id}/${more}`);
		if (kind !== "p") return;
		const policies = this.#policies.get(id) ?? new Set();
		this.#policies.set(id, policies.add(more));
	};

	/** The numbers that grow with each change. */
	count(writes: Writes): void {
		if (this.#documents > 0) bumpVersion(writes, this.#documents);
		if (this.#keys > 0) bumpKeysRevision(writes, this.#keys);
	}

	*list(): Iterable<Change> {
		for (const listId of this.#lists) yield { kind: "ip_list", listId };
		for (const edgeId of this.#edges) yield { kind: "edge", edgeId };
		for (const name of this.#routes) {
			const [edgeId = "", routeId = ""] = name.split("/");
			yield { kind: "route", edgeId, routeId };
		}
		for (const name of this.#candidates) {
			const [edgeId = "", routeId = ""] = name.split("/");
			// with those of an edge goes the edge
			if (routeId === "") yield { kind: "policies", edgeId };
			else yield { kind: "candidate", edgeId, routeId };
		}
		for (const [edgeId, routeIds] of this.#policies) {
			if (routeIds.has("") || routeIds.size > POLICIES_PER_EDGE) yield { kind: "policies", edgeId };
			else for (const routeId of routeIds) yield { kind: "policy", edgeId, routeId };
		}
	}
}
