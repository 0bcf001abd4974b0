/**
 * Candidates (contract 2): `PUT`, `GET` and `DELETE …/policy/candidate`, which are `…/policy?candidate=true` too, its
 * report, and `POST …/policy/candidate/promote`. A candidate is checked as any policy, its tests are run.
 */
import { ApiError } from "../../errors.ts";
import { type Context, durableAndPublished } from "../context.ts";
import { originOf } from "../fleet/write-origin.ts";
import { isYaml } from "../http/media-types.ts";
import { json } from "../http/reply.ts";
import type { Handler, Methods } from "../http/router.ts";
import { preconditionOf } from "./conditions.ts";
import { flagOf } from "./pages.ts";
import { asSubmitted, noRoute, validPolicyIn } from "./policies.ts";
import { deleteDocument, readDocument } from "./stored-documents.ts";
import { warningHeaders } from "./warnings.ts";

const candidateNotFound = (): ApiError =>
	new ApiError(
		"ERR_CANDIDATE_NOT_FOUND",
		"This route has no candidate: PUT one at …/policy?candidate=true.",
	);

export function candidateMethods(context: Context): Methods {
	const { store } = context;
	return {
		GET: readDocument(
			({ edgeId, routeId }) => store.candidate(edgeId, routeId),
			(_ids, document) => document,
			candidateNotFound,
		),
		PUT: {
			operation: "putCandidate",
			role: "admin",
			takesBody: true,
			takesYaml: true,
			async run(request, { edgeId, routeId }, body) {
				const valid = await validPolicyIn(body, isYaml(request) ? "yaml" : "json", context);
				const { document, addressLists, warnings } = valid;
				const write = store
					.by(originOf(request))
					.putCandidate(edgeId, routeId, document, preconditionOf(request))
					.then((result) => asSubmitted(result, addressLists));
				const written = await durableAndPublished(context, request, write, candidateNotFound);
				const { stored, hasRoute } = written;
				const all = hasRoute === true ? warnings : [noRoute(edgeId, routeId), ...warnings];
				const { etag } = stored;
				return json(200, stored.document, { etag, ...warningHeaders("policy", all) });
			},
		},
		DELETE: deleteDocument(
			context,
			"deleteCandidate",
			(writes, { edgeId, routeId }, precondition) =>
				writes.deleteCandidate(edgeId, routeId, precondition),
			candidateNotFound,
		),
	};
}

/** Those of a policy, and with `candidate=true` those of its candidate. */
export function policyOrCandidate(policy: Methods, candidate: Methods): Methods {
	const either = (name: string, of: Handler): Handler => ({
		...of,
		run(request, ids, body) {
			const other = flagOf(request, "candidate") ? candidate[name] : undefined;
			request.notes.operation = other?.operation;
			return (other ?? of).run(request, ids, body);
		},
	});
	return Object.fromEntries(
		Object.entries(policy).map(([name, handler]) => [name, either(name, handler)]),
	);
}

export const candidateReportMethods = ({ store, live, fleet }: Context): Methods => ({
	GET: {
		role: "read",
		takesBody: false,
		run(_request, { edgeId, routeId }) {
			const stored = store.candidate(edgeId, routeId);
			if (stored === undefined) throw candidateNotFound();
			const note = fleet === undefined ? null : ALONE;
			return json(200, live.candidateReport(edgeId, routeId, stored.etag, note));
		},
	},
});

const ALONE =
	"Requests of this machine alone. The candidate runs on every machine of the fleet, and each has a report of its own.";

export const promoteMethods = (context: Context): Methods => ({
	POST: {
		operation: "promoteCandidate",
		role: "admin",
		takesBody: false,
		async run(request, { edgeId, routeId }) {
			const write = context.store
				.by(originOf(request))
				.promoteCandidate(edgeId, routeId, preconditionOf(request));
			const { stored } = await durableAndPublished(context, request, write, candidateNotFound);
			return json(200, stored.document, { etag: stored.etag });
		},
	},
});
