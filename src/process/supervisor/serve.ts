/**
 * `weir serve`: the supervisor. Opens the store, starts workers and management API, answers signals
 * (contract 1; docs/design.md, "Processes"). Called by `main.ts`.
 */
import { closeSync } from "node:fs";
import { Explainer } from "../../explain/explainer.ts";
import { ConnectionBound } from "../../http/connection-bound.ts";
import { Front } from "../../http/front.ts";
import { countClosed, reportMissingFront } from "../../http/front-telemetry.ts";
import { AuditedKeys } from "../../management/audit/audited-keys.ts";
import type { ManagementLimits } from "../../management/context.ts";
import { startManagement } from "../../management/server.ts";
import { hasStore } from "../../store/open.ts";
import { Metrics, series } from "../../telemetry/metrics.ts";
import { countProcess } from "../../telemetry/process-metrics.ts";
import { PolicyChecker } from "../../threads/policy-checker.ts";
import { complain } from "../commands/complain.ts";
import { assertDistinct } from "../config/address-conflicts.ts";
import { readDates, warnOfDates } from "../config/certificate-dates.ts";
import { type ConfigSources, loadConfig } from "../config/load-config.ts";
import { knownOptions } from "../config/policy-options.ts";
import { startDemo } from "../demo/demo.ts";
import { DemoFolder } from "../demo/demo-folder.ts";
import { Giver } from "../handover/giver.ts";
import { reasonsAreOver } from "../handover/reason.ts";
import type { Predecessor } from "../handover/taker.ts";
import { openSupervisorLog } from "../log/process-log.ts";
import { ReplaceableLog } from "../log/replaceable-log.ts";
import { passedSockets } from "../service/activation.ts";
import { Notifier } from "../service/notify.ts";
import type { Signals } from "../signals/signals.ts";
import { versionOf } from "../version.ts";
import { ChosenPorts } from "./chosen-ports.ts";
import { CountersKeeper } from "./counters-keeper.ts";
import { estateOf, markOf } from "./estate.ts";
import { firstApiKey } from "./first-api-key.ts";
import { type Claimed, claimBeside, type Heritage } from "./given-sockets.ts";
import { managementSettings } from "./kept-settings.ts";
import { LimitMetrics } from "./limit-metrics.ts";
import { openLivePage } from "./live-page.ts";
import { follow, openMembership, publisherBeside } from "./membership.ts";
import { findPredecessor, heritageOf, publisherOf } from "./predecessor.ts";
import { readyFields } from "./ready-fields.ts";
import { listenerMarks } from "./reload-plan.ts";
import { type Server, statusOf, stop, untilStopped } from "./running-server.ts";
import { Scrape } from "./scrape.ts";
import { StoreKeeper } from "./store-keeper.ts";
import { WorkerSet } from "./worker-set.ts";

/** @returns the exit status */
export async function serve(
	sources: ConfigSources,
	demo: boolean,
	signals: Signals,
): Promise<number> {
	if (!demo) return run(sources, undefined, signals);
	let folder: DemoFolder;
	try {
		folder = new DemoFolder();
	} catch (error) {
		const why = (error as Error).message;
		return complain(`the demo needs a temporary folder (TMPDIR names where): ${why}`, 1);
	}
	// However the process ends, an error that nobody caught included.
	process.once("exit", () => folder.remove());
	return run({ ...sources, defaultDataDir: folder.path }, folder, signals);
}

/** @param demo undefined: no demo is wanted */
async function run(
	sources: ConfigSources,
	demo: DemoFolder | undefined,
	signals: Signals,
): Promise<number> {
	const loaded = loadConfig(sources);
	if (!loaded.ok) return complain(loaded.error);
	for (const warning of loaded.value.warnings) process.stderr.write(`weir: ${warning}\n`);
	const { apiKey, config } = loaded.value;
	const { dataDir } = config;
	if (dataDir !== demo?.path && !hasStore(dataDir))
		process.stderr.write(`weir: there is no store in ${dataDir}; a new, empty one is made\n`);
	let server: Server;
	let before: Predecessor | undefined;
	const ports = new ChosenPorts();
	try {
		await assertDistinct(config);
		before = sources.flags.takeover === true ? await findPredecessor(config) : undefined;
		const given = before?.given ?? (await passedSockets(sources.environment, config));
		const claimed: Claimed =
			given === undefined ? await ports.claim(config) : await claimBeside(config, given);
		server = await startServer(claimed, apiKey, before, heritageOf(before, given));
	} catch (error) {
		const { message } = error as Error;
		await before?.failed(message);
		return complain(message, 1);
	} finally {
		ports.release();
	}
	const stopped = untilStopped(server, signals, sources, demo);
	if (demo !== undefined) {
		try {
			await startDemo(server.keeper.store, server.workers, server.config, server.newKey, {
				isTemporary: server.config.dataDir === demo.path,
			});
		} catch (error) {
			complain((error as Error).message, 1);
			await stop(server);
			return 1;
		}
	}
	return stopped;
}

const buildLabels = () => ({
	version: versionOf(),
	node: process.version,
	platform: `${process.platform}-${process.arch}`,
});

