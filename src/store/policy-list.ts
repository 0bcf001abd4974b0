/**
 * The list of all policies (contract 2, `GET /policies`), or of those without a route. Keys of policies and
 * of routes have one order, so both are walked side by side, and no document is read: the walk over 100,000
 * policies that all have their routes takes some 0.1 s, and it is asked for by people.
 */

import { under } from "./layout.ts";
import type { Reads } from "./lmdb/database.ts";
import type { ListedPolicy, Page } from "./store.ts";

/** @param before `EDGE/ROUTE` */
export function policyPage(
	reads: Pick<Reads, "keys">,
	limit: number,
	before: string | undefined,
	which: "all" | "unattached",
): Page<ListedPolicy> {
	const routes = reads.keys({ ...under("r/", "", before), reverse: true })[Symbol.iterator]();
	let route = routes.next();
	const items: ListedPolicy[] = [];
	for (const key of reads.keys({ ...under("p/", "", before), reverse: true })) {
		const name = key.slice("p/".length);
		// where the range ends, which is walked first
		if (name === before) continue;
		while (route.done !== true && route.value.slice("r/".length) > name) route = routes.next();
		const hasRoute = route.done !== true && route.value.slice("r/".length) === name;
		if (hasRoute && which === "unattached") continue;
		if (items.length === limit) return { items, next: nameOf(items.at(-1)) };
		const [edgeId = "", routeId = ""] = name.split("/");
		items.push({ edgeId, routeId, hasRoute });
	}
	return { items, next: null };
}

const nameOf = (policy: ListedPolicy | undefined): string | null =>
	policy === undefined ? null : `${policy.edgeId}/${policy.routeId}`;
