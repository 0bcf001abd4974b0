/**
 * The data path of one worker process: everything between the listening sockets and the backends. Started, updated
 * and stopped by `process/worker/worker.ts`.
 */
import type { Config } from "../config.ts";
import { descriptorShares, limitUpstreamDescriptors } from "../descriptors.ts";
import { ConnectionBound } from "../http/connection-bound.ts";
import type { Front } from "../http/front.ts";
import { LIMITS } from "../limits/limits.ts";
import type { AddressLists } from "../policy/address-lists.ts";
import type { RateLimiters } from "../policy/admission.ts";
import type { preparePolicy } from "../policy/rules/compile.ts";
import type { Change, StoreReader } from "../store/store.ts";
import { StoreError } from "../store/store-error.ts";
import type { Log } from "../telemetry/log.ts";
import { type CounterSeries, type Metrics, series } from "../telemetry/metrics.ts";
import type { Evaluator } from "../threads/expression-evaluator.ts";
import type { ProgramMaker } from "../threads/program-maker.ts";
import { connectionLimit } from "../upstream/connection-limit.ts";
import type { UpstreamFactory, UpstreamFailure, UpstreamOptions } from "../upstream/upstream.ts";
import type { Geo } from "./geo.ts";
import { Pipeline } from "./pipeline.ts";
import { WorkerAddressLists } from "./policies/address-lists.ts";
import { ExpressionThreads } from "./policies/expression-threads.ts";
import { PolicyLoader } from "./policies/policy-loader.ts";
import type { UpstreamLog } from "./proxying/upstream-log.ts";
import { TrustedProxies } from "./request/client-address.ts";
import { Backends } from "./routing/backends.ts";
import { RouteTable } from "./routing/route-table.ts";
import { Server } from "./server.ts";
import { Services } from "./services.ts";
import { BodyMemory } from "./slow/body-memory.ts";
import { IdleTimeouts } from "./slow/idle-timeouts.ts";
import { SlowClients } from "./slow/slow-clients.ts";
import type { TicketSecrets } from "./tls/ticket-key.ts";
import { WorkerTickets } from "./tls/worker-tickets.ts";

interface EdgeOptions {
	readonly config: Config;
	readonly reader: StoreReader;
	readonly limiters: RateLimiters;
	readonly prepare: typeof preparePolicy;
	readonly upstreamFactory: UpstreamFactory;
	readonly log: Log;
	readonly metrics: Metrics;
	readonly geo: Geo;
	/** reads clients before the server library does; without it the library reads them alone */
	readonly front?: Front | undefined;
	/** secrets for session tickets that all workers share; undefined: each listener makes its own */
	readonly tickets?: TicketSecrets | undefined;
	/** settles what is too expensive for the event loop */
	readonly evaluator: Evaluator;
	/** compiles what is too long for the event loop */
	readonly programs: ProgramMaker;
}

export interface Edge {
	/** Reads all edges and routes; to be called once, before `listen`. */
	load(): void;
	/**
	 * Compiles the policies that `apply` will need, in small slices between requests.
	 * @param onProgress called after each slice
	 */
	prepare(changes: readonly Change[], onProgress: () => void): Promise<void>;
	/** Takes the changes over: requests that start after it returns see them. */
	apply(changes: readonly Change[]): void;
	/** The supervisor has other secrets for session tickets. */
	setTickets(secrets: TicketSecrets): void;
	/**
	 * Resolves when every listener accepts, with whether the front reads all of their clients.
	 * @throws Error if an address or certificate can't be used
	 */
	listen(): Promise<boolean>;
	/**
	 * Stops accepting and lets requests in flight finish, for `timeoutMs` at most; then closes every
	 * connection. Answers meanwhile say `connection: close`.
	 */
	drain(timeoutMs: number): Promise<void>;
	/** bound ports in the order of `config.listen` */
	readonly ports: readonly number[];
}

/** milliseconds that the kernel has for the last written bytes before connections are closed */
const LINGER_MS = 100;

const delay = (milliseconds: number): Promise<void> =>
	new Promise((resolve) => setTimeout(resolve, milliseconds));

const FAILURES: Readonly<Record<UpstreamFailure, CounterSeries>> = {
	connect: series("weir_upstream_errors_total", { reason: "connect" }),
	broken: series("weir_upstream_errors_total", { reason: "broken" }),
	timeout: series("weir_upstream_errors_total", { reason: "timeout" }),
	queue_full: series("weir_upstream_errors_total", { reason: "queue_full" }),
};
const RETRIES = series("weir_upstream_retries_total", {});

