/**
 * Puts a machine's membership together: the log at the engine, the state in the store, the protocol between them. Used by
 * the supervisor's `fleet-member.ts` and by the commands that join. The engine's client is loaded here, and only then.
 */
import { LEVEL } from "../../fleet/level.ts";
import { limitsHash } from "../../fleet/limits-hash.ts";
import type { NatsLog } from "../../fleet/log/nats/nats-log.ts";
import { Member } from "../../fleet/member.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { Log } from "../../telemetry/log.ts";
import { versionOf } from "../version.ts";
import { engineSettings, type MemberConfig } from "./engine-settings.ts";
import type { Membership } from "./fleet-keeper.ts";

/** Begins to connect, and goes on until it is closed. @throws Error the client is not installed */
export async function openLog(config: MemberConfig): Promise<NatsLog> {
	const NatsLog = await loadLog();
	return new NatsLog(engineSettings(config));
}

/** @throws Error a sentence that names the package */
async function loadLog() {
	try {
		const { NatsLog } = await import("../../fleet/log/nats/nats-log.ts");
		return NatsLog;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
		throw new Error(
			"a fleet needs the package @nats-io/transport-node, which is not installed; install weir with its optional dependencies: npm install --include=optional",
			{ cause: error },
		);
	}
}

/** So that a machine whose engine is there does not begin as one that is cut off; one whose engine is not loses a second. */
function tried(log: NatsLog): Promise<void> {
	return new Promise((resolve) => {
		const timer = setTimeout(resolve, LIMITS.fleetFirstTryMs);
		// Told at once how it is, which is not connected; then each change.
		let told = 0;
		log.connection(({ isUp }) => {
			if (!isUp && ++told === 1) return;
			clearTimeout(timer);
			resolve();
		});
	});
}

interface Surroundings {
	readonly logger: Pick<Log, "info" | "warn" | "error">;
	/** gives up what this machine has of its own */
	readonly mayDiscard: boolean;
}

/** It follows from now on. */
export async function openFleet(
	{ state, settings, publish }: Membership,
	config: Omit<MemberConfig, "fleet">,
	{ logger, mayDiscard }: Surroundings,
): Promise<Member> {
	const { name, role, member } = settings;
	const log = await openLog({ ...config, fleet: settings });
	await tried(log);
	return new Member({
		fleet: name,
		identity: {
			...{ name: member.name, role, labels: member.labels },
			version: versionOf(),
			limits: limitsHash({ ...config.limits }),
		},
		level: LEVEL,
		log,
		state,
		publish,
		directory: config.dataDir,
		mayDiscard,
		logger,
	});
}
