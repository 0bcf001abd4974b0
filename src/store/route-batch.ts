/**
 * Routes of all edges in the order of their names, a batch at a time, so that somebody can go through 100,000 of them
 * between other work. Used by `writer.ts` for `Store.routeBatch`.
 */
import { decodeDocument, under } from "./layout.ts";
import type { Reads } from "./lmdb/database.ts";
import type { NamedRoute, RouteDocument } from "./resources.ts";

/** @param after `EDGE/ROUTE` */
export function routeBatch(
	reads: Pick<Reads, "range">,
	limit: number,
	after: string | undefined,
): readonly NamedRoute[] {
	const batch: NamedRoute[] = [];
	for (const { key, value } of reads.range(under("r/", after))) {
		const name = key.slice("r/".length);
		// where the range begins
		if (name === after) continue;
		const [edgeId = "", routeId = ""] = name.split("/");
		batch.push({ edgeId, routeId, document: decodeDocument<RouteDocument>(value) });
		if (batch.length === limit) break;
	}
	return batch;
}
