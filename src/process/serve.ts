/**
 * `weir serve`: the supervisor. Opens the store, starts workers and management API, answers signals
 * (contract 1, design "Processes"). Called by `main.ts`.
 */
import type { Config } from "../config.ts";
import { PolicyChecker } from "../heavy/policy-checker.ts";
import { type Log, openLog } from "../log.ts";
import { startManagement } from "../management/server.ts";
import { Metrics, renderMetrics } from "../metrics.ts";
import { openStore } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { claimAddress, formatAddress } from "./address.ts";
import { firstApiKey } from "./api-key.ts";
import { startDemo } from "./demo.ts";
import { type ConfigSources, loadConfig } from "./load-config.ts";
import { WorkerSet } from "./worker-set.ts";

/** @returns the exit status */
export async function serve(sources: ConfigSources, demo: boolean): Promise<number> {
	const loaded = loadConfig(sources);
	if (!loaded.ok) return complain(loaded.error, 2);
	for (const warning of loaded.value.warnings) process.stderr.write(`weir: ${warning}\n`);
	const { apiKey } = loaded.value;
	const metrics = new Metrics();
	let server: Server;
	try {
		const config = await claimAddresses(loaded.value.config);
		const log = openLog(config.log, () => metrics.add("weir_log_lines_dropped_total"));
		server = await startServer(config, apiKey, log, metrics);
	} catch (error) {
		return complain([(error as Error).message], 1);
	}
	const stopped = untilStopped(server, () => reload(server, sources));
	if (demo) {
		try {
			await startDemo(server.store, server.workers, server.config, server.newKey);
		} catch (error) {
			complain([(error as Error).message], 1);
			await stop(server);
			return 1;
		}
	}
	return stopped;
}

interface Server {
	config: Config;
	readonly log: Log;
	readonly store: Store;
	readonly workers: WorkerSet;
	readonly closeManagement: () => Promise<void>;
	/** created because there was none, and already shown */
	readonly newKey: string | undefined;
}

async function startServer(
	config: Config,
	apiKey: string | undefined,
	log: Log,
	metrics: Metrics,
): Promise<Server> {
	const store = await openStore(config.dataDir);
	const newKey = await firstApiKey(store, apiKey);
	const workers = new WorkerSet(config, log);
	const policyChecker = new PolicyChecker({ rulesPerPhase: config.limits.rules });
	try {
		await workers.start();
		const management = await startManagement({
			host: config.management.host,
			port: config.management.port,
			store,
			publisher: workers,
			policyChecker,
			configuredKey: apiKey,
			limits: { policyBytes: config.limits.policyBytes, rules: config.limits.rules },
			ready: () => workers.listening > 0,
			metrics: async () =>
				renderMetrics([metrics.snapshot(), storeCounts(store), ...(await workers.metrics())]),
			log,
		});
		log.info(
			{
				listen: config.listen.map(formatAddress),
				management: formatAddress(config.management),
				workers: config.workers,
			},
			"weir is ready",
		);
		if (newKey !== undefined)
			process.stdout.write(`API key, shown this once, only its hash is kept: ${newKey}\n`);
		const closeManagement = async (): Promise<void> => {
			await management.close();
			await policyChecker.close();
		};
		return { config, log, store, workers, closeManagement, newKey };
	} catch (error) {
		await workers.stop();
		await policyChecker.close();
		await store.close();
		throw error;
	}
}

function storeCounts(store: Store): Record<string, number> {
	const { edges, routes, policies } = store.counts();
	return { weir_edges: edges, weir_routes: routes, weir_policies: policies };
}

/** Free ports are chosen here, once, because every worker must listen on the same one. */
async function claimAddresses(config: Config): Promise<Config> {
	const listen = [];
	for (const listener of config.listen) {
		listen.push({ ...listener, ...(await claimAddress(listener)) });
	}
	return { ...config, listen, management: await claimAddress(config.management) };
}

/** `SIGHUP`: config and certificates are read again; a config that is wrong changes nothing. */
async function reload(server: Server, sources: ConfigSources): Promise<void> {
	const loaded = loadConfig(sources);
	if (!loaded.ok) {
		server.log.error({ mistakes: loaded.error }, "config not reloaded: it has mistakes");
		return;
	}
	const { config } = loaded.value;
	for (const name of ["dataDir", "management"] as const) {
		if (
			JSON.stringify(config[name]) !== JSON.stringify(server.config[name]) &&
			!chosen(config, name)
		)
			server.log.warn({ setting: name }, "this setting changes only with a restart");
	}
	const listen = config.listen.map((listener, index) =>
		listener.port === 0 ? { ...listener, port: server.config.listen[index]?.port ?? 0 } : listener,
	);
	const next: Config = {
		...config,
		listen,
		dataDir: server.config.dataDir,
		management: server.config.management,
	};
	try {
		await server.workers.reload(next);
		server.config = next;
		server.log.info({ workers: next.workers }, "config reloaded");
	} catch (error) {
		server.log.error({ reason: (error as Error).message }, "config not reloaded");
	}
}

/** Port 0 was replaced by a free one at the start; that is no change. */
const chosen = (config: Config, name: "dataDir" | "management"): boolean =>
	name === "management" && config.management.port === 0;

/** Resolves with the exit status once a signal has ended the server in order. */
function untilStopped(server: Server, onReload: () => Promise<void>): Promise<number> {
	return new Promise((resolve) => {
		let reloading = Promise.resolve();
		process.on("SIGHUP", () => {
			reloading = reloading.then(onReload);
		});
		let signals = 0;
		const onSignal = (signal: NodeJS.Signals): void => {
			signals += 1;
			if (signals > 1) {
				server.workers.kill();
				process.exit(1);
			}
			server.log.info({ signal }, "stopping: finishing what is in flight");
			stop(server).then(() => resolve(0));
		};
		process.on("SIGTERM", onSignal);
		process.on("SIGINT", onSignal);
	});
}

async function stop(server: Server): Promise<void> {
	await server.closeManagement();
	await server.workers.stop();
	await server.store.close();
	server.log.info({}, "stopped");
	await server.log.flush();
}

function complain(sentences: readonly string[], status: number): number {
	for (const sentence of sentences) process.stderr.write(`weir: ${sentence}\n`);
	return status;
}
