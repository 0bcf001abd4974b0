/**
 * Versions of a policy (contract 2, "Versions of a policy"): `GET …/policy/versions`, `GET …/policy/versions/{version}` and
 * `POST …/policy/rollback`. What is rolled back to is judged by the rules of today, and stored as any PUT is.
 */
import { z } from "zod";
import { ApiError } from "../../errors.ts";
import type { PolicyDocument } from "../../policy/document/schema.ts";
import type { Store, Stored } from "../../store/store.ts";
import type { PolicyVersion } from "../../store/version-shapes.ts";
import type { ListedPolicyVersion } from "../answers.ts";
import { type Context, policyNotFound } from "../context.ts";
import type { Ids, Methods } from "../http/router.ts";
import { conditionalReply, listReply } from "./conditions.ts";
import { documentIn } from "./documents.ts";
import { EDGES_PATH } from "./edges.ts";
import { nextPageUri, pageRequestOf } from "./pages.ts";
import { storedPolicy, validPolicyIn } from "./policies.ts";

export const rollbackSchema = z.strictObject({
	to: z.int().min(1).describe("Number of the version that is to be in force again."),
});

export const versionListMethods = ({ store }: Context): Methods => ({
	GET: {
		role: "read",
		takesBody: false,
		run(request, ids) {
			const { edgeId, routeId } = ids;
			const wanted = pageRequestOf(request, "number");
			const before = wanted.beforeId === undefined ? undefined : Number(wanted.beforeId);
			const page = store.listPolicyVersions(edgeId, routeId, wanted.limit, before);
			const policy = store.policy(edgeId, routeId);
			if (policy === undefined && store.policyVersionsKept(edgeId, routeId) === undefined)
				throw policyNotFound();
			const path = `${EDGES_PATH}/${edgeId}/routes/${routeId}/policy/versions`;
			return listReply(request, {
				versions: page.items.map((version) => listed(version, path, policy?.etag)),
				next_page_uri: nextPageUri(path, wanted, page),
			});
		},
	},
});

const listed = (
	{ number, etag, size, at, key, keyName, requestId, rolledBackTo }: PolicyVersion,
	path: string,
	present: string | undefined,
): ListedPolicyVersion => ({
	version: number,
	uri: `${path}/${number}`,
	etag,
	size,
	in_force: etag === present,
	created_at: at ?? null,
	key_id: key ?? null,
	key_name: keyName ?? null,
	request_id: requestId ?? null,
	rolled_back_to: rolledBackTo ?? null,
});

export const versionMethods = ({ store }: Context): Methods => ({
	GET: {
		role: "read",
		takesBody: false,
		run(request, ids) {
			const { document, etag } = versionOf(store, ids, numberIn(ids.version));
			return conditionalReply(request, document, etag);
		},
	},
});

export const rollbackMethods = (context: Context): Methods => ({
	POST: {
		operation: "rollbackPolicy",
		role: "admin",
		takesBody: true,
		async run(request, ids, body) {
			const { to } = documentIn(body, rollbackSchema, {}, "rollback");
			const { document } = versionOf(context.store, ids, to);
			const text = Buffer.from(JSON.stringify(document));
			const valid = await validPolicyIn(text, "json", context);
			return storedPolicy(context, request, ids, valid, (stored) => stored, to);
		},
	},
});

/** `0`: there is none */
const numberIn = (id: string): number => (/^[1-9][0-9]{0,11}$/.test(id) ? Number(id) : 0);

/** @throws ApiError 404 that names those that there are */
function versionOf(store: Store, ids: Ids, number: number): Stored<PolicyDocument> {
	const { edgeId, routeId } = ids;
	const found = store.policyAtVersion(edgeId, routeId, number);
	if (found !== undefined) return found;
	const bounds = store.policyVersionsKept(edgeId, routeId);
	const kept =
		bounds === undefined
			? "none is kept (the configuration's versions.keep says how many are)"
			: `${bounds.oldest === bounds.newest ? `${bounds.newest} is the only one` : `${bounds.oldest} to ${bounds.newest} are`} kept`;
	throw new ApiError(
		"ERR_POLICY_VERSION_NOT_FOUND",
		`The policy of this route has no such version: ${kept}.`,
	);
}
