/**
 * What `weir fleet init` and `weir fleet reseed` do at the engine: whether it is fit, and the fleet's streams, each setting
 * read back. Takes the rights of an admin.
 */
import { LIMITS } from "../../../limits/limits.ts";
import { LogError, type Snapshot } from "../log.ts";
import type { StreamInfo } from "./api.ts";
import { beginAt } from "./begin-at.ts";
import type { NatsLog } from "./nats-log.ts";
import { isAtLeast, type ServerFacts, serverWarning } from "./server-rules.ts";
import {
	differences,
	incarnationOf,
	logConfig,
	type StreamConfig,
	seenConfig,
	snapshotsConfig,
} from "./stream-configs.ts";
import { syncWarning } from "./sync-check.ts";

export interface SetupOptions {
	/** id of the new log */
	readonly incarnation: string;
	/** what the log begins with: the next record is one revision further */
	readonly snapshot: Snapshot;
	/** a log of that name that is there is replaced (`reseed`); else it is a reason to stop */
	readonly replaces: boolean;
	/** undefined: 3 in a cluster, 1 at a server alone */
	readonly replicas?: 1 | 3 | undefined;
	/** of the log */
	readonly maxBytes?: number | undefined;
	/** addresses of the servers' monitoring (`http://nats-1:8222`), which alone tell whether they sync */
	readonly monitors?: readonly string[] | undefined;
}

export interface Setup {
	readonly server: string;
	readonly version: string;
	readonly replicas: number;
	/** what works and should be better, sentences with their remedies */
	readonly warnings: readonly string[];
}

const FIRST_SEQ_SINCE = [2, 10];
/** each lasts as long as a request may */
const SETUP_TRIES = 3;
const NAME_IN_USE = /10058/;

/** @throws LogError nothing that is there was changed, unless `replaces` */
export async function setUp(log: NatsLog, options: SetupOptions): Promise<Setup> {
	const facts = await connected(log);
	const { api } = log;
	const { names, link } = api;
	const found = await patiently(() => api.found(names.log));
	if (found !== undefined && !options.replaces) throw alreadyThere(link.place, names.log, found);
	const { monitors = [], maxBytes = LIMITS.fleetLogBytes } = options;
	const replicas = options.replicas ?? (facts.cluster === undefined ? 1 : 3);
	if (replicas > 1 && facts.cluster === undefined)
		throw new LogError(
			"unfit",
			`${link.place} is a server alone, and can't keep ${replicas} replicas: leave --replicas out, or make three servers a cluster (deploy/fleet/three.conf).`,
		);
	const warnings = [
		serverWarning(link.place, facts),
		replicas === 1 && facts.cluster !== undefined
			? `The log has one copy in the cluster ${facts.cluster}: the loss of its server stops all writes. Three are recommended.`
			: undefined,
		...(await syncWarning(monitors)),
	].filter((warning) => warning !== undefined);

	if (found !== undefined) await api.delete(names.log);
	await make(log, seenConfig(names, replicas));
	// Words about a log that is no more would count for revisions of the new one.
	if (options.snapshot.revision === 0) await api.purge(names.seen, { filter: names.status("*") });
	await make(log, snapshotsConfig(names, replicas));
	if (options.replaces) await log.snapshots.trim(0);
	await log.snapshots.put(options.snapshot);
	const { incarnation, snapshot } = options;
	// Last: while there is no log, there is no fleet, and this can be done again.
	await makeLog(
		log,
		logConfig(names, { incarnation, replicas, maxBytes }),
		snapshot.revision,
		facts,
	);
	return { server: link.place, version: facts.version, replicas, warnings };
}

/** Waits for the first connection. @throws LogError with its problem, after one round of all servers */
export function connected(
	log: NatsLog,
	timeoutMs: number = LIMITS.fleetSetupMs,
): Promise<ServerFacts> {
	return new Promise((resolve, reject) => {
		let last = "";
		const timer = setTimeout(
			() => settle(() => reject(new LogError("unreachable", last))),
			timeoutMs,
		);
		const stop = log.connection((state) => {
			const facts = log.api.link.info;
			if (state.isUp && facts !== undefined) queueMicrotask(() => settle(() => resolve(facts)));
			else if (!state.isUp) {
				const isTold = last !== "" && last !== state.why;
				last = state.why;
				if (isTold) settle(() => reject(new LogError("unreachable", state.why)));
			}
		});
		function settle(then: () => void) {
			clearTimeout(timer);
			stop();
			then();
		}
	});
}

/** A cluster that was just started has no leader yet. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
	for (let tries = 1; ; tries++) {
		try {
			return await ask();
		} catch (error) {
			const isEarly = error instanceof LogError && error.kind === "unreachable";
			if (!isEarly || tries === SETUP_TRIES) throw error;
		}
	}
}

async function make(log: NatsLog, config: StreamConfig): Promise<void> {
	const { api } = log;
	await api
		.call<StreamInfo>(`STREAM.CREATE.${config.name}`, config.name, config)
		.catch((error: unknown) => {
			if (!(error instanceof LogError) || !NAME_IN_USE.test(error.message)) throw error;
			return api.call<StreamInfo>(`STREAM.UPDATE.${config.name}`, config.name, config);
		});
	const { config: found } = await api.info(config.name);
	const wrong = differences(config, found);
	if (wrong.length > 0)
		throw new LogError(
			"unfit",
			`${api.link.place} has made the stream ${config.name} otherwise than asked: ${wrong.join("; ")}. nats-server 2.12 or newer does as it is asked.`,
		);
}

async function makeLog(
	log: NatsLog,
	config: StreamConfig,
	revision: number,
	{ version }: ServerFacts,
): Promise<void> {
	const first = revision + 1;
	if (revision === 0) await make(log, config);
	else if (isAtLeast(version, FIRST_SEQ_SINCE)) await make(log, { ...config, first_seq: first });
	else await beginAt(log.api, (wanted) => make(log, wanted), config, revision);
	const tail = await log.tail();
	if (tail.last !== revision)
		throw new LogError(
			"unfit",
			`${log.api.link.place} lets the log ${config.name} begin at revision ${tail.last + 1}, not at ${first}.`,
		);
}

const alreadyThere = (place: string, stream: string, { config }: StreamInfo): LogError =>
	new LogError(
		"unfit",
		`${place} has a fleet of that name (stream ${stream}, incarnation ${incarnationOf(config) || "unknown"}): start weir with this configuration to join it, choose another fleet.name, or delete what is there with \`nats stream rm ${stream}\`.`,
	);
