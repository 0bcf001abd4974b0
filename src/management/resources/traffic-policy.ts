/**
 * `PUT`, `GET` and `DELETE /edges/https/{edge_id}/routes/{id}/traffic_policy` (contract 2): the policy of a route in the
 * envelope of published clients, `{"enabled", "value"}`, whose `value` is the text of the document in JSON or YAML. What is
 * stored is the same policy as at `…/policy`.
 */
import { z } from "zod";
import { asProblems } from "../../documents/problems.ts";
import { ENABLED_AND_NOT } from "../../policy/document/wrappers.ts";
import { type Context, policyNotFound } from "../context.ts";
import { refusedDocument } from "../http/reply.ts";
import type { Methods } from "../http/router.ts";
import { documentIn } from "./documents.ts";
import { deletePolicy, storedPolicy, type ValidPolicy, validPolicyIn } from "./policies.ts";
import { readDocument } from "./stored-documents.ts";

export const trafficPolicySchema = z.strictObject({
	enabled: z
		.boolean()
		.optional()
		.describe("As in the policy; default: what the text says, or true."),
	value: z.string().describe("The policy as text, JSON or YAML."),
});

export function trafficPolicyMethods(context: Context): Methods {
	const { store } = context;
	const envelope = (document: ValidPolicy["document"]): object => ({
		enabled: document.enabled,
		value: JSON.stringify(document),
	});
	return {
		GET: readDocument(
			({ edgeId, routeId }) => store.policy(edgeId, routeId),
			(_ids, document) => envelope(document),
			policyNotFound,
		),
		PUT: {
			operation: "putTrafficPolicy",
			role: "admin",
			takesBody: true,
			async run(request, ids, body) {
				const { enabled, value } = documentIn(body, trafficPolicySchema, {}, "traffic policy");
				const valid = await validPolicyIn(Buffer.from(value), "text", context, "/value");
				const document = withEnabled(valid.document, enabled);
				return storedPolicy(context, request, ids, { ...valid, document }, envelope);
			},
		},
		DELETE: deletePolicy(context, "deleteTrafficPolicy"),
	};
}

/** @throws ApiError 400 where both say it, and not the same */
function withEnabled(
	document: ValidPolicy["document"],
	enabled: boolean | undefined,
): ValidPolicy["document"] {
	if (enabled === undefined || enabled === document.enabled) return document;
	if (document.enabled) return { ...document, enabled };
	throw refusedDocument("traffic policy", asProblems([ENABLED_AND_NOT], undefined));
}
