/**
 * A fleet's log in NATS JetStream. With its folder the only code that knows NATS; loaded where a fleet is configured, with
 * a dynamic import, and nowhere else.
 */
import type { FleetRecord, NumberedRecord } from "../../record.ts";
import type {
	Appended,
	Connection,
	FleetLog,
	MemberStatus,
	SeenStatus,
	Stop,
	Tail,
} from "../log.ts";
import { Api } from "./api.ts";
import { connectTo } from "./connect.ts";
import { Link } from "./link.ts";
import { Members } from "./members.ts";
import { Records } from "./records.ts";
import { type EngineSettings, namesOf } from "./settings.ts";
import { Snapshots } from "./snapshots.ts";

export class NatsLog implements FleetLog {
	readonly #link: Link;
	readonly #records: Records;
	readonly #members: Members;
	readonly snapshots: Snapshots;
	/** for `setup.ts` */
	readonly api: Api;

	/** Begins to connect, and goes on until it is closed; `connection` tells how it goes. */
	constructor(settings: EngineSettings) {
		this.#link = new Link(settings.servers, (server) => connectTo(server, settings));
		this.api = new Api(this.#link, namesOf(settings), settings.fleet);
		this.#records = new Records(this.api);
		this.#members = new Members(this.api);
		this.snapshots = new Snapshots(this.api);
	}

	append(record: FleetRecord, timeoutMs: number): Promise<Appended> {
		return this.#records.append(record, timeoutMs);
	}
	at(revision: number): Promise<NumberedRecord | "trimmed" | "not_yet"> {
		return this.#records.at(revision);
	}
	read(from: number, to: number): AsyncIterable<NumberedRecord> {
		return this.#records.read(from, to);
	}
	tail(): Promise<Tail> {
		return this.#records.tail();
	}
	newest(): Promise<NumberedRecord | undefined> {
		return this.#records.newest();
	}
	live(take: (record: NumberedRecord) => void): Stop {
		return this.#records.live(take);
	}
	connection(tell: (state: Connection) => void): Stop {
		return this.#link.watch(tell);
	}
	say(status: MemberStatus): void {
		this.#members.say(status);
	}
	seen(most?: number): Promise<readonly SeenStatus[]> {
		return this.#members.seen(most);
	}
	hear(tell: (status: MemberStatus) => void): Stop {
		return this.#members.hear(tell);
	}
	forget(member: string): Promise<void> {
		return this.#members.forget(member);
	}
	purge(upTo: number): Promise<void> {
		return this.#records.purge(upTo);
	}
	/** Connects anew: with certificates and credentials as their files are now. */
	refresh(): Promise<void> {
		return this.#link.refresh();
	}
	close(): Promise<void> {
		return this.#link.close();
	}
}
