/**
 * `weir fleet join`: makes a stopped machine a member, with the fleet's configuration in the place of its own
 * (docs/fleet.md, "Joining"). Called by `commands/fleet-stopped.ts`.
 */
import type { OwnStatus } from "../../fleet/fleet.ts";
import type { Member } from "../../fleet/member.ts";
import { twinSentence } from "../../fleet/twins.ts";
import { LIMITS } from "../../limits/limits.ts";
import { assertFleet } from "../../store/membership.ts";
import { StoreError } from "../../store/store-error.ts";
import type { MemberConfig } from "./engine-settings.ts";
import { hasDocuments } from "./member-state.ts";
import { openFleet, openLog } from "./open-fleet.ts";
import { withStopped } from "./stopped-store.ts";

export interface Joined {
	readonly status: OwnStatus;
	readonly counts: { readonly edges: number; readonly routes: number; readonly policies: number };
	/** where what the machine had of its own is saved */
	readonly saved: string | undefined;
	/** it was one before */
	readonly wasMember: boolean;
}

/**
 * @param save keeps what is there before it is given up @returns a sentence's end: where
 * @throws StoreError in a sentence; then nothing was changed
 */
export const joinFleet = (
	config: MemberConfig,
	{ mayDiscard, save }: { readonly mayDiscard: boolean; readonly save: () => Promise<string> },
): Promise<Joined> =>
	withStopped(config.dataDir, async ({ store, state, database }) => {
		assertFleet(database, config.dataDir, config.fleet.name);
		await assertWelcome(config, state.member);
		const wasMember = state.position !== undefined;
		const isForeign = !wasMember && hasDocuments(database);
		const saved = isForeign && mayDiscard ? await save() : undefined;
		const member = await openFleet(
			{ state, settings: config.fleet, publish: async () => {} },
			config,
			{ mayDiscard: isForeign && mayDiscard, logger: SILENT },
		);
		try {
			const status = await settled(member);
			if (status.state === "in_sync") return { status, counts: store.counts(), saved, wasMember };
			throw new StoreError(`not joined: ${status.why ?? `it is ${status.state}`}`);
		} finally {
			await member.close();
		}
	});

/** The engine is there, and no machine that runs has this one's name. @throws StoreError, LogError */
async function assertWelcome(config: MemberConfig, id: string): Promise<void> {
	const log = await openLog(config);
	const { connected } = await import("../../fleet/log/nats/setup.ts");
	try {
		await connected(log, LIMITS.fleetJoinMs);
		await log.tail();
		const { name } = config.fleet.member;
		const twin = twinSentence({ id, name }, await log.seen());
		if (twin !== undefined) throw new StoreError(`not joined: ${twin}`);
	} finally {
		await log.close();
	}
}

/** What happens is the command's answer. */
const SILENT = { info: () => {}, warn: () => {}, error: () => {} };

const LOOK_MS = 50;

/** In sync, or why not. */
async function settled(member: Member): Promise<OwnStatus> {
	const deadline = performance.now() + LIMITS.fleetJoinMs;
	for (;;) {
		const status = member.status();
		const isLate = performance.now() >= deadline;
		if (status.state === "in_sync" || status.state === "stuck" || status.state === "diverged")
			return status;
		// What it says before the first try is no reason.
		if (isLate && !(status.connection.isUp && status.state === "catching_up")) return status;
		await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
	}
}
