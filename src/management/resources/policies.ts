/**
 * `PUT`, `GET` and `DELETE /edges/https/{edge_id}/routes/{id}/policy` (contract 2, 3), and the steps that
 * `traffic-policy.ts` shares. A policy may be stored before its edge or route exists.
 */
import { ApiError, type Problem } from "../../errors.ts";
import type { WriteResult } from "../../store/store.ts";
import type { PolicyCheck, PolicyFormat } from "../../threads/policy-check.ts";
import { CheckerBusyError, type ReadDocument } from "../../threads/policy-checker.ts";
import { type Context, durableAndPublished, policyNotFound, type Written } from "../context.ts";
import { originOf } from "../fleet/write-origin.ts";
import { isYaml } from "../http/media-types.ts";
import { json, type Reply, refusedDocument } from "../http/reply.ts";
import type { ApiRequest } from "../http/request.ts";
import type { Handler, Ids, Methods } from "../http/router.ts";
import { preconditionOf } from "./conditions.ts";
import { notJson } from "./documents.ts";
import { deleteDocument, readDocument } from "./stored-documents.ts";
import { warningHeaders } from "./warnings.ts";

export function policyMethods(context: Context): Methods {
	const { store } = context;
	return {
		GET: readDocument(
			({ edgeId, routeId }) => store.policy(edgeId, routeId),
			(_ids, document) => document,
			policyNotFound,
		),
		PUT: {
			operation: "putPolicy",
			role: "admin",
			takesBody: true,
			takesYaml: true,
			async run(request, ids, body) {
				const valid = await validPolicyIn(body, isYaml(request) ? "yaml" : "json", context);
				return storedPolicy(context, request, ids, valid, (document) => document);
			},
		},
		DELETE: deletePolicy(context, "deletePolicy"),
	};
}

/**
 * @param answer what is answered of the document as it was stored
 * @param rolledBackTo the version that it is, of a rollback
 */
export async function storedPolicy(
	context: Context,
	request: ApiRequest,
	{ edgeId, routeId }: Ids,
	{ document, warnings, addressLists }: ValidPolicy,
	answer: (document: ValidPolicy["document"]) => object,
	rolledBackTo?: number,
): Promise<Reply> {
	const write = context.store
		.by(originOf(request))
		.putPolicy(edgeId, routeId, document, preconditionOf(request), rolledBackTo)
		.then((result) => asSubmitted(result, addressLists));
	const written = await durableAndPublished(context, request, write, policyNotFound);
	const { stored, hasRoute } = written;
	const all = hasRoute === true ? warnings : [noRoute(edgeId, routeId), ...warnings];
	const { etag } = stored;
	const rolledBack = rolledBackTo === undefined ? {} : rollbackHeaders(written);
	const headers = { etag, ...rolledBack, ...warningHeaders("policy", all) };
	return json(200, answer(stored.document), headers);
}

/** What a rollback did, beside the document. */
const rollbackHeaders = ({
	stored,
	before,
	version,
}: Written<unknown>): Record<string, string> => ({
	"policy-changed": String(before?.etag !== stored.etag),
	...(version === undefined ? {} : { "policy-version": String(version) }),
});

/** The store knows what it was given; clients are told the places in what they sent. */
export function asSubmitted<R extends WriteResult<unknown>>(
	result: R,
	submitted: ValidPolicy["addressLists"],
): R {
	if (!("refused" in result) || result.refused !== "lists_missing") return result;
	const missing = new Set(result.lists.map(({ name }) => name));
	return { ...result, lists: submitted.filter(({ name }) => missing.has(name)) };
}

/** @param operation its name in `/openapi.json` and in audit lines */
export const deletePolicy = (context: Context, operation: string): Handler =>
	deleteDocument(
		context,
		operation,
		(writes, { edgeId, routeId }, precondition) =>
			writes.deletePolicy(edgeId, routeId, precondition),
		policyNotFound,
	);

function testsFailed(problems: readonly Problem[]): ApiError {
	const count = problems.length === 1 ? "expectation" : "expectations";
	return new ApiError(
		"ERR_TESTS_FAILED",
		`The policy does not do what its tests say: ${problems.length} ${count} did not come true. Nothing was stored.`,
		problems,
	);
}

export const noRoute = (edgeId: string, routeId: string): Problem => ({
	pointer: "",
	code: "unattached_policy",
	message: `edge "${edgeId}" has no route "${routeId}": the policy takes effect when there is one`,
});

export type ValidPolicy = Extract<PolicyCheck, { outcome: "valid" }>;

/**
 * @param at where in the body the text stands, as a JSON pointer
 * @param tests whether the tests in the document are run
 * @throws ApiError 400 with every problem, 503 if the pool for large documents has no room
 */
export async function validPolicyIn(
	text: Uint8Array | ReadDocument,
	format: PolicyFormat,
	{ policyChecker }: Context,
	at = "",
	tests: "run" | "leave" = "run",
): Promise<ValidPolicy> {
	const check = await policyChecker.check(text, format, false, tests).catch((error: unknown) => {
		if (!(error instanceof CheckerBusyError)) throw error;
		throw new ApiError("ERR_NOT_READY", "Too many large documents are being checked; try again.");
	});
	if (check.outcome === "not_json") throw notJson(check.error, format, at);
	if (check.outcome !== "valid") {
		const place = ({ pointer, ...problem }: Problem) => ({ pointer: at + pointer, ...problem });
		const problems = check.problems.map(place);
		throw check.outcome === "invalid" ? refusedDocument("policy", problems) : testsFailed(problems);
	}
	const warnings = check.warnings.map((each) => ({ ...each, pointer: at + each.pointer }));
	const addressLists = check.addressLists.map((each) => ({ ...each, pointer: at + each.pointer }));
	return { ...check, warnings, addressLists };
}
