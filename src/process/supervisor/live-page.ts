/**
 * The part of the management API's options that is about what happens now: what the live page is told, where its files are,
 * and explanations of requests. Called by `serve.ts`.
 */
import { fileURLToPath } from "node:url";
import type { Config } from "../../config.ts";
import type { Explainer } from "../../explain/explainer.ts";
import { LiveExplanations } from "../../explain/live/live-explanations.ts";
import { TokenBook } from "../../explain/live/token-book.ts";
import { LiveApi } from "../../management/live/live-api.ts";
import type { Publisher } from "../../management/publisher.ts";
import type { ManagementOptions } from "../../management/server.ts";
import type { Log } from "../../telemetry/log.ts";
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
	readonly log: Log;
	readonly explainer: Explainer;
	/** as they are now */
	readonly settings: {
		readonly config: Config;
		readonly certificates: readonly CertificateDates[];
	};
}

type OptionsOfPage = "publisher" | "live" | "ui" | "explainer" | "requestIdHeader";

interface LivePage extends Pick<ManagementOptions, OptionsOfPage> {
	readonly explainTokens: TokenBook;
}

export function openLivePage({
	workers,
	publisher,
	keeper,
	counts,
	settings,
	log,
	explainer,
}: Surroundings): LivePage {
	const { store } = keeper;
	const explainTokens = new TokenBook({ tell: (tokens) => workers.live.watch(tokens) });
	const explanations = new LiveExplanations({ explainer, tokens: explainTokens, log });
	workers.live.seen = (seen, place) => explanations.take(seen, place);
	const live = new LiveApi({
		...{ source: workers.live, store, counts, version: versionOf(), explanations },
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
		explainer,
		explainTokens,
		requestIdHeader: () => settings.config.requestId.header,
		ui: { folder: UI_FOLDER, isOn: () => settings.config.management.ui },
	};
}
