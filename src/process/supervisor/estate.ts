/**
 * What a supervisor hands over to another one that takes over from it, and how it gives it up and takes it back
 * (`handover/giver.ts`). Made by `serve.ts`.
 */
import { statSync } from "node:fs";
import { LIMITS } from "../../limits/limits.ts";
import type { Estate } from "../handover/giver.ts";
import { lives } from "../handover/life.ts";
import type { Offer } from "../handover/protocol.ts";
import { versionOf } from "../version.ts";
import { publisherOf } from "./predecessor.ts";
import { type ServerParts, stop } from "./running-server.ts";

export function estateOf(server: ServerParts): Estate {
	const { keeper, fleet, workers, before, notifier, log, scrape } = server;
	const leaving = (): number[] =>
		before === undefined ? [] : [...before.offer.leaving, before.offer.pid].filter(lives);
	return {
		folder: server.config.dataDir,
		log,
		obstacle: () => obstacleOf(server, leaving()),
		release: async () => {
			notifier.status("another version takes over");
			await keeper.store.hold();
			await fleet?.pause();
			await keeper.store.handOver();
		},
		takeBack: () => {
			keeper.store.takeBack();
			fleet?.resume().catch(({ message }: Error) => {
				log.error({ reason: message }, "this machine does not follow its fleet");
			});
			workers.sockets.forgetLead();
			notifier.status("serving; another version could not take over");
		},
		offer: () => offerOf(server, leaving()),
		letGo: (pid) => {
			keeper.letGo();
			notifier.handOver(pid, `process ${pid} takes over`);
		},
		counts: () => scrape.handOver(),
		publish: (changes) => publisherOf(workers, before).publish(changes),
		retire: async () => {
			await stop(server);
			return scrape.since();
		},
	};
}

function obstacleOf(
	{ workers, keeper }: ServerParts,
	leaving: readonly number[],
): string | undefined {
	if (!workers.sockets.isPossible)
		return "workers bind their own sockets here (they can be handed over on Linux only, with a build of the server library that exports its sockets): stop it, then start the new one";
	if (keeper.loss !== undefined)
		return "its store is lost: mend that first, then stop it and start the new one";
	if (leaving.length < LIMITS.leavingSupervisors) return undefined;
	return `earlier ones still finish what they began (processes ${leaving.join(", ")}): wait until they have ended, or end them with SIGTERM twice`;
}

function offerOf(
	{ workers, management, config, counters }: ServerParts,
	leaving: readonly number[],
): { readonly offer: Offer; readonly descriptors: readonly number[] } {
	const groups = workers.sockets.given;
	const { descriptor } = management;
	const { host, port } = config.management;
	const offer: Offer = {
		pid: process.pid,
		version: versionOf(),
		leaving: [...leaving],
		groups: groups.map(({ descriptors, order, ...group }) => ({
			...group,
			order: [...order],
			count: descriptors.length,
		})),
		hasManagement: descriptor !== undefined,
		listen: config.listen.map((listener) => ({ host: listener.host, port: listener.port })),
		managementAddress: { host, port },
		tickets: workers.tickets.given,
		counters: markOf(counters.path),
	};
	const own = groups.flatMap(({ descriptors }) => descriptors);
	return { offer, descriptors: descriptor === undefined ? own : [...own, descriptor] };
}

/** Which file it is, whatever it is called; null: none that others can open. */
export function markOf(file: string | null): string | null {
	const status = file === null ? undefined : statSync(file, { throwIfNoEntry: false });
	return status === undefined ? null : `${status.dev}:${status.ino}`;
}
