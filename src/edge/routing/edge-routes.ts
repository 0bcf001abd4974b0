/** One edge of the snapshot: its routes, and which of them a path comes to (contract 6). Made by `route-table.ts`. */
import { HashTable, hashOf } from "../../hash-table.ts";
import type { Hostport } from "../../store/hostport.ts";
import { PrefixTree } from "./prefix-tree.ts";
import type { TableRoute } from "./route.ts";

/** paths that are looked through, each against a prefix */
const LOOKED_THROUGH = 256;

/** The table is of those with a whole path, by that, in normal form. */
export class EdgeRoutes extends HashTable<string, TableRoute> {
	/** characters of the longest whole path that there has been: a longer one is not looked for, however long a client makes it */
	#longest = 0;
	/** Made when there is something to put in: most edges have whole paths only. */
	#prefixes: PrefixTree<TableRoute> | undefined;
	readonly edgeId: string;
	hostports: readonly Hostport[] = [];
	readonly routes = new Map<string, TableRoute>();

	constructor(edgeId: string) {
		super();
		this.edgeId = edgeId;
	}

	protected hash(path: string): number {
		return hashOf(path);
	}

	protected isOf({ match }: TableRoute, path: string): boolean {
		return match === path;
	}

	/** Hot. */
	find(path: string): TableRoute | undefined {
		const exact = path.length > this.#longest ? undefined : this.get(path);
		return exact ?? this.#prefixes?.longest(path);
	}

	/** Does every path that begins with this prefix come to its route? False also where that takes long to say. */
	hasNoneBelow(prefix: string): boolean {
		return this.#prefixes?.isLast(prefix) === true && !this.#mayBegin(prefix);
	}

	/** @returns false if no whole path, of which there are few, begins so */
	#mayBegin(prefix: string): boolean {
		if (this.size > LOOKED_THROUGH) return true;
		return Array.from(this.values()).some(({ match }) => match.startsWith(prefix));
	}

	list(route: TableRoute): void {
		this.routes.set(route.routeId, route);
		if (route.matchType === "exact_path") {
			this.#longest = Math.max(this.#longest, route.match.length);
			this.set(route.match, route);
		} else {
			this.#prefixes ??= new PrefixTree();
			this.#prefixes.set(route.match, route);
		}
	}

	/** If another route has taken the match over in the same change, that route stays. */
	unlist(route: TableRoute): void {
		if (route.matchType === "exact_path") {
			if (this.get(route.match) === route) this.delete(route.match);
		} else if (this.#prefixes?.get(route.match) === route) {
			this.#prefixes.delete(route.match);
		}
	}
}
