/** The log's records in NATS: appended with compare-and-set, read one by one and in parts, heard of live. */
import { headers, type Msg } from "@nats-io/transport-node";
import { LIMITS } from "../../../limits/limits.ts";
import type { FleetRecord, NumberedRecord } from "../../record.ts";
import { decodeRecord, encodeRecord } from "../../record-codec.ts";
import { type Appended, LogError, type Stop, type Tail } from "../log.ts";
import type { Api } from "./api.ts";
import { whileBehind } from "./behind.ts";
import { type ApiError, isNobodyThere } from "./failures.ts";
import { incarnationOf } from "./stream-configs.ts";

const WRONG_LAST_SEQUENCE = 10071;
const WRONG_LAST_SEQUENCE_UNKNOWN = 10164;
const STORE_FAILED = 10077;
const NO_STORAGE = [10023, 10028, 10047];
const TOO_LARGE = 10054;
const SEQUENCE = "Nats-Sequence";

interface PublishAnswer {
	readonly seq?: number;
	readonly error?: ApiError;
}

export class Records {
	readonly #api: Api;

	constructor(api: Api) {
		this.#api = api;
	}

	async append(record: FleetRecord, timeoutMs: number): Promise<Appended> {
		const { link, names } = this.#api;
		const { headers: fields, body } = encodeRecord(record);
		const carried = headers();
		for (const [name, value] of Object.entries(fields)) carried.set(name, value);
		carried.set("Nats-Expected-Stream", names.log);
		carried.set("Nats-Expected-Last-Sequence", String(record.base));
		const most = link.info?.max_payload ?? Number.POSITIVE_INFINITY;
		const bytes = body.length + carried.toString().length;
		if (bytes > Math.min(most, LIMITS.fleetRecordBytes)) return tooLarge(link.place, bytes, most);
		try {
			const answer = await link.request({
				subject: names.append,
				payload: body,
				headers: carried,
				timeoutMs,
				what: "appending to the log",
			});
			return await this.#appended(answer.json<PublishAnswer>());
		} catch (error) {
			if (!(error instanceof LogError)) throw error;
			if (error.kind === "not_permitted") return { refused: "not_permitted", why: error.message };
			// Nobody takes it, said at once: is there a log at all?
			if (isNobodyThere(error.cause))
				await this.#api.info(names.log, undefined, timeoutMs).catch(throwUnlessUnreachable);
			return { unknown: error.message };
		}
	}

