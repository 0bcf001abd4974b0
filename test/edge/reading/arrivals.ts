/**
 * What reached a backend of each client's bytes, told in a form that can be compared: method, target, fields, body.
 * Clients are told apart by their addresses, of which loopback has many, so that many may send at the same time.
 */
import { connect } from "node:net";
import { type ReceivedRequest, ScriptedUpstream } from "../../upstream/scripted-upstream.ts";
import { RawClient } from "../harness.ts";

export interface Arrived {
	readonly method: string;
	readonly target: string;
	/** `name: value` in their order, but for framing and what weir says of the client */
	readonly lines: readonly string[];
	readonly framing: "none" | "length" | "chunks";
	/** latin1 */
	readonly body: string;
}

const OF_WEIR = new Set(["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"]);
const FRAMING = new Set(["content-length", "transfer-encoding"]);
const isOfWeir = ([name, value]: readonly [string, string]): boolean =>
	OF_WEIR.has(name) ||
	(name === "via" && /^1\.[01] weir$/.test(value)) ||
	// Asked on behalf of a client that was asked the same.
	(name === "expect" && value === "100-continue");

function arrivedOf({ method, target, headers, body }: ReceivedRequest): Arrived {
	const names = new Set(headers.map(([name]) => name));
	const framing = names.has("transfer-encoding") ? "chunks" : "none";
	return {
		method,
		target,
		lines: headers
			.filter((line) => !FRAMING.has(line[0]) && !isOfWeir(line))
			.map(([name, value]) => `${name}: ${value}`),
		framing: names.has("content-length") ? "length" : framing,
		body: body.toString("latin1"),
	};
}

/** The plain spelling of what has arrived, which no two readers can disagree about, and a close behind it. */
export function respelled({ method, target, lines, framing, body }: Arrived): string {
	const framed = {
		none: "",
		length: `content-length: ${body.length}\r\n`,
		chunks: "transfer-encoding: chunked\r\n",
	}[framing];
	const chunk = body === "" ? "" : `${body.length.toString(16)}\r\n${body}\r\n`;
	const head = [`${method} ${target} HTTP/1.1`, ...lines, "connection: close"].join("\r\n");
	return `${head}\r\n${framed}\r\n${framing === "chunks" ? `${chunk}0\r\n\r\n` : body}`;
}

/** Before 127.0.0.0/8 there is `127.1.`: apart from all who connect from loopback's usual address. */
const addressOf = (number: number): string =>
	`127.${1 + Math.floor(number / 62_500)}.${1 + (Math.floor(number / 250) % 250)}.${1 + (number % 250)}`;

export class Arrivals {
	readonly #byClient = new Map<string, Arrived[]>();
	#upstream: ScriptedUpstream | undefined;
	#clients = 0;

	/** @returns the backend's url */
	async listen(): Promise<string> {
		this.#upstream = await ScriptedUpstream.start(async (connection) => {
			for (;;) {
				const request = await connection.readRequest();
				const client = new Map(request.headers).get("x-forwarded-for") ?? "";
				this.#byClient.get(client)?.push(arrivedOf(request));
				const body = request.method === "HEAD" ? "" : "ok";
				connection.write(`HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n${body}`);
			}
		});
		return this.#upstream.url;
	}

	/** What a backend could not make sense of. */
	get mistakes(): readonly unknown[] {
		return this.#upstream?.mistakes ?? [];
	}

	/** Sends pieces, a turn of the event loop between them, and waits for the connection's end. */
	async of(
		port: number,
		pieces: readonly string[],
	): Promise<{ client: RawClient; arrived: Arrived[] }> {
		const localAddress = addressOf(this.#clients++);
		const arrived: Arrived[] = [];
		this.#byClient.set(localAddress, arrived);
		const socket = connect({ port, host: "127.0.0.1", localAddress, noDelay: true });
		const client = new RawClient(0, socket);
		for (const piece of pieces) {
			if (client.closed) break;
			client.send(piece);
			await new Promise((resolve) => setImmediate(resolve));
		}
		await client.untilClosed(30_000);
		this.#byClient.delete(localAddress);
		return { client, arrived };
	}

	async close(): Promise<void> {
		await this.#upstream?.close();
	}
}
