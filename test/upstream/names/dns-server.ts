/** A DNS server on loopback that says what a test says, for what the system's resolver can't tell. */
import { createSocket, type Socket } from "node:dgram";
import { Resolver } from "node:dns";
import { isIPv4 } from "node:net";
import { afterEach } from "vitest";

export interface Answer {
	readonly address: string;
	readonly ttlSeconds: number;
	/** the name is an alias, for so long */
	readonly aliasSeconds?: number;
}

/** Answers for a name, `"silent"` for none at all; undefined if there is no such name. */
export type Zone = Readonly<Record<string, readonly Answer[] | "silent">>;

const A = 1;
const CNAME = 5;
const AAAA = 28;
const HEADER_BYTES = 12;
/** where the name of the question stands */
const QUESTION_NAME = Buffer.from([0xc0, HEADER_BYTES]);
const ALIAS = Buffer.from("\x05alias\x04test\0", "latin1");

const bytesOf = (address: string): Buffer => {
	if (isIPv4(address)) return Buffer.from(address.split(".").map(Number));
	const [left = "", right = ""] = address.split("::");
	const groups = (text: string): number[] =>
		text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
	const [head, tail] = [groups(left), groups(right)];
	const all = [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
	return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]));
};

function record(name: Buffer, type: number, ttlSeconds: number, data: Buffer): Buffer {
	const fixed = Buffer.alloc(10);
	fixed.writeUInt16BE(type, 0);
	fixed.writeUInt16BE(1, 2);
	fixed.writeUInt32BE(ttlSeconds, 4);
	fixed.writeUInt16BE(data.length, 8);
	return Buffer.concat([name, fixed, data]);
}

function recordsOf({ address, ttlSeconds, aliasSeconds }: Answer): Buffer[] {
	const type = isIPv4(address) ? A : AAAA;
	if (aliasSeconds === undefined) {
		return [record(QUESTION_NAME, type, ttlSeconds, bytesOf(address))];
	}
	return [
		record(QUESTION_NAME, CNAME, aliasSeconds, ALIAS),
		record(ALIAS, type, ttlSeconds, bytesOf(address)),
	];
}

interface Question {
	readonly name: string;
	readonly type: number;
	/** header and question, of the bytes that came */
	readonly end: number;
}

function questionOf(query: Buffer): Question {
	const labels: string[] = [];
	let at = HEADER_BYTES;
	for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
		labels.push(query.toString("latin1", at + 1, at + 1 + length));
		at += 1 + length;
	}
	return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

export class DnsServer {
	/** `A name` or `AAAA name`, as asked */
	readonly asked: string[] = [];
	readonly #zone: Zone;
	readonly #socket: Socket;

	private constructor(zone: Zone, socket: Socket) {
		this.#zone = zone;
		this.#socket = socket;
		socket.on("message", (query, { port }) => {
			const reply = this.#reply(query);
			if (reply !== undefined) socket.send(reply, port, "127.0.0.1");
		});
	}

	static async start(zone: Zone): Promise<DnsServer> {
		const socket = createSocket("udp4");
		await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
		servers.push(socket);
		return new DnsServer(zone, socket);
	}

	/** One that asks this server alone. @param timeout milliseconds of a try */
	resolver(timeout = 1000): Resolver {
		const resolver = new Resolver({ timeout, tries: 2 });
		resolver.setServers([`127.0.0.1:${this.#socket.address().port}`]);
		return resolver;
	}

	#reply(query: Buffer): Buffer | undefined {
		const { name, type, end } = questionOf(query);
		this.asked.push(`${type === A ? "A" : "AAAA"} ${name}`);
		const answers = this.#zone[name];
		if (answers === "silent") return undefined;
		const records = (answers ?? [])
			.filter(({ address }) => isIPv4(address) === (type === A))
			.flatMap(recordsOf);
		const head = Buffer.from(query.subarray(0, end));
		head.writeUInt16BE(answers === undefined ? 0x8183 : 0x8180, 2);
		head.writeUInt16BE(records.length, 6);
		head.writeUInt32BE(0, 8);
		return Buffer.concat([head, ...records]);
	}
}

const servers: Socket[] = [];

afterEach(() => {
	for (const socket of servers.splice(0)) socket.close();
});
