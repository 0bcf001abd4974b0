/** What members say of themselves, in NATS: the last word of each in a stream in memory, and live to who listens. */
import type { Msg } from "@nats-io/transport-node";
import { LIMITS } from "../../../limits/limits.ts";
import { LogError, type MemberStatus, type SeenStatus, type Stop } from "../log.ts";
import { decodeStatus, encodeStatus } from "../status-codec.ts";
import type { Api, StreamInfo } from "./api.ts";
import { seenConfig } from "./stream-configs.ts";

const TIME = "Nats-Time-Stamp";
const SEQUENCE = "Nats-Sequence";

export class Members {
	readonly #api: Api;

	constructor(api: Api) {
		this.#api = api;
		// What is in memory alone is gone after a restart of a server that is alone.
		api.link.watch(({ isUp }) => {
			if (isUp) void this.#info().catch(() => {});
		});
	}

	say(status: MemberStatus): void {
		this.#api.link.publish(this.#api.names.status(status.id), encodeStatus(status));
	}

	hear(tell: (status: MemberStatus) => void): Stop {
		const { link, names } = this.#api;
		return link.subscribe(names.status("*"), (message) => {
			const status = statusIn(message);
			if (status !== undefined) tell(status);
		});
	}

	async seen(): Promise<readonly SeenStatus[]> {
		const { ts } = await this.#info();
		const found = await this.#all();
		const times = found.map(({ headers }) => Date.parse(headers?.last(TIME) ?? ""));
		// Before 2.10 the engine does not tell its time: the newest word is not in the future.
		const now = times.reduce(
			(latest, time) => Math.max(latest, time || 0),
			ts === undefined ? Date.now() : Date.parse(ts),
		);
		return found.flatMap((message, index) => {
			const status = statusIn(message);
			const time = times[index] ?? Number.NaN;
			return status === undefined ? [] : [{ status, ageMs: Number.isNaN(time) ? 0 : now - time }];
		});
	}

	async forget(member: string): Promise<void> {
		await this.#api.purge(this.#api.names.seen, { filter: this.#api.names.status(member) });
	}

	/** Makes the stream anew where it is gone and the log is not; for that a manager has the right. */
	async #info(): Promise<StreamInfo> {
		const { names } = this.#api;
		try {
			return await this.#api.info(names.seen);
		} catch (error) {
			if (!(error instanceof LogError) || error.kind !== "missing") throw error;
			const log = await this.#api.info(names.log);
			const wanted = seenConfig(names, Number(log.config.num_replicas ?? 1));
			return this.#api.call(`STREAM.CREATE.${names.seen}`, names.seen, wanted);
		}
	}

	async #all(): Promise<readonly Msg[]> {
		const found: Msg[] = [];
		for (let seq = 1; found.length < LIMITS.fleetMembers; ) {
			const part = await this.#from(seq);
			if (part.length === 0) break;
			found.push(...part);
			seq = Number(part.at(-1)?.headers?.last(SEQUENCE)) + 1;
		}
		return found;
	}

	async #from(seq: number): Promise<readonly Msg[]> {
		const { names } = this.#api;
		if (this.#api.hasBatches)
			return this.#api.directMany(names.seen, {
				seq,
				batch: LIMITS.fleetReadRecords,
				max_bytes: LIMITS.fleetReadBytes,
			});
		const next = await this.#api.direct(names.seen, { seq, next_by_subj: names.status("*") });
		return next === undefined ? [] : [next];
	}
}

/** A member says nothing of others: the subject, to which alone it has the right, names it. */
function statusIn({ subject, headers, data }: Msg): MemberStatus | undefined {
	const said = headers?.last("Nats-Subject") || subject;
	const status = decodeStatus(data);
	return status !== undefined && said.endsWith(`.${status.id}`) ? status : undefined;
}
