/** The part of the published description that is about candidates (`openapi.ts`): their paths. */
import type { Json } from "./document-schemas.ts";
import { OF_A_CHANGE, refusals } from "./openapi-errors.ts";
import { ETAG, SPREAD } from "./openapi-headers.ts";
import {
	documentOperations,
	needs,
	readOperation,
	reference,
	response,
} from "./openapi-operations.ts";
import { IF_MATCH, IF_NONE_MATCH, REQUEST_FIELDS, WAIT } from "./openapi-parameters.ts";

const PATH = "/edges/https/{edge_id}/routes/{id}/policy/candidate";
const MISSING = ["ERR_CANDIDATE_NOT_FOUND"] as const;

export const candidatePaths = (route: readonly Json[]): Json => ({
	[PATH]: documentOperations("Candidate", route, false, {
		get: MISSING,
		put: ["ERR_NOT_READY", "ERR_TESTS_FAILED"],
		delete: MISSING,
	}),
	[`${PATH}/report`]: readOperation("getCandidateReport", route, "CandidateReport", MISSING),
	[`${PATH}/promote`]: {
		parameters: [...route, ...REQUEST_FIELDS],
		post: {
			operationId: "promoteCandidate",
			...needs("admin"),
			parameters: [IF_MATCH, IF_NONE_MATCH, ...WAIT],
			responses: {
				"200": response("the policy that is in force now", reference("StoredPolicy"), {
					...ETAG,
					...SPREAD,
				}),
				"202": response(
					"committed; not every machine has said in time that it has it",
					reference("StoredPolicy"),
					{ ...ETAG, ...SPREAD },
				),
				...refusals("admin", route, [...OF_A_CHANGE, ...MISSING]),
			},
		},
	},
});

/** A candidate is a policy. */
export const CANDIDATE_SCHEMAS: Json = {
	Candidate: reference("Policy"),
	StoredCandidate: reference("StoredPolicy"),
};
