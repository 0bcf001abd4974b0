/**
 * A supervisor that serves: what belongs to it, what it does at signals, and its end (contract 1). Used by `serve.ts`.
 */
import type { Config } from "../../config.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { ConfigSources } from "../config/load-config.ts";
import type { DemoFolder } from "../demo/demo-folder.ts";
import type { FleetKeeper } from "../fleet/fleet-keeper.ts";
import type { Giver } from "../handover/giver.ts";
import type { Predecessor } from "../handover/taker.ts";
import { reopenLog } from "../log/process-log.ts";
import type { Notifier } from "../service/notify.ts";
import type { Signals } from "../signals/signals.ts";
import { compileSooner } from "../sooner-compiled.ts";
import type { CountersKeeper } from "./counters-keeper.ts";
import { type ReloadedServer, reload } from "./reload.ts";
import type { Scrape } from "./scrape.ts";
import type { StoreKeeper } from "./store-keeper.ts";

/** Without what others do with all of it. */
export interface ServerParts extends ReloadedServer {
	readonly keeper: StoreKeeper;
	/** undefined: the machine is in none */
	readonly fleet: FleetKeeper | undefined;
	readonly counters: CountersKeeper;
	readonly closeManagement: () => Promise<void>;
	/** created because there was none, and already shown */
	readonly newKey: string | undefined;
	/** whom it has taken over from */
	readonly before: Predecessor | undefined;
	readonly notifier: Notifier;
	readonly scrape: Scrape;
}

export interface Server extends ServerParts {
	readonly giver: Giver;
}

/** For `systemctl status`. */
export const statusOf = ({ workers }: Pick<Config, "workers">): string =>
	`serving with ${workers} ${workers === 1 ? "worker" : "workers"}`;

/** Resolves with the exit status once a signal has ended the server in order, or another one has taken over. */
export function untilStopped(
	server: Server,
	signals: Signals,
	sources: ConfigSources,
	demo: DemoFolder | undefined,
): Promise<number> {
	const { giver, notifier } = server;
	compileSooner();
	return new Promise((resolve) => {
		void giver.finished.then(() => resolve(0));
		signals.obey({
			reload: () =>
				giver.alone(async () => {
					notifier.reloading();
					await reload(server, sources);
					notifier.ready(statusOf(server.config));
				}),
			reopenLogs: () => {
				reopenLog(server.log, server.log);
				server.workers.each((worker) => worker.reopenLog());
			},
			kill: () => {
				server.workers.kill();
				demo?.remove();
			},
			stop: (signal) => {
				// It stops already, and says how it goes to whoever has taken over.
				if (giver.isGone) return;
				notifier.stopping();
				server.log.info({ signal }, "stopping: finishing what is in flight");
				void giver
					.stop()
					.then(() => stop(server))
					.then(() => resolve(0));
			},
		});
	});
}

/** API and data path stop accepting at once; a slow client of the one does not keep the other open. */
export async function stop(server: ServerParts): Promise<void> {
	await Promise.all([server.closeManagement(), server.workers.stop()]);
	if (server.before !== undefined) await endOf(server.before, server.config.timeouts.drainMs);
	server.counters.close();
	await server.fleet?.close();
	await server.keeper.close();
	server.log.info({}, "stopped");
	await server.log.flush();
}

/** It finishes what it has begun for as long as this one would; one that stands still is not waited for. */
async function endOf({ gone }: Pick<Predecessor, "gone">, drainMs: number): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise((resolve) => {
		if (drainMs > 0) timer = setTimeout(resolve, drainMs + LIMITS.takeoverEndMs);
	});
	await Promise.race([gone, late]);
	clearTimeout(timer);
}
