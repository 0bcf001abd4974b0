/** Edges and their list (contract 2): the document of the client, plus `id` and `uri`, which it may send back. */
import { type EdgeDocument, edgeSchema } from "../../store/resources.ts";
import { type Context, durableAndPublished, edgeNotFound } from "../context.ts";
import { originOf } from "../fleet/write-origin.ts";
import { json } from "../http/reply.ts";
import type { Methods } from "../http/router.ts";
import { listReply, preconditionOf } from "./conditions.ts";
import { documentOf, valueIn } from "./documents.ts";
import { nextPageUri, pageRequestOf } from "./pages.ts";
import { deleteDocument, readDocument } from "./stored-documents.ts";

export const EDGES_PATH = "/edges/https";

const ownFields = (id: string) => ({ id, uri: `${EDGES_PATH}/${id}` });

/** @throws ApiError 400 with every problem */
export const edgeFrom = (value: unknown, id: string): EdgeDocument =>
	documentOf(value, edgeSchema, ownFields(id), "edge");

const present = (id: string, document: EdgeDocument): object => ({ ...ownFields(id), ...document });

export function edgeMethods(context: Context): Methods {
	const { store } = context;
	return {
		GET: readDocument(
			({ edgeId }) => store.edge(edgeId),
			({ edgeId }, document) => present(edgeId, document),
			edgeNotFound,
		),
		PUT: {
			operation: "putEdge",
			role: "admin",
			takesBody: true,
			async run(request, { edgeId }, body) {
				const precondition = preconditionOf(request);
				const document = edgeFrom(valueIn(body, "json"), edgeId);
				const write = store.by(originOf(request)).putEdge(edgeId, document, precondition);
				const { stored, created } = await durableAndPublished(
					context,
					request,
					write,
					edgeNotFound,
				);
				const answer = present(edgeId, stored.document);
				return json(created ? 201 : 200, answer, { etag: stored.etag });
			},
		},
		DELETE: deleteDocument(
			context,
			"deleteEdge",
			(writes, { edgeId }, precondition) => writes.deleteEdge(edgeId, precondition),
			edgeNotFound,
		),
	};
}

export function edgeListMethods({ store }: Context): Methods {
	return {
		GET: {
			role: "read",
			takesBody: false,
			run(request) {
				const wanted = pageRequestOf(request);
				const page = store.listEdges(wanted.limit, wanted.beforeId);
				return listReply(request, {
					edges: page.items.map(({ id, document }) => present(id, document)),
					next_page_uri: nextPageUri(EDGES_PATH, wanted, page),
				});
			},
		},
	};
}
