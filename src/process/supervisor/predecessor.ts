/**
 * The supervisor that another one takes over from, as that one sees it: whether it can, found out before anything is
 * changed, and what it goes on with. Used by `serve.ts` and `estate.ts`.
 */
import { readFileSync } from "node:fs";
import type { Config } from "../../config.ts";
import { inspectCountersFile } from "../../limiter/counters-file.ts";
import type { Publisher } from "../../management/publisher.ts";
import { ownerOf } from "../../store/open.ts";
import { complain } from "../commands/complain.ts";
import { startObstacles } from "../config/start-obstacles.ts";
import { withoutSocket } from "../control/socket-path.ts";
import { isSuccessor } from "../handover/reason.ts";
import { Predecessor } from "../handover/taker.ts";
import type { GivenSockets, Heritage } from "./given-sockets.ts";
import type { WorkerSet } from "./worker-set.ts";

/** @returns undefined if nobody runs on the data folder @throws Error why nobody can take over, in sentences */
export async function findPredecessor(config: Config): Promise<Predecessor | undefined> {
	const owner = await ownerOf(config.dataDir);
	if (owner === undefined) {
		if (isSuccessor()) throw new Error(elsewhere(config.dataDir));
		return undefined;
	}
	refuseOtherUser(owner);
	const { mistakes } = await startObstacles(config);
	// It would be set aside, and the rate-limits of the one that runs with it.
	const counters = inspectCountersFile(config.countersFile, config.dataDir);
	const reasons = [...mistakes.map(({ message }) => message), ...counters];
	if (reasons.length > 0)
		throw new Error(
			`${reasons.join("\n")}\nnothing was changed: mend it, or stop process ${owner} and start this one`,
		);
	const found = await Predecessor.ask(config.dataDir, (reason) => {
		process.exit(complain(`not taken over: ${reason}`, 1));
	});
	// Killed meanwhile; an ordinary start tells.
	if (found === undefined && (await ownerOf(config.dataDir)) === owner)
		throw new Error(withoutSocket(config.dataDir, owner));
	if (found === undefined) process.stderr.write(`weir: nobody hands over; starting as usual\n`);
	return found;
}

/** It would run beside the one that has started it. */
const elsewhere = (folder: string): string =>
	`no weir runs on ${folder}, which the configuration now names as its data folder; an upgrade keeps the data folder: put data_dir back, or stop the weir that runs and start the new one`;

/** Its files would be another user's then, and sockets beside its own can't be bound. @throws Error */
function refuseOtherUser(owner: number): void {
	const user = userOf(owner);
	if (user !== undefined && user !== process.geteuid?.())
		throw new Error(
			`the weir that runs (process ${owner}) is user ${user}'s: run this one as the same user (sudo -u), or let it do it itself: weir upgrade`,
		);
}

/** As it acts. The owner of its folder in /proc is another one where Node was given capabilities of its own. */
function userOf(pid: number): number | undefined {
	try {
		const found = /^Uid:\t\d+\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"));
		return found === null ? undefined : Number(found[1]);
	} catch {
		return undefined;
	}
}

export const heritageOf = (
	before: Predecessor | undefined,
	given: GivenSockets | undefined,
): Heritage | undefined =>
	given === undefined ? undefined : { sockets: given.groups, tickets: before?.offer.tickets };

/** Every worker that serves has a change before it is acknowledged, those of whom it has taken over from too. */
export const publisherOf = (
	workers: Pick<WorkerSet, "publish">,
	before: Pick<Predecessor, "publish"> | undefined,
): Publisher => ({
	publish: async (changes) => {
		await Promise.all([workers.publish(changes), before?.publish(changes)]);
	},
});
