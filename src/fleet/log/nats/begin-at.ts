/**
 * A log whose first record has a revision above 1, at servers before 2.10, which have no `first_seq`: it is filled with
 * empty messages up to there, which are dropped. (Purging an empty stream beyond its end moves what 2.9 tells of its end,
 * but not what it compares an append with, until it is started again.)
 */
import { LIMITS } from "../../../limits/limits.ts";
import type { Api, StreamInfo } from "./api.ts";
import type { StreamConfig } from "./stream-configs.ts";

/** messages until the next are dropped, so that they stay far below the log's bytes */
const DROP_EVERY = 10_000;

/** @param make makes the stream @param config of the log, empty till now */
export async function beginAt(
	api: Api,
	make: (config: StreamConfig) => Promise<void>,
	config: StreamConfig,
	revision: number,
): Promise<void> {
	// A subject of its own is not passed on to members.
	const subject = `${api.names.append}.begin`;
	await make({ ...config, subjects: [subject, api.names.append] });
	for (let last = 0; last < revision; ) {
		const count = Math.min(LIMITS.fleetReadsAtATime, revision - last, DROP_EVERY);
		const timeoutMs = LIMITS.fleetRequestMs;
		const what = "beginning the log";
		await Promise.all(
			Array.from({ length: count }, () => api.link.request({ subject, timeoutMs, what })),
		);
		if (Math.floor((last + count) / DROP_EVERY) > Math.floor(last / DROP_EVERY))
			await api.purge(config.name, { seq: last + count + 1 });
		last += count;
	}
	await api.purge(config.name, { seq: revision + 1 });
	await api.call<StreamInfo>(`STREAM.UPDATE.${config.name}`, config.name, config);
}