async function startServer(
	{ config, inherited, isHeld }: Claimed,
	apiKey: string | undefined,
	before: Predecessor | undefined,
	heritage: Heritage | undefined,
): Promise<Server> {
	const metrics = new Metrics();
	countProcess("supervisor", metrics);
	metrics.set(series("weir_build_info", buildLabels()), 1);
	metrics.set("weir_start_time_seconds", Math.floor(Date.now() / 1000 - process.uptime()));
	const log = new ReplaceableLog(openSupervisorLog(config, metrics));
	const notifier = new Notifier(process.env, (reason) =>
		log.warn({ reason }, "the service manager can't be told how weir is"),
	);
	const certificates = readDates(config);
	warnOfDates(certificates, log);
	const member = await openMembership(config, log);
	const fleet = member?.fleet;
	const versionsKept = () => live.config.versions.keep;
	const keeper = new StoreKeeper(config.dataDir, log, { queueOf: fleet?.queueOf, versionsKept });
	const { store } = keeper;
	// Until the other one has retired, so that no change is in force on its workers alone.
	if (before !== undefined) await store.hold();
	const counters = new CountersKeeper(config.countersFile, log);
	if (before !== undefined && before.offer.counters !== markOf(counters.path))
		log.warn(
			{ file: config.countersFile },
			"rate-limits begin anew: the weir before counts elsewhere",
		);
	// Asked for each worker that starts: where it reads the store from may have changed.
	const files = () => ({
		...{ counters: counters.path, store: keeper.forWorkers },
		refuses: fleet?.refusal !== undefined,
		tokens: page.explainTokens.live,
	});
	const workers = new WorkerSet(config, files, log, heritage);
	const live = { config, certificates, listeners: listenerMarks(config), renewed: 0 };
	const front = config.front === "on" ? Front.open() : undefined;
	if (front !== undefined) countClosed(front, metrics);
	const limits: ManagementLimits = {
		get policyBytes() {
			return live.config.limits.policyBytes;
		},
		get rules() {
			return live.config.limits.rules;
		},
	};
	const counts = () => counters.counts(() => live.config.keysPerRateLimit);
	const scrape = new Scrape({
		...{ metrics, settings: live, limits: new LimitMetrics(store), counts, workers },
		others: [keeper, counters, ...(fleet === undefined ? [] : [fleet])],
		isHeir: before !== undefined,
	});
	const explainer = new Explainer({ store, config: () => live.config, counts });
	const page = openLivePage({
		...{ workers, keeper, counts, settings: live, log, explainer },
		publisher: publisherOf(workers, before),
	});
	const policyChecker = new PolicyChecker(() => knownOptions(live.config));
	let giver: Giver | undefined;
	try {
		await workers.start();
		const management = await startManagement({
			host: config.management.host,
			port: config.management.port,
			...{ inherited, isHeld },
			...managementSettings(config),
			store,
			...page,
			...publisherBeside(fleet, page.publisher),
			policyChecker,
			configuredKey: apiKey,
			limits,
			// Who asks the one that leaves means the weir that has taken over, which said that it is ready.
			ready: () => keeper.loss ?? fleet?.refusal ?? (giver?.isGone === true || workers.readiness),
			front: () => workers.front,
			counts,
			ipv6Prefix: () => live.config.rateLimits.ipv6Prefix,
			fleet,
			metrics: (format) => scrape.text(format),
			log,
			connections: ConnectionBound.of("management", metrics, log),
			frontMissing: (address) => reportMissingFront("management", address, metrics, log),
		});
		if (before !== undefined) {
			scrape.resume(await before.ready());
			void before.gone.then((counted) => scrape.resume(counted));
			store.release();
			reasonsAreOver();
		}
		await follow(fleet, page.publisher, workers);
		// Not before everything else has succeeded: a key that was stored and never shown locks everyone out.
		const newKey =
			fleet === undefined
				? await firstApiKey(new AuditedKeys(store, log, "start"), apiKey)
				: undefined;
		if (newKey !== undefined)
			process.stdout.write(`API key, shown this once, only its hash is kept: ${newKey}\n`);
		log.info(readyFields(config, store, counters.path), "weir is ready");
		const closeManagement = async (): Promise<void> => {
			if (inherited !== undefined && management.descriptor !== undefined) closeSync(inherited);
			await (giver?.isGone === true ? management.leave() : management.close());
			await Promise.all([policyChecker.close(), explainer.close()]);
		};
		const parts = { log, metrics, keeper, counters, workers, management, closeManagement, newKey };
		const server = Object.assign(live, { ...parts, fleet, before, notifier, scrape });
		giver = new Giver(estateOf(server));
		const running = Object.assign(server, { giver });
		await keeper.listen({ supervisor: running.giver, fleet: member?.control });
		notifier.ready(statusOf(config));
		return running;
	} catch (error) {
		page.live.close();
		// It goes on at once, and ends this process where that takes too long.
		await before?.failed((error as Error).message);
		await workers.stop();
		await Promise.all([policyChecker.close(), explainer.close()]);
		counters.close();
		await fleet?.close();
		await keeper.close();
		throw error;
	}
}
