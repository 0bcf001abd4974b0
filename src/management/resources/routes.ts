/** Routes of an edge and their list (contract 2): the document of the client, plus `id`, `edge_id` and `uri`. */
import { type RouteDocument, routeSchema } from "../../store/resources.ts";
import { lintRoute } from "../../store/route-lint.ts";
import { type Context, durableAndPublished, edgeNotFound, routeNotFound } from "../context.ts";
import { originOf } from "../fleet/write-origin.ts";
import { json } from "../http/reply.ts";
import type { Ids, Methods } from "../http/router.ts";
import { listReply, preconditionOf } from "./conditions.ts";
import { documentOf, valueIn } from "./documents.ts";
import { EDGES_PATH } from "./edges.ts";
import { nextPageUri, pageRequestOf } from "./pages.ts";
import { deleteDocument, readDocument } from "./stored-documents.ts";
import { warningHeaders } from "./warnings.ts";

const listPath = (edgeId: string): string => `${EDGES_PATH}/${edgeId}/routes`;

const ownFields = ({ edgeId, routeId }: Pick<Ids, "edgeId" | "routeId">) => ({
	id: routeId,
	edge_id: edgeId,
	uri: `${listPath(edgeId)}/${routeId}`,
});

/** @throws ApiError 400 with every problem */
export const routeFrom = (value: unknown, ids: Pick<Ids, "edgeId" | "routeId">): RouteDocument =>
	documentOf(value, routeSchema, ownFields(ids), "route");

const present = (ids: Pick<Ids, "edgeId" | "routeId">, document: RouteDocument): object => ({
	...ownFields(ids),
	...document,
});

export function routeMethods(context: Context): Methods {
	const { store } = context;
	return {
		GET: readDocument(
			({ edgeId, routeId }) => store.route(edgeId, routeId),
			present,
			({ edgeId }) => (store.edge(edgeId) === undefined ? edgeNotFound() : routeNotFound()),
		),
		PUT: {
			operation: "putRoute",
			role: "admin",
			takesBody: true,
			async run(request, ids, body) {
				const precondition = preconditionOf(request);
				const document = routeFrom(valueIn(body, "json"), ids);
				const write = store
					.by(originOf(request))
					.putRoute(ids.edgeId, ids.routeId, document, precondition);
				const { stored, created } = await durableAndPublished(
					context,
					request,
					write,
					routeNotFound,
				);
				const warnings = warningHeaders("route", lintRoute(stored.document));
				const answer = present(ids, stored.document);
				return json(created ? 201 : 200, answer, { etag: stored.etag, ...warnings });
			},
		},
		DELETE: deleteDocument(
			context,
			"deleteRoute",
			(writes, { edgeId, routeId }, precondition) =>
				writes.deleteRoute(edgeId, routeId, precondition),
			routeNotFound,
		),
	};
}

export function routeListMethods({ store }: Context): Methods {
	return {
		GET: {
			role: "read",
			takesBody: false,
			run(request, { edgeId }) {
				const wanted = pageRequestOf(request);
				if (store.edge(edgeId) === undefined) throw edgeNotFound();
				const page = store.listRoutes(edgeId, wanted.limit, wanted.beforeId);
				return listReply(request, {
					routes: page.items.map(({ id, document }) => present({ edgeId, routeId: id }, document)),
					next_page_uri: nextPageUri(listPath(edgeId), wanted, page),
				});
			},
		},
	};
}