const makeBackends = (
	{ config, upstreamFactory, metrics }: EdgeOptions,
	memory: BodyMemory,
	upstreamLog: UpstreamLog,
): Backends => {
	const options: UpstreamOptions = {
		connectTimeoutMs: config.timeouts.upstreamConnectMs,
		responseTimeoutMs: config.timeouts.upstreamResponseMs,
		idleTimeoutMs: config.timeouts.idleMs,
		connections: connectionLimit(descriptorShares().clients, config.workers),
		queue: LIMITS.upstreamQueue,
		onAttemptFailed: (failure, address, message) => {
			metrics.add(FAILURES[failure]);
			upstreamLog.attemptFailed(failure, address, message);
		},
		onRetry: () => metrics.add(RETRIES),
	};
	const factory: UpstreamFactory = (document, each) => {
		if (document.tls?.verify === false) upstreamLog.unverified(document.urls);
		return upstreamFactory(document, each);
	};
	return new Backends(factory, options, memory);
};

const makeIdleTimeouts = ({ config, front }: EdgeOptions, memory: BodyMemory): IdleTimeouts => {
	const responseMemoryBytes = memory.limitBytes;
	const slowClients = new SlowClients({ ...config.slowClients, responseMemoryBytes });
	return new IdleTimeouts(config.timeouts.idleMs, slowClients, memory, front === undefined);
};

/** Clients and backends share the process's descriptors. */
const makeConnectionBound = ({ metrics, log }: EdgeOptions): ConnectionBound => {
	limitUpstreamDescriptors(descriptorShares());
	return ConnectionBound.of("data", metrics, log);
};

const makePolicies = (
	options: EdgeOptions,
	threads: ExpressionThreads,
	addressLists: AddressLists,
): PolicyLoader => {
	const { config, reader, prepare, programs, limiters, log } = options;
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
		},
		onBroken: (edgeId, routeId, error) => {
			// If the store is lost, every request that opens a policy fails in the same way.
			if (isLossSaid && error instanceof StoreError && error.lost) return;
			isLossSaid ||= error instanceof StoreError && error.lost;
			log.error({ err: error, edge: edgeId, route: routeId }, "stored policy can't be run");
		},
	});
};

export function createEdge(options: EdgeOptions): Edge {
	const { config, reader, log, metrics, geo, evaluator } = options;
	const services = new Services({
		connections: makeConnectionBound(options),
		metrics,
		log,
		geo,
		trustedProxies: new TrustedProxies(config.trustedProxies),
		evaluator,
		accessLog: config.log.access,
		front: options.front,
	});
	const memory = new BodyMemory(config.limits.bodyMemoryBytes);
	const idleTimeouts = makeIdleTimeouts(options, memory);
	const backends = makeBackends(options, memory, services.upstreamLog);
	const threads = new ExpressionThreads(evaluator);
	const lists = new WorkerAddressLists(reader);
	const policies = makePolicies(options, threads, lists);
	const table = new RouteTable({ reader, backends, policies });
	const pipeline = new Pipeline(table, services, idleTimeouts);
	const tickets = new WorkerTickets(options.tickets, log);
	const servers: Server[] = [];
	return {
		load() {
			lists.load();
			table.load();
		},
		async prepare(changes, onProgress) {
			await lists.prepare(changes, onProgress);
			await policies.prepare([...table.policiesOf(changes)], onProgress);
		},
		apply(changes) {
			// before policies that may name them
			lists.apply();
			table.apply(changes);
			policies.forgetPrepared();
		},
		setTickets: (secrets) => tickets.set(secrets),
		async listen() {
			await threads.ready();
			for (const listener of config.listen) {
				servers.push(new Server(listener, config, pipeline, services));
			}
			for (const server of servers) await server.listen(tickets);
			return servers.every(({ hasFront }) => hasFront);
		},
		async drain(timeoutMs) {
			services.draining = true;
			for (const server of servers) server.stopAccepting();
			await Promise.race([services.idle(), delay(timeoutMs)]);
			if (services.inFlight === 0) await delay(LINGER_MS);
			for (const server of servers) server.close();
			await Promise.race([backends.close(), delay(LINGER_MS)]);
			await log.flush();
		},
		get ports() {
			return servers.map(({ port }) => port);
		},
	};
}
