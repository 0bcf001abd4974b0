/**
 * `GET /policies` (contract 2): which routes have a policy, and with `?unattached=true` which policies have no
 * route. Documents are left out, as they may have 1 MiB each; `uri` leads to them.
 */
import type { ListedPolicy } from "../answers.ts";
import type { Context } from "../context.ts";
import type { Methods } from "../http/router.ts";
import { listReply } from "./conditions.ts";
import { EDGES_PATH } from "./edges.ts";
import { flagOf, nextPageUri, pageRequestOf } from "./pages.ts";

export const POLICIES_PATH = "/policies";

export function policyListMethods({ store }: Context): Methods {
	return {
		GET: {
			role: "read",
			takesBody: false,
			run(request) {
				const wanted = pageRequestOf(request, "edge_and_id");
				const unattached = flagOf(request, "unattached");
				const which = unattached ? "unattached" : "all";
				const page = store.listPolicies(wanted.limit, wanted.beforeId, which);
				return listReply(request, {
					policies: page.items.map(
						({ edgeId, routeId, hasRoute }): ListedPolicy => ({
							id: routeId,
							edge_id: edgeId,
							uri: `${EDGES_PATH}/${edgeId}/routes/${routeId}/policy`,
							attached: hasRoute,
						}),
					),
					next_page_uri: nextPageUri(
						POLICIES_PATH,
						wanted,
						page,
						unattached ? "&unattached=true" : "",
					),
				});
			},
		},
	};
}
