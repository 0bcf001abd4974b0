/** The part of the published description that is about versions of policies (`openapi.ts`). */
import * as answers from "./answers.ts";
import { answeredSchema, type Json, writtenSchema } from "./document-schemas.ts";
import { OF_A_BODY, OF_A_CHANGE, refusals } from "./openapi-errors.ts";
import { ETAG, SPREAD } from "./openapi-headers.ts";
import {
	CHANGED,
	committed,
	listOperation,
	needs,
	reference,
	response,
	warningHeaders,
	written,
} from "./openapi-operations.ts";
import { IF_MATCH, IF_NONE_MATCH, idParameter, REQUEST_FIELDS } from "./openapi-parameters.ts";
import { rollbackSchema } from "./resources/policy-versions.ts";

const POLICY = "/edges/https/{edge_id}/routes/{id}/policy";

const MISSING = ["ERR_POLICY_VERSION_NOT_FOUND"] as const;

const ROLLED_BACK: Json = {
	"policy-changed": {
		required: true,
		description: "false: the policy was that already, and nothing was stored.",
		schema: { type: "string", enum: ["true", "false"] },
	},
	"policy-version": {
		description: "Number of the newest version; absent where none are kept.",
		schema: { type: "integer", minimum: 1 },
	},
};

/** @param route parameters of a route's path */
export const versionPaths = (route: readonly Json[]): Json => ({
	[`${POLICY}/versions`]: listOperation(
		"ListedPolicyVersion",
		"versions",
		route,
		[],
		["ERR_POLICY_NOT_FOUND"],
	),
	[`${POLICY}/versions/{version}`]: {
		parameters: [...route, idParameter("version"), ...REQUEST_FIELDS],
		get: {
			operationId: "getPolicyVersion",
			...needs("read"),
			parameters: [IF_MATCH, IF_NONE_MATCH],
			responses: {
				"200": response("the policy as it was", reference("StoredPolicy"), ETAG),
				"304": response("the client has it", undefined, ETAG),
				...refusals("read", route, ["ERR_PRECONDITION_FAILED", ...MISSING]),
			},
		},
	},
	[`${POLICY}/rollback`]: {
		parameters: [...route, ...REQUEST_FIELDS],
		post: {
			operationId: "rollbackPolicy",
			...needs("admin"),
			parameters: CHANGED,
			requestBody: { required: true, content: written("Rollback", reference("Rollback")) },
			responses: {
				"200": response("as stored", reference("StoredPolicy"), { ...HEADERS, ...SPREAD }),
				...committed(reference("StoredPolicy"), HEADERS),
				...refusals("admin", route, [
					...OF_A_BODY,
					...OF_A_CHANGE,
					...MISSING,
					"ERR_TESTS_FAILED",
					"ERR_NOT_READY",
				]),
			},
		},
	},
});

const HEADERS: Json = { ...ETAG, ...warningHeaders("policy"), ...ROLLED_BACK };

export const VERSION_SCHEMAS: Json = {
	ListedPolicyVersion: answeredSchema(answers.listedPolicyVersionSchema, {}),
	Rollback: writtenSchema(rollbackSchema, {}),
};
