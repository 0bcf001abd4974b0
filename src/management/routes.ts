/** Every path of the API with its methods: the one table that `server.ts` routes by. */
import type { Context } from "./context.ts";
import { FLEET_LOG_PATH, fleetLogMethods } from "./fleet/fleet-log.ts";
import { fleetMemberMethods } from "./fleet/fleet-members.ts";
import { FLEET_PATH, fleetMethods } from "./fleet/fleet-view.ts";
import { EXPLAIN_PATH, POLICY_CHECK_PATH, POLICY_EXPLAIN, UI_PATH } from "./http/public-paths.ts";
import type { Route } from "./http/router.ts";
import { operationRoutes } from "./operations.ts";
import {
	candidateMethods,
	candidateReportMethods,
	policyOrCandidate,
	promoteMethods,
} from "./resources/candidates.ts";
import { DECISIONS_PATH, decisionMethods } from "./resources/decisions.ts";
import { EDGES_PATH, edgeListMethods, edgeMethods } from "./resources/edges.ts";
import { explainMethods, routeExplainMethods } from "./resources/explain.ts";
import { EXPLAIN_TOKENS_PATH, explainTokenMethods } from "./resources/explain-tokens.ts";
import {
	IP_LISTS_PATH,
	ipListEntriesMethods,
	ipListListMethods,
	ipListMethods,
} from "./resources/ip-lists.ts";
import {
	LIVE_PATH,
	liveEventMethods,
	liveLimitMethods,
	liveRefusalMethods,
	liveRouteMethods,
	policyHitMethods,
} from "./resources/live.ts";
import { policyMethods } from "./resources/policies.ts";
import { policyCheckMethods } from "./resources/policy-check.ts";
import { POLICY_LANGUAGE_PATH, policyLanguageMethods } from "./resources/policy-language.ts";
import { POLICIES_PATH, policyListMethods } from "./resources/policy-list.ts";
import {
	rollbackMethods,
	versionListMethods,
	versionMethods,
} from "./resources/policy-versions.ts";
import { rateLimitKeyMethods, rateLimitListMethods } from "./resources/rate-limits.ts";
import { routeListMethods, routeMethods } from "./resources/routes.ts";
import { trafficPolicyMethods } from "./resources/traffic-policy.ts";
import { TRANSACTIONS_PATH, transactionMethods } from "./resources/transactions.ts";
import { uiMethods } from "./ui/ui-pages.ts";

const edgePath = `${EDGES_PATH}/{edge_id}`;
const policyPath = `${edgePath}/routes/{id}/policy`;

export const routesOf = (context: Context): readonly Route[] => [
	{
		pattern: policyPath,
		methods: policyOrCandidate(policyMethods(context), candidateMethods(context)),
	},
	{ pattern: `${policyPath}/candidate`, methods: candidateMethods(context) },
	{ pattern: `${policyPath}/candidate/report`, methods: candidateReportMethods(context) },
	{ pattern: `${policyPath}/candidate/promote`, methods: promoteMethods(context) },
	{
		pattern: `${edgePath}/routes/{id}${POLICY_EXPLAIN}`,
		methods: routeExplainMethods(context),
	},
	{ pattern: `${policyPath}/hits`, methods: policyHitMethods(context) },
	{ pattern: `${policyPath}/versions`, methods: versionListMethods(context) },
	{ pattern: `${policyPath}/versions/{version}`, methods: versionMethods(context) },
	{ pattern: `${policyPath}/rollback`, methods: rollbackMethods(context) },
	{
		pattern: `${edgePath}/routes/{id}/traffic_policy`,
		methods: trafficPolicyMethods(context),
	},
	{ pattern: `${edgePath}/routes/{id}/rate-limits`, methods: rateLimitListMethods(context) },
	{
		pattern: `${edgePath}/routes/{id}/rate-limits/{limit}/keys/{key}`,
		methods: rateLimitKeyMethods(context),
	},
	{ pattern: `${edgePath}/routes/{id}`, methods: routeMethods(context) },
	{ pattern: `${edgePath}/routes`, methods: routeListMethods(context) },
	{ pattern: edgePath, methods: edgeMethods(context) },
	{ pattern: EDGES_PATH, methods: edgeListMethods(context) },
	{ pattern: POLICIES_PATH, methods: policyListMethods(context) },
	{ pattern: `${IP_LISTS_PATH}/{list_id}/entries`, methods: ipListEntriesMethods(context) },
	{ pattern: `${IP_LISTS_PATH}/{list_id}`, methods: ipListMethods(context) },
	{ pattern: IP_LISTS_PATH, methods: ipListListMethods(context) },
	{ pattern: EXPLAIN_PATH, methods: explainMethods(context) },
	{ pattern: EXPLAIN_TOKENS_PATH, methods: explainTokenMethods(context) },
	{ pattern: FLEET_PATH, methods: fleetMethods(context) },
	{ pattern: FLEET_LOG_PATH, methods: fleetLogMethods(context) },
	{ pattern: `${FLEET_PATH}/members/{member_id}`, methods: fleetMemberMethods(context) },
	{ pattern: TRANSACTIONS_PATH, methods: transactionMethods(context) },
	{ pattern: POLICY_CHECK_PATH, methods: policyCheckMethods(context) },
	{ pattern: POLICY_LANGUAGE_PATH, methods: policyLanguageMethods(context) },
	{ pattern: `${LIVE_PATH}/events`, methods: liveEventMethods(context) },
	{ pattern: `${LIVE_PATH}/routes`, methods: liveRouteMethods(context) },
	{ pattern: `${LIVE_PATH}/refusals`, methods: liveRefusalMethods(context) },
	{ pattern: `${DECISIONS_PATH}/{key}`, methods: decisionMethods(context) },
	{ pattern: `${LIVE_PATH}/limits`, methods: liveLimitMethods(context) },
	{ pattern: `${UI_PATH}/{key}`, methods: uiMethods(context) },
	...operationRoutes(context),
];
