/**
 * Address lists (contract 2): `PUT`, `GET` and `DELETE /ip-lists/{list_id}`, their list, and
 * `POST /ip-lists/{list_id}/entries`, which adds and removes some. A change is in force when it is answered. Where only
 * lists are told of, their entries are left out, as there may be 100,000 each.
 */
import { withoutNulls } from "../../documents/nulls.ts";
import { LIMITS } from "../../limits/limits.ts";
import {
	type IpListChange,
	type IpListDocument,
	type IpListRecord,
	ipListChangeOf,
	ipListChangeSchema,
	ipListOf,
	ipListSchema,
} from "../../store/ip-lists.ts";
import type { ListedIpList } from "../answers.ts";
import { type Context, durableAndPublished, ipListNotFound } from "../context.ts";
import { originOf } from "../fleet/write-origin.ts";
import { isYaml } from "../http/media-types.ts";
import { json } from "../http/reply.ts";
import type { Methods } from "../http/router.ts";
import { listReply, preconditionOf } from "./conditions.ts";
import { checkedDocument, valueIn } from "./documents.ts";
import { nextPageUri, pageRequestOf } from "./pages.ts";
import { deleteDocument, readDocument } from "./stored-documents.ts";

export const IP_LISTS_PATH = "/ip-lists";

const ownFields = (id: string) => ({ id, uri: `${IP_LISTS_PATH}/${id}` });

const present = (id: string, { description, entries }: IpListDocument): object => ({
	...ownFields(id),
	description,
	entries,
});

const summary = (id: string, { description, count }: IpListRecord): ListedIpList => ({
	...ownFields(id),
	description,
	entry_count: count,
});

/** @throws ApiError 400 with every problem */
export const ipListFrom = (value: unknown, id: string): IpListDocument =>
	checkedDocument(
		value,
		(written) => ipListOf(isObject(written) ? withoutNulls(written, ipListSchema) : written),
		ownFields(id),
		"address list",
	);

/** @throws ApiError 400 with every problem */
const ipListChangeFrom = (value: unknown): IpListChange =>
	checkedDocument(
		value,
		(written) =>
			ipListChangeOf(isObject(written) ? withoutNulls(written, ipListChangeSchema) : written),
		{},
		"address list",
	);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === "object" && value !== null && !Array.isArray(value);

const TAKES = { takesBody: true, takesYaml: true, bodyBytes: LIMITS.ipListBytes } as const;

export function ipListMethods(context: Context): Methods {
	const { store } = context;
	return {
		GET: readDocument(
			({ listId }) => store.ipList(listId),
			({ listId }, document) => present(listId, document),
			ipListNotFound,
		),
		PUT: {
			operation: "putIpList",
			role: "admin",
			...TAKES,
			async run(request, { listId }, body) {
				const precondition = preconditionOf(request);
				const document = ipListFrom(valueIn(body, isYaml(request) ? "yaml" : "json"), listId);
				const write = store.by(originOf(request)).putIpList(listId, document, precondition);
				const { stored, created } = await durableAndPublished(
					context,
					request,
					write,
					ipListNotFound,
				);
				return json(created ? 201 : 200, present(listId, document), { etag: stored.etag });
			},
		},
		DELETE: deleteDocument(
			context,
			"deleteIpList",
			(writes, { listId }, precondition) => writes.deleteIpList(listId, precondition),
			ipListNotFound,
		),
	};
}

export function ipListEntriesMethods(context: Context): Methods {
	const { store } = context;
	return {
		POST: {
			operation: "changeIpListEntries",
			role: "admin",
			...TAKES,
			async run(request, { listId }, body) {
				const precondition = preconditionOf(request);
				const change = ipListChangeFrom(valueIn(body, isYaml(request) ? "yaml" : "json"));
				const write = store.by(originOf(request)).changeIpList(listId, change, precondition);
				const { stored } = await durableAndPublished(context, request, write, ipListNotFound);
				return json(200, summary(listId, stored.document), { etag: stored.etag });
			},
		},
	};
}

export function ipListListMethods({ store }: Context): Methods {
	return {
		GET: {
			role: "read",
			takesBody: false,
			run(request) {
				const wanted = pageRequestOf(request);
				const page = store.listIpLists(wanted.limit, wanted.beforeId);
				return listReply(request, {
					ip_lists: page.items.map(({ id, document }) => summary(id, document)),
					next_page_uri: nextPageUri(IP_LISTS_PATH, wanted, page),
				});
			},
		},
	};
}
