/**
 * The data path of one worker process: everything between the listening sockets and the backends. Started, updated
 * and stopped by `process/worker/worker.ts`.
 */

import { closeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Config } from "../config.ts";
import { descriptorShares, limitUpstreamDescriptors } from "../descriptors.ts";
import { ConnectionBound } from "../http/connection-bound.ts";
import type { Front } from "../http/front.ts";
import type { AddressLists } from "../policy/address-lists.ts";
import type { RateLimiters } from "../policy/admission.ts";
import type { preparePolicy } from "../policy/rules/compile.ts";
import type { Change, StoreReader } from "../store/store.ts";
import { StoreError } from "../store/store-error.ts";
import type { Log } from "../telemetry/log.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { WorkerTraffic } from "../telemetry/traffic/worker-traffic.ts";
import type { Evaluator } from "../threads/expression-evaluator.ts";
import type { ProgramMaker } from "../threads/program-maker.ts";
import type { UpstreamFactory } from "../upstream/upstream.ts";
import { ConnectionLimits, hasConnectionLimits } from "./connection-limits.ts";
import { Draining } from "./draining.ts";
import type { Geo, GeoFile } from "./geo.ts";
import { Pipeline } from "./pipeline.ts";
import { WorkerAddressLists } from "./policies/address-lists.ts";
import { ExpressionThreads } from "./policies/expression-threads.ts";
import { PolicyLoader } from "./policies/policy-loader.ts";
import { TrustedProxies } from "./request/client-address.ts";
import { RouteTable } from "./routing/route-table.ts";
import { Server } from "./server.ts";
import { Services } from "./services.ts";
import { BodyMemory } from "./slow/body-memory.ts";
import { IdleTimeouts } from "./slow/idle-timeouts.ts";
import { SlowClients } from "./slow/slow-clients.ts";
import type { TicketSecrets } from "./tls/ticket-key.ts";
import { WorkerTickets } from "./tls/worker-tickets.ts";
import { workerBackends } from "./worker-backends.ts";

interface EdgeOptions {
	readonly config: Config;
	readonly reader: StoreReader;
	readonly limiters: RateLimiters;
	readonly prepare: typeof preparePolicy;
	readonly upstreamFactory: UpstreamFactory;
	readonly log: Log;
	readonly metrics: Metrics;
	/** what is counted of each request; without one nobody asks */
	readonly traffic?: WorkerTraffic | undefined;
	readonly geo: Geo & Partial<GeoFile>;
	/** serves clients in place of the server library; without it the library serves them alone */
	readonly front?: Front | undefined;
	/** secrets for session tickets that all workers share; undefined: each listener makes its own */
	readonly tickets?: TicketSecrets | undefined;
	/** descriptors to accept from, for each listener; none: the server library binds for itself */
	readonly sockets?: readonly (readonly number[])[] | undefined;
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
	/** What is read of files besides listeners' certificates and is not what was read, by its setting; see `renew`. */
	readonly stale: readonly string[];
	/**
	 * Takes over a configuration that differs in `log` and in these listeners only. Each gets a new app on the same
	 * sockets; connections of the old one go on.
	 * @param places in `listen` @throws Error if a certificate can't be used; then that listener stays
	 */
	renew(config: Config, places: readonly number[]): Promise<void>;
	/**
	 * Stops accepting and lets requests in flight finish, for `timeoutMs` at most (0: as long as it takes); then closes
	 * every connection. Answers meanwhile say `connection: close`.
	 */
	drain(timeoutMs: number): Promise<void>;
	/** A drain that goes on closes every connection now. */
	hurry(): void;
	/** What requests are being worked on, and which were refused since the last call. */
	takeLive: Services["takeLive"];
	/** different ones that are compiled */
	readonly policiesInUse: number;
	/** bound ports in the order of `config.listen` */
	readonly ports: readonly number[];
}

/** milliseconds that connections to backends have to end */
const LINGER_MS = 100;

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
	const { config, reader, prepare, programs, limiters, log, traffic } = options;
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
			ruleCounts: traffic?.rules,
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
	const { config, reader, log, metrics, geo, evaluator, front } = options;
	const trustedProxies = new TrustedProxies(config.trustedProxies);
	const isBound = front !== undefined && hasConnectionLimits(config);
	const services = new Services({
		connections: makeConnectionBound(options),
		metrics,
		traffic: options.traffic,
		log,
		geo,
		connectionLimits: isBound
			? new ConnectionLimits(config, trustedProxies, metrics, log)
			: undefined,
		trustedProxies,
		evaluator,
		accessLog: config.log.access,
		front,
	});
	const memory = new BodyMemory(config.limits.bodyMemoryBytes);
	const idleTimeouts = makeIdleTimeouts(options, memory);
	const backends = workerBackends(options, memory, services);
	const threads = new ExpressionThreads(evaluator);
	const lists = new WorkerAddressLists(reader);
	const policies = makePolicies(options, threads, lists);
	const table = new RouteTable({
		reader,
		backends,
		policies,
		removed: (route) => services.traffic.routes.release(route),
	});
	const pipeline = new Pipeline(table, services, idleTimeouts);
	const tickets = new WorkerTickets(options.tickets, log);
	const servers: Server[] = [];
	/** their connections go on */
	const retired: Server[] = [];
	const draining = new Draining({ services, front: options.front, metrics, log });
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
			for (const [index, server] of servers.entries()) {
				const inherited = options.sockets?.[index] ?? [];
				await server.listen(tickets, inherited);
				for (const socket of inherited) closeSync(socket);
				// Told to leave meanwhile: what waits there is for others.
				if (services.draining) server.stopAccepting();
			}
			return servers.every(({ hasFront }) => hasFront);
		},
		get stale() {
			return [
				...(geo.isFresh === false ? ["geo.database"] : []),
				...(backends.areFresh ? [] : ["files of a backend's tls"]),
			];
		},
		async renew(next, places) {
			services.accessLog = next.log.access;
			for (const place of places) {
				const [listener, old] = [next.listen[place], servers[place]];
				if (listener === undefined || old === undefined) continue;
				const server = new Server(listener, next, pipeline, services);
				await server.listen(tickets, old.descriptors);
				old.stopAccepting();
				if (services.draining) server.stopAccepting();
				retired.push(old);
				servers[place] = server;
			}
		},
		async drain(timeoutMs) {
			services.draining = true;
			await draining.acceptWaiting();
			for (const server of servers) server.stopAccepting();
			await draining.wait(timeoutMs);
			for (const server of [...servers, ...retired]) server.close();
			await Promise.race([backends.close(), delay(LINGER_MS)]);
			await log.flush();
		},
		hurry: () => draining.hurry(),
		takeLive: () => services.takeLive(),
		get policiesInUse() {
			return policies.inUse;
		},
		get ports() {
			return servers.map(({ port }) => port);
		},
	};
}
