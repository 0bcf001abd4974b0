/**
 * `PUT`, `GET` and `DELETE /edges/https/{edge_id}/routes/{id}/policy` (contract 2, 3).
 * A policy may be stored before its edge or route exists.
 */
import { ApiError, type Problem } from "../../errors.ts";
import type { PolicyCheck } from "../../threads/policy-check.ts";
import { CheckerBusyError } from "../../threads/policy-checker.ts";
import { type Context, durableAndPublished, policyNotFound } from "../context.ts";
import { json, NO_CONTENT, refusedDocument } from "../http/reply.ts";
import type { Methods } from "../http/router.ts";
import { conditionalReply, preconditionOf } from "./conditions.ts";
import { notJson } from "./documents.ts";
import { warningHeaders } from "./warnings.ts";

export function policyMethods(context: Context): Methods {
	const { store } = context;
	return {
		GET: {
			role: "read",
			takesBody: false,
			run(request, { edgeId, routeId }) {
				const stored = store.policy(edgeId, routeId);
				if (stored === undefined) throw policyNotFound();
				return conditionalReply(request, stored.document, stored.etag);
			},
		},
		PUT: {
			operation: "putPolicy",
			role: "admin",
			takesBody: true,
			async run(request, { edgeId, routeId }, body) {
				const precondition = preconditionOf(request);
				const { document, warnings } = await validIn(body, context);
				const write = store.putPolicy(edgeId, routeId, document, precondition);
				const { stored, hasRoute } = await durableAndPublished(
					context,
					request,
					write,
					policyNotFound,
				);
				const all = hasRoute === true ? warnings : [noRoute(edgeId, routeId), ...warnings];
				const { document: answer, etag } = stored;
				return json(200, answer, { etag, ...warningHeaders("policy", all) });
			},
		},
		DELETE: {
			operation: "deletePolicy",
			role: "admin",
			takesBody: false,
			async run(request, { edgeId, routeId }) {
				const write = store.deletePolicy(edgeId, routeId, preconditionOf(request));
				await durableAndPublished(context, request, write, policyNotFound);
				return NO_CONTENT;
			},
		},
	};
}

const noRoute = (edgeId: string, routeId: string): Problem => ({
	pointer: "",
	code: "unattached_policy",
	message: `edge "${edgeId}" has no route "${routeId}": the policy takes effect when there is one`,
});

type Valid = Extract<PolicyCheck, { outcome: "valid" }>;

/** @throws ApiError 400 with every problem, 503 if the pool for large documents has no room */
async function validIn(body: Uint8Array, { policyChecker }: Context): Promise<Valid> {
	const check = await policyChecker.check(body).catch((error: unknown) => {
		if (!(error instanceof CheckerBusyError)) throw error;
		throw new ApiError("ERR_NOT_READY", "Too many large documents are being checked; try again.");
	});
	if (check.outcome === "not_json") throw notJson(check.error);
	if (check.outcome === "invalid") throw refusedDocument("policy", check.problems);
	return check;
}
