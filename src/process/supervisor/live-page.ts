/** The live page's part of the management API's options: what it is told, where its files are. Called by `serve.ts`. */
import { fileURLToPath } from "node:url";
import type { Config } from "../../config.ts";
import { LiveApi } from "../../management/live/live-api.ts";
import type { Publisher } from "../../management/publisher.ts";
import type { ManagementOptions } from "../../management/server.ts";
import type { CertificateDates } from "../config/certificate-dates.ts";
import { versionOf } from "../version.ts";
import { conditionsOf } from "./live-conditions.ts";
import type { StoreKeeper } from "./store-keeper.ts";
import type { WorkerSet } from "./worker-set.ts";

/** beside the rest of the build (scripts/build.mjs) */
const UI_FOLDER = fileURLToPath(new URL("../../ui", import.meta.url));

interface Surroundings {
	readonly workers: WorkerSet;
	/** who has all workers take a change over */
	readonly publisher: Publisher;
	readonly keeper: StoreKeeper;
	readonly counts: ManagementOptions["counts"];
	/** as they are now */
	readonly settings: {
		readonly config: Config;
		readonly certificates: readonly CertificateDates[];
	};
}

export function openLivePage({
	workers,
	publisher,
	keeper,
	counts,
	settings,
}: Surroundings): Pick<ManagementOptions, "publisher" | "live" | "ui"> {
	const { store } = keeper;
	const live = new LiveApi({
		...{ source: workers.live, store, counts, version: versionOf() },
		decisionsKept: () => settings.config.decisions.keep,
	});
	workers.live.conditions = () => {
		const { certificates } = settings;
		const countsTogether = counts() !== undefined;
		const known = { loss: keeper.loss, front: workers.front, certificates, countsTogether };
		return conditionsOf(known, Date.now());
	};
	return {
		publisher: {
			async publish(changes) {
				await publisher.publish(changes);
				live.changed(changes);
			},
		},
		live,
		ui: { folder: UI_FOLDER, isOn: () => settings.config.management.ui },
	};
}
