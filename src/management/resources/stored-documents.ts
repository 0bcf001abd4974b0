/**
 * What `GET` and `DELETE` of every stored document do alike: the etag decides on 304 and 412, and a change is answered
 * when every worker runs it. Used by `edges.ts`, `routes.ts`, `policies.ts`, `traffic-policy.ts` and `ip-lists.ts`.
 */
import type { ApiError } from "../../errors.ts";
import type { Precondition, Stored, StoreWrites, WriteResult } from "../../store/store.ts";
import type { AnyDocument } from "../audit/notes.ts";
import { type Context, durableAndPublished } from "../context.ts";
import { originOf } from "../fleet/write-origin.ts";
import { NO_CONTENT } from "../http/reply.ts";
import type { Handler, Ids } from "../http/router.ts";
import { conditionalReply, preconditionOf } from "./conditions.ts";

/** @param present the document as it is answered */
export const readDocument = <T>(
	find: (ids: Ids) => Stored<T> | undefined,
	present: (ids: Ids, document: T) => object,
	notFound: (ids: Ids) => ApiError,
): Handler => ({
	role: "read",
	takesBody: false,
	run(request, ids) {
		const stored = find(ids);
		if (stored === undefined) throw notFound(ids);
		return conditionalReply(request, present(ids, stored.document), stored.etag);
	},
});

/** @param operation its name in `/openapi.json` and in audit lines */
export const deleteDocument = <T extends AnyDocument>(
	context: Context,
	operation: string,
	remove: (writes: StoreWrites, ids: Ids, precondition: Precondition) => Promise<WriteResult<T>>,
	notFound: () => ApiError,
): Handler => ({
	operation,
	role: "admin",
	takesBody: false,
	async run(request, ids) {
		const write = remove(context.store.by(originOf(request)), ids, preconditionOf(request));
		await durableAndPublished(context, request, write, notFound);
		return NO_CONTENT;
	},
});