	async #appended({ seq, error }: PublishAnswer): Promise<Appended> {
		const { link, names } = this.#api;
		if (error === undefined) return { revision: seq ?? 0 };
		const { err_code: code = 0, description = "" } = error;
		const said = `${description} (${code})`;
		if (code === WRONG_LAST_SEQUENCE) {
			const last = /(\d+)$/.exec(description)?.[1];
			if (last !== undefined) return { conflict: Number(last) };
		}
		if (code === WRONG_LAST_SEQUENCE || code === WRONG_LAST_SEQUENCE_UNKNOWN)
			return { conflict: (await this.tail()).last };
		if ((code === STORE_FAILED && /maximum/.test(description)) || NO_STORAGE.includes(code))
			return {
				refused: "full",
				why: `The log ${names.log} at ${link.place} is full: ${said}. Raise its max_bytes (\`nats stream edit ${names.log} --max-bytes …\`), or give JetStream more disk; snapshots trim it by themselves.`,
			};
		if (code === TOO_LARGE)
			return { refused: "too_large", why: `The log ${names.log} at ${link.place}: ${said}.` };
		return { unknown: `${link.place} answers an append with ${said}.` };
	}

	at(revision: number): Promise<NumberedRecord | "trimmed" | "not_yet"> {
		const { names } = this.#api;
		const query = { seq: revision, next_by_subj: names.append };
		return whileBehind(`record ${revision} of ${names.log}`, async () => {
			const found = await this.#api.direct(names.log, query);
			const record = found && numbered(found);
			if (record?.revision === revision) return record;
			const { first, last } = await this.tail();
			if (revision < first) return "trimmed";
			if (revision > last) return "not_yet";
			return record && { otherwise: lost(revision) };
		});
	}

	async *read(from: number, to: number): AsyncIterable<NumberedRecord> {
		for (let next = from; next <= to; ) {
			const part = await this.#part(next, to);
			if (part.length === 0) return;
			for (const record of part) yield record;
			next += part.length;
		}
	}

	/** At least one, from `next` on without gaps; none: the log ends there or is trimmed. */
	#part(next: number, to: number): Promise<readonly NumberedRecord[]> {
		const { names } = this.#api;
		return whileBehind(`record ${next} of ${names.log}`, async () => {
			const found = this.#api.hasBatches
				? await this.#api.directMany(names.log, {
						seq: next,
						batch: Math.min(to - next + 1, LIMITS.fleetReadRecords),
						max_bytes: LIMITS.fleetReadBytes,
					})
				: await this.#oneByOne(next, to);
			const part = found.map(numbered);
			const gap = part.findIndex(({ revision }, index) => revision !== next + index);
			const whole = gap < 0 ? part : part.slice(0, gap);
			if (whole.length > 0) return whole;
			const { first, last } = await this.tail();
			if (next < first || next > last) return [];
			return part.length === 0 ? undefined : { otherwise: [lost(next)] };
		});
	}

	/** Servers before 2.11 have one answer to a request. */
	async #oneByOne(next: number, to: number): Promise<readonly Msg[]> {
		const count = Math.min(to - next + 1, LIMITS.fleetReadsAtATime);
		const revisions = Array.from({ length: count }, (_, index) => next + index);
		const found = await Promise.all(
			revisions.map((seq) => this.#api.direct(this.#api.names.log, { seq })),
		);
		return found.filter((one) => one !== undefined);
	}

	async tail(): Promise<Tail> {
		const { names } = this.#api;
		const { state, config } = await this.#api.info(names.log);
		return {
			first: state.messages === 0 ? state.last_seq + 1 : state.first_seq,
			last: state.last_seq,
			incarnation: incarnationOf(config),
			bytes: state.bytes,
			maxBytes: Number(config.max_bytes ?? 0),
		};
	}

	/** A fraction of what `tail` costs the engine, which asks all of its servers. */
	async newest(): Promise<NumberedRecord | undefined> {
		const { names } = this.#api;
		const found = await this.#api.direct(names.log, { last_by_subj: names.append });
		return found && numbered(found);
	}

	live(take: (record: NumberedRecord) => void): Stop {
		const { link, names } = this.#api;
		return link.subscribe(names.live, (message) => take(numbered(message)));
	}

	async purge(upTo: number): Promise<void> {
		// Beyond the last one it would move the log's end.
		const { last } = await this.tail();
		await this.#api.purge(this.#api.names.log, { seq: Math.min(upTo, last) + 1 });
	}
}

/** No server has it, and they have later ones: the engine has lost it in the middle of the log. */
const lost = (revision: number): NumberedRecord => ({ revision, record: undefined });

function numbered({ headers: fields, data }: Msg): NumberedRecord {
	const found: Record<string, string> = {};
	for (const [name, [value]] of fields ?? []) if (value !== undefined) found[name] = value;
	return {
		// The engine's own comes last, whatever a member has written there.
		revision: Number(fields?.last(SEQUENCE) ?? 0),
		record: decodeRecord({ headers: found, body: data }),
	};
}

const tooLarge = (place: string, bytes: number, most: number): Appended => ({
	refused: "too_large",
	why: `The change takes ${bytes} bytes in the log, and ${place} takes ${Math.min(most, LIMITS.fleetRecordBytes)} (max_payload in its nats-server.conf).`,
});

function throwUnlessUnreachable(error: unknown): void {
	if (!(error instanceof LogError) || error.kind !== "unreachable") throw error;
}
