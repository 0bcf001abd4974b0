/**
 * What is made of a worker's options before its edge is put together of it: bounds, timeouts, policies, and what all
 * requests share. Called by `edge.ts`.
 */
import { descriptorShares, limitUpstreamDescriptors } from "../descriptors.ts";
import { ConnectionBound } from "../http/connection-bound.ts";
import type { AddressLists } from "../policy/address-lists.ts";
import type { RateLimiters } from "../policy/admission.ts";
import type { StoreReader } from "../store/store.ts";
import { StoreError } from "../store/store-error.ts";
import type { RuleCounts } from "../telemetry/traffic/rule-counts.ts";
import type { AccessLog } from "./access/access-log.ts";
import { Carrier } from "./access/carrier.ts";
import { RequestSpans } from "./access/request-spans.ts";
import { CandidateLimiters, Candidates } from "./candidates/candidates.ts";
import { ConnectionLimits, hasConnectionLimits } from "./connection-limits.ts";
import type { EdgeOptions } from "./edge-options.ts";
import type { ExpressionThreads } from "./policies/expression-threads.ts";
import { PolicyLoader } from "./policies/policy-loader.ts";
import { TrustedProxies } from "./request/client-address.ts";
import { ExplainTokens } from "./seen/explain-tokens.ts";
import { Services } from "./services.ts";
import type { BodyMemory } from "./slow/body-memory.ts";
import { IdleTimeouts } from "./slow/idle-timeouts.ts";
import { SlowClients } from "./slow/slow-clients.ts";

export const makeIdleTimeouts = (
	{ config, front }: EdgeOptions,
	memory: BodyMemory,
): IdleTimeouts => {
	const responseMemoryBytes = memory.limitBytes;
	const slowClients = new SlowClients({ ...config.slowClients, responseMemoryBytes });
	return new IdleTimeouts(config.timeouts.idleMs, slowClients, memory, front === undefined);
};

/** Clients and backends share the process's descriptors. */
const makeConnectionBound = ({ metrics, log }: EdgeOptions): ConnectionBound => {
	limitUpstreamDescriptors(descriptorShares());
	return ConnectionBound.of("data", metrics, log);
};

export const makePolicies = (
	options: EdgeOptions,
	threads: ExpressionThreads,
	addressLists: AddressLists,
): PolicyLoader => {
	const { reader, limiters, traffic } = options;
	return makeLoader(options, threads, addressLists, {
		reader,
		limiters,
		ruleCounts: traffic?.rules,
		message: "stored policy can't be run",
	});
};

/** Nobody counts the hits of their rules. */
export const makeCandidates = (
	options: EdgeOptions,
	threads: ExpressionThreads,
	addressLists: AddressLists,
	services: Services,
): Candidates => {
	const { reader, metrics } = options;
	const loader = makeLoader(options, threads, addressLists, {
		reader: { policy: (edgeId, routeId) => reader.candidate(edgeId, routeId) },
		limiters: new CandidateLimiters(options.limiters),
		message: "stored candidate can't be run",
	});
	return new Candidates(reader, loader, metrics, services);
};

interface Loaded {
	readonly reader: Pick<StoreReader, "policy">;
	readonly limiters: RateLimiters;
	readonly ruleCounts?: RuleCounts | undefined;
	readonly message: string;
}

const makeLoader = (
	options: EdgeOptions,
	threads: ExpressionThreads,
	addressLists: AddressLists,
	{ reader, limiters, ruleCounts, message }: Loaded,
): PolicyLoader => {
	const { config, prepare, programs, log } = options;
	let isLossSaid = false;
	return new PolicyLoader({
		reader,
		prepare,
		programs,
		threads,
		context: {
			limiters,
			addressLists,
			ipv6Prefix: config.rateLimits.ipv6Prefix,
			expressionErrors: config.expressionErrors,
			ruleCounts,
		},
		onBroken: (edgeId, routeId, error) => {
			// If the store is lost, every request that opens a policy fails in the same way.
			if (isLossSaid && error instanceof StoreError && error.lost) return;
			isLossSaid ||= error instanceof StoreError && error.lost;
			log.error({ err: error, edge: edgeId, route: routeId }, message);
		},
	});
};

export function makeServices(options: EdgeOptions, accessLog: AccessLog): Services {
	const { config, log, metrics, traffic, geo, evaluator, front } = options;
	const trustedProxies = new TrustedProxies(config.trustedProxies);
	const carrier = new Carrier(config);
	const { seen: tell = () => {}, reader } = options;
	const isBound = front !== undefined && hasConnectionLimits(config);
	return new Services({
		connections: makeConnectionBound(options),
		metrics,
		traffic,
		log,
		geo,
		connectionLimits: isBound
			? new ConnectionLimits(config, trustedProxies, metrics, log)
			: undefined,
		trustedProxies,
		evaluator,
		accessLog,
		carrier,
		explainTokens: new ExplainTokens({ carrier, revision: () => reader.version(), tell }),
		spans: options.spans === undefined ? undefined : new RequestSpans(options.spans),
		front,
	});
}
