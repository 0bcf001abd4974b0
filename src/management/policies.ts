/**
 * `PUT`, `GET` and `DELETE /edges/https/{edge_id}/routes/{id}/policy` (specification 4, contract 2, 3).
 * A policy may be stored before its edge or route exists.
 */
import { validatePolicy } from "../policy/validate.ts";
import { conditionalReply, preconditionOf } from "./conditions.ts";
import { type Context, durableAndPublished, policyNotFound } from "./context.ts";
import { jsonIn } from "./documents.ts";
import { json, NO_CONTENT, refusedDocument } from "./reply.ts";
import type { Methods } from "./router.ts";

export function policyMethods(context: Context): Methods {
	const { store, limits } = context;
	return {
		GET: {
			takesBody: false,
			run(request, { edgeId, routeId }) {
				const stored = store.policy(edgeId, routeId);
				if (stored === undefined) throw policyNotFound();
				return conditionalReply(request, stored.document, stored.etag);
			},
		},
		PUT: {
			takesBody: true,
			async run(request, { edgeId, routeId }, body) {
				const precondition = preconditionOf(request);
				const valid = validatePolicy(jsonIn(body), { rulesPerPhase: limits.rules });
				if (!valid.ok) throw refusedDocument("policy", valid.error);
				const { document, warnings } = valid.value;
				const write = store.putPolicy(edgeId, routeId, document, precondition);
				const { stored } = await durableAndPublished(context, write, policyNotFound);
				const counted = warnings.length === 0 ? {} : { "policy-warnings": `${warnings.length}` };
				return json(200, stored.document, { etag: stored.etag, ...counted });
			},
		},
		DELETE: {
			takesBody: false,
			async run(request, { edgeId, routeId }) {
				const write = store.deletePolicy(edgeId, routeId, preconditionOf(request));
				await durableAndPublished(context, write, policyNotFound);
				return NO_CONTENT;
			},
		},
	};
}
