/**
 * Begins a fleet's log at its engine: with what the first machine has (`weir fleet init`), or again, with what a member
 * has, where the engine has lost it (`weir fleet reseed`; docs/fleet.md, "Failures"). Called by `commands/fleet-stopped.ts`.
 */
import { newIncarnation, nextIncarnation } from "../../fleet/incarnation.ts";
import { LEVEL } from "../../fleet/level.ts";
import type { Snapshot } from "../../fleet/log/log.ts";
import type { Setup } from "../../fleet/log/nats/setup.ts";
import { createApiKey, hasUsableAdmin } from "../../management/api-keys.ts";
import { StoreError } from "../../store/store-error.ts";
import type { MemberConfig } from "./engine-settings.ts";
import { openLog } from "./open-fleet.ts";
import { type StoppedStore, withStopped } from "./stopped-store.ts";

export interface EngineChoices {
	readonly replicas: 1 | 3 | undefined;
	readonly monitors: readonly string[];
}

export interface Begun extends Setup {
	readonly revision: number;
	readonly counts: { readonly edges: number; readonly routes: number; readonly policies: number };
	/** the first key, created because there was none */
	readonly newKey: string | undefined;
}

/** @throws StoreError, LogError in a sentence; then nothing was changed */
export const beginFleet = (
	config: MemberConfig,
	choices: EngineChoices,
	configuredKey: string | undefined,
): Promise<Begun> =>
	withStopped(config.dataDir, async (stopped) => {
		const { store, state } = stopped;
		const { position } = state;
		const isHalfBegun = position?.fleet === config.fleet.name && position.applied === 0;
		if (position !== undefined && !isHalfBegun)
			throw new StoreError(
				`this machine is a member of the fleet "${position.fleet}" already, at revision ${position.applied}: weir serve follows it, weir fleet leave ends that, weir fleet reseed begins a log that is lost`,
			);
		// An earlier `init` may have ended before the engine had its log.
		const incarnation = position?.incarnation ?? newIncarnation();
		const hasKey = configuredKey !== undefined || hasUsableAdmin(store.keys(), Date.now());
		const created = hasKey ? undefined : await createApiKey(store, "created by fleet init");
		if (position === undefined)
			state.begin({ fleet: config.fleet.name, incarnation, revision: 0, level: LEVEL });
		try {
			const setup = await setUpEngine(config, choices, state.snapshot(), false);
			return { ...setup, revision: 0, counts: store.counts(), newKey: created?.key };
		} catch (error) {
			// One that ended in the middle before may be begun at the engine all the same.
			if (position === undefined) state.leave();
			if (created !== undefined) await store.revokeKey(created.id);
			throw error;
		}
	});

/** @throws StoreError, LogError in a sentence; then nothing was changed */
export const reseedFleet = (config: MemberConfig, choices: EngineChoices): Promise<Begun> =>
	withStopped(config.dataDir, async ({ store, state }: StoppedStore) => {
		const { position } = state;
		if (position === undefined)
			throw new StoreError(
				`the store in ${config.dataDir} is in no fleet: weir fleet init begins one`,
			);
		const incarnation = nextIncarnation(position.incarnation);
		const snapshot: Snapshot = { ...state.snapshot(), incarnation };
		const setup = await setUpEngine(config, choices, snapshot, false);
		// Where this process ends here, the machine goes over to the new log by itself.
		state.begin({ ...position, incarnation, revision: position.applied });
		return { ...setup, revision: position.applied, counts: store.counts(), newKey: undefined };
	});

async function setUpEngine(
	config: MemberConfig,
	{ replicas, monitors }: EngineChoices,
	snapshot: Snapshot,
	replaces: boolean,
): Promise<Setup> {
	const log = await openLog(config);
	const { setUp } = await import("../../fleet/log/nats/setup.ts");
	try {
		const { incarnation } = snapshot;
		return await setUp(log, { incarnation, snapshot, replaces, replicas, monitors });
	} finally {
		await log.close();
	}
}
