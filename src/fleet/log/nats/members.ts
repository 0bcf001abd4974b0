/** What members say of themselves, in NATS: the last word of each in a stream in memory, and live to who listens. */
import type { Msg } from "@nats-io/transport-node";
import { LIMITS } from "../../../limits/limits.ts";
import type { MemberStatus, SeenStatus, Stop } from "../log.ts";
import { decodeStatus, encodeStatus } from "../status-codec.ts";
import type { Api, StreamState } from "./api.ts";
import { seenConfig } from "./stream-configs.ts";

const TIME = "Nats-Time-Stamp";
const SEQUENCE = "Nats-Sequence";

export class Members {
	readonly #api: Api;
	#said: MemberStatus | undefined;

	constructor(api: Api) {
		this.#api = api;
		api.link.watch(({ isUp }) => {
			if (isUp) void this.#returned();
		});
	}

	/** What was said while there was nobody to keep it is said again. */
	async #returned(): Promise<void> {
		// Who may not make it leaves it to those who may, and gives them time.
		const isThere = await this.#restored().catch(() => false);
		if (!isThere) await new Promise((resolve) => setTimeout(resolve, LIMITS.fleetAckMs).unref());
		if (this.#said !== undefined) this.say(this.#said);
	}

	/**
	 * A server alone that is started again has lost what is in memory, the stream itself too. Whoever comes back first and
	 * may makes it again.
	 */
	async #restored(): Promise<boolean> {
		const { names } = this.#api;
		if ((await this.#api.found(names.seen)) !== undefined) return true;
		const log = await this.#api.found(names.log);
		if (log === undefined) return false;
		const config = seenConfig(names, Number(log.config.num_replicas ?? 1));
		await this.#api.call(`STREAM.CREATE.${names.seen}`, names.seen, config);
		return true;
	}

	say(status: MemberStatus): void {
		this.#said = status;
		this.#api.link.publish(this.#api.names.status(status.id), encodeStatus(status));
	}

	hear(tell: (status: MemberStatus) => void): Stop {
		const { link, names } = this.#api;
		return link.subscribe(names.status("*"), (message) => {
			const status = statusIn(message);
			if (status !== undefined) tell(status);
		});
	}

	async seen(most: number = LIMITS.fleetMembers): Promise<readonly SeenStatus[]> {
		const { ts, state } = await this.#api.info(this.#api.names.seen);
		const found =
			state.messages <= most ? await this.#from(1, most) : await this.#some(state, most);
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

	/** From a place by chance: words of those who are alive are among the last, each time in another order. */
	async #some({ messages, last_seq: last }: StreamState, most: number): Promise<readonly Msg[]> {
		const begin = Math.max(1, last - messages + 1);
		const places = Math.max(1, last - most + 2 - begin);
		const found = await this.#from(begin + Math.floor(Math.random() * places), most);
		if (found.length === most) return found;
		// Words were said anew meanwhile, or others are no more: who is told of few takes them for all.
		return [...found, ...(await this.#from(1, most - found.length))];
	}

	async #from(first: number, most: number): Promise<readonly Msg[]> {
		const found: Msg[] = [];
		for (let seq = first; found.length < most; ) {
			const part = await this.#part(seq, Math.min(most - found.length, LIMITS.fleetReadRecords));
			if (part.length === 0) break;
			found.push(...part);
			seq = Number(part.at(-1)?.headers?.last(SEQUENCE)) + 1;
		}
		return found;
	}

	async #part(seq: number, batch: number): Promise<readonly Msg[]> {
		const { names } = this.#api;
		if (this.#api.hasBatches)
			return this.#api.directMany(names.seen, { seq, batch, max_bytes: LIMITS.fleetReadBytes });
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
