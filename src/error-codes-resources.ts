/**
 * The part of the table of error codes that is about resources of the management API which there are not (404), which
 * stand in one another's way (409), or which say themselves that something is wrong with them (422) (contract 2, 3). A part of `ERROR_CODES` (`error-codes.ts`).
 */
import { FLEET_CONFLICT_CODES, FLEET_MISSING_CODES } from "./error-codes-fleet.ts";

export const MISSING_CODES = {
	ERR_EDGE_NOT_FOUND: {
		status: 404,
		origin: "api",
		cause: "There is no edge with this id.",
		remedy: "Create the edge first, or mend the id.",
	},
	ERR_ROUTE_NOT_FOUND: {
		status: 404,
		origin: "api",
		cause: "The edge has no route with this id.",
		remedy: "Create the route first, or mend the id.",
	},
	ERR_POLICY_NOT_FOUND: {
		status: 404,
		origin: "api",
		cause: "The route has no policy.",
		remedy: "PUT one if the route should have one.",
	},
	ERR_POLICY_VERSION_NOT_FOUND: {
		status: 404,
		origin: "api",
		cause: "The route's policy has no version of this number, or not any more.",
		remedy:
			"`GET …/policy/versions` lists those that are kept; `versions.keep` says how many that are.",
	},
	ERR_CANDIDATE_NOT_FOUND: {
		status: 404,
		origin: "api",
		cause:
			"The route has no candidate for its policy: none was put, or it was promoted or dropped.",
		remedy: "PUT one at `…/policy?candidate=true`.",
	},
	ERR_RATE_LIMIT_NOT_FOUND: {
		status: 404,
		origin: "api",
		cause: "The route's policy has no rate-limit of this number.",
		remedy: "`GET …/rate-limits` shows those that there are, with their `id`.",
	},
	ERR_DECISION_NOT_FOUND: {
		status: 404,
		origin: "api",
		cause:
			"No refusal and no explanation of a request with this id is known: it was not refused, or so many were since then that it is forgotten.",
		remedy:
			"Look for the id in the access log; `decisions.keep` says how many refusals are kept. `POST /explain-tokens` has requests that pass explained too.",
	},
	ERR_IP_LIST_NOT_FOUND: {
		status: 404,
		origin: "api",
		cause: "There is no address list with this id.",
		remedy: "Create the list first, or mend the id; `GET /ip-lists` shows those that there are.",
	},
	...FLEET_MISSING_CODES,
} as const;

export const CONFLICT_CODES = {
	ERR_HOSTPORT_CONFLICT: {
		status: 409,
		origin: "api",
		cause: "Another edge has one of the hostports.",
		remedy: "Remove it there first; `msg` names the edge.",
	},
	ERR_TOO_MANY_EXPLAIN_TOKENS: {
		status: 409,
		origin: "api",
		cause: "As many tokens for explanations live as there may be.",
		remedy: "Use one of them, or ask again when one has expired; a shorter `ttl_seconds` helps.",
	},
	ERR_MATCH_CONFLICT: {
		status: 409,
		origin: "api",
		cause: "Another route of the edge has the same match.",
		remedy: "Change or delete that route first; `msg` names it.",
	},
	ERR_TRANSACTION_REFUSED: {
		status: 409,
		origin: "api",
		cause:
			"Operations of a transaction can't be done with what is stored; none of the transaction was.",
		remedy:
			"`problems` has each of them: its place and the code that it would be refused with alone. Mend those, or read what is stored again.",
	},
	ERR_IP_LIST_IN_USE: {
		status: 409,
		origin: "api",
		cause: "Policies name the address list that is to be deleted.",
		remedy: "Take it out of the policies that `msg` names, then delete it.",
	},
	ERR_IP_LIST_FULL: {
		status: 409,
		origin: "api",
		cause:
			"There would be more address lists, or more entries, than there may be; `msg` has the numbers.",
		remedy:
			"Remove entries or lists that nobody needs, or write neighbouring addresses as one range.",
	},
	...FLEET_CONFLICT_CODES,
} as const;

export const CONTENT_CODES = {
	ERR_TESTS_FAILED: {
		status: 422,
		origin: "api",
		cause: "The policy is valid, but does not do what the tests in it expect.",
		remedy:
			"`problems` names each expectation and what came instead: mend the rules or the test; `weir test FILE` runs them here.",
	},
} as const;
