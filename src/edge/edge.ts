/**
 * The data path of one worker process: everything between the listening sockets and the backends. Started, updated
 * and stopped by `process/worker/worker.ts`.
 */

import { closeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Config } from "../config.ts";
import { LIMITS } from "../limits/limits.ts";
import type { Change } from "../store/store.ts";
import { AccessLog } from "./access/access-log.ts";
import { Draining } from "./draining.ts";
import type { EdgeOptions } from "./edge-options.ts";
import { makeCandidates, makeIdleTimeouts, makePolicies, makeServices } from "./edge-parts.ts";
import { Pipeline } from "./pipeline.ts";
import { WorkerAddressLists } from "./policies/address-lists.ts";
import { ExpressionThreads } from "./policies/expression-threads.ts";
import { RouteTable } from "./routing/route-table.ts";
import type { LiveToken } from "./seen/seen-request.ts";
import { Server } from "./server.ts";
import type { Services } from "./services.ts";
import { BodyMemory } from "./slow/body-memory.ts";
import { StandingRefusals } from "./standing/standing-refusals.ts";
import type { TicketSecrets } from "./tls/ticket-key.ts";
import { WorkerTickets } from "./tls/worker-tickets.ts";
import { Tunnels } from "./tunnels/tunnels.ts";
import { workerBackends } from "./worker-backends.ts";

export interface Edge {
	/** Reads all edges and routes; to be called once, before `listen`. */
	load(): void;
	/**
	 * Compiles the policies that `apply` will need, in small slices between requests.
	 * @param onProgress called after each slice @returns what holds them: to be released behind `apply`
	 */
	prepare(changes: readonly Change[], onProgress: () => void): Promise<{ release(): void }>;
	/** Takes the changes over: requests that start after it returns see them. */
	apply(changes: readonly Change[]): void;
	/** Requests that start after it returns find no route, and are answered with 503; or find them again. */
	refuse(refuses: boolean): void;
	/** Requests with one of these tokens are to be explained, see `EdgeOptions.seen`. */
	watch(tokens: readonly LiveToken[]): void;
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
	/** Counts what was refused without JavaScript; before the counts are told. */
	collect(): void;
	/** What requests are being worked on, and which were refused since the last call. */
	takeLive: Services["takeLive"];
	/** different ones that are compiled */
	readonly policiesInUse: number;
	/** bound ports in the order of `config.listen` */
	readonly ports: readonly number[];
}

/** milliseconds that connections to backends have to end */
const LINGER_MS = 100;

export function createEdge(options: EdgeOptions): Edge {
	const { config, reader, log, metrics, geo, evaluator } = options;
	const accessLog = new AccessLog(config.log, log, options.accessOutput);
	const services = makeServices(options, accessLog);
	const memory = new BodyMemory(config.limits.bodyMemoryBytes);
	const idleTimeouts = makeIdleTimeouts(options, memory);
	const backends = workerBackends(options, memory, services);
	const threads = new ExpressionThreads(evaluator);
	const lists = new WorkerAddressLists(reader);
	const policies = makePolicies(options, threads, lists);
	const candidates = makeCandidates(options, threads, lists, services);
	services.candidates = candidates;
	const table = new RouteTable({
		reader,
		backends,
		policies,
		candidates,
		removed: (route) => services.traffic.routes.release(route),
	});
	const tunnels = new Tunnels({
		metrics,
		log,
		logs: (request) => services.tells(request),
		idleMs: config.timeouts.tunnelIdleMs,
	});
	const standing =
		options.front !== undefined && config.standingRefusals
			? new StandingRefusals(options.front, services, table)
			: undefined;
	const pipeline = new Pipeline(table, services, idleTimeouts, tunnels, standing);
	const tickets = new WorkerTickets(options.tickets, log);
	const servers: Server[] = [];
	/** their connections go on */
	const retired: Server[] = [];
	const draining = new Draining({ services, tunnels, front: options.front, metrics, log });
	return {
		load() {
			lists.load();
			candidates.load();
			table.load();
		},
		async prepare(changes, onProgress) {
			await lists.prepare(changes, onProgress);
			const ahead = await policies.prepare([...table.policiesOf(changes)], onProgress);
			const tried = await candidates.prepare(changes, onProgress);
			return {
				release() {
					ahead.release();
					tried?.release();
				},
			};
		},
		apply(changes) {
			if (lists.areAhead) standing?.dropAll();
			else standing?.changing(changes);
			// before policies that may name them
			lists.apply();
			candidates.apply(changes);
			table.apply(changes);
		},
		refuse(refuses) {
			standing?.dropAll();
			table.isHidden = refuses;
		},
		watch: (live) => services.explainTokens?.set(live),
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
			standing?.dropAll();
			accessLog.settle(next.log);
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
			standing?.close();
			services.draining = true;
			await draining.acceptWaiting();
			for (const server of servers) server.stopAccepting();
			await draining.wait(timeoutMs);
			tunnels.drain();
			await Promise.race([tunnels.none(), delay(LIMITS.tunnelGoodbyeMs)]);
			tunnels.close();
			for (const server of [...servers, ...retired]) server.close();
			await Promise.race([backends.close(), delay(LINGER_MS)]);
		},
		hurry: () => draining.hurry(),
		collect: () => standing?.collect(),
		takeLive: () => services.takeLive(),
		get policiesInUse() {
			return policies.inUse;
		},
		get ports() {
			return servers.map(({ port }) => port);
		},
	};
}
