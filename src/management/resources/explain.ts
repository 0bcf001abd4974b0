/**
 * `POST /explain` and `POST …/policy/explain`: what weir would do with a request, rule by rule, and why (contract 2,
 * "Explain"). Changes and counts nothing, so it takes the role `read` and leaves no audit line.
 */
import { ApiError } from "../../errors.ts";
import {
	ExplainerBusyError,
	type NamedRoute,
	UnreadableUrlError,
} from "../../explain/explainer.ts";
import { explainSchema } from "../../explain/shapes.ts";
import type { PolicyDocument } from "../../policy/document/schema.ts";
import { type Context, missingList, routeNotFound } from "../context.ts";
import { json, type Reply, refusedDocument } from "../http/reply.ts";
import type { Handler, Methods } from "../http/router.ts";
import { documentIn } from "./documents.ts";
import { validPolicyIn } from "./policies.ts";

const POLICY_AT = "/policy";

const asking = (run: Handler["run"]): Methods => ({ POST: { role: "read", takesBody: true, run } });

export const explainMethods = (context: Context): Methods =>
	asking((_request, _ids, body) => explained(context, body));

export const routeExplainMethods = (context: Context): Methods =>
	asking((_request, { edgeId, routeId }, body) => explained(context, body, { edgeId, routeId }));

async function explained(context: Context, body: Uint8Array, named?: NamedRoute): Promise<Reply> {
	const question = documentIn(body, explainSchema, {}, "question");
	const given =
		question.policy === undefined ? undefined : await givenPolicy(context, question.policy);
	const explanation = await context.explainer.explain(question, given, named).catch(refused);
	if (explanation === undefined) throw routeNotFound();
	return json(200, explanation);
}

/** Its tests are not run: explained may be why one fails. @throws ApiError 400 as PUT would refuse it, with places in the question */
async function givenPolicy(context: Context, policy: unknown): Promise<PolicyDocument> {
	const text = Buffer.from(JSON.stringify(policy));
	const { document, addressLists } = await validPolicyIn(text, "json", context, POLICY_AT, "leave");
	const known = new Set(addressLists.length === 0 ? [] : context.store.ipListIds());
	const missing = addressLists.filter(({ name }) => !known.has(name));
	if (missing.length > 0) throw refusedDocument("policy", missing.map(missingList));
	return document;
}

function refused(error: unknown): never {
	if (error instanceof UnreadableUrlError) {
		const problem = { pointer: "/request/url", code: "invalid_url", message: error.message };
		throw refusedDocument("question", [problem]);
	}
	if (!(error instanceof ExplainerBusyError)) throw error;
	throw new ApiError(
		"ERR_NOT_READY",
		`This request could not be explained now: ${error.message}. Try again.`,
	);
}
