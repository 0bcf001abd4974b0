/** Sends scripted answers to one implementation of `Upstream` and says what came of them. */
import type { UpstreamFactory, UpstreamFailure } from "../../src/upstream/upstream.ts";
import type { ScriptedAnswer } from "./odd-responses.ts";
import { type Bench, backend, bench } from "./probe.ts";
import type { ScriptedConnection, ScriptedUpstream } from "./scripted-upstream.ts";

export interface Outcome {
	readonly statusCode: number | undefined;
	readonly failure: UpstreamFailure | undefined;
	/** for people, not compared */
	readonly message: string;
	readonly passed: readonly (readonly [string, string])[];
	readonly length: number | undefined;
	/** latin1 */
	readonly body: string;
	/** how often the request reached the backend */
	readonly attempts: number;
	/** the next request came over the same connection */
	readonly reused: boolean;
}

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
/** turns of the event loop after which whatever was written here was read there */
const TURNS_TO_READ = 12;

const turns = async (count: number): Promise<void> => {
	for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

export class Side {
	readonly #bench: Bench;
	#script: ScriptedAnswer | undefined;
	#ended = false;
	#over: Promise<void> | undefined;
	#attempts = 0;
	/** of the last request */
	#connection = -1;

	private constructor(factory: UpstreamFactory, upstream: ScriptedUpstream) {
		this.#bench = bench(factory, [upstream.url], { connections: 1 });
	}

	static async start(factory: UpstreamFactory): Promise<Side> {
		let side: Side | undefined;
		const upstream = await backend(async (connection) => {
			await side?.serve(connection);
		});
		side = new Side(factory, upstream);
		return side;
	}

	/** One at a time. */
	async hear(script: ScriptedAnswer): Promise<Outcome> {
		this.#script = script;
		this.#ended = false;
		this.#attempts = 0;
		const probe = this.#bench.probe({ method: script.method, target: "/script" });
		const answer = await probe.answer;
		this.#ended = true;
		await this.#over;
		await turns(TURNS_TO_READ);
		const attempts = this.#attempts;
		const before = this.#connection;
		const next = await this.#bench.ask({ target: "/next" });
		if (next.body.toString() !== "ok") throw new Error(`the next request: ${next.message}`);
		return {
			statusCode: answer.statusCode,
			failure: answer.failure,
			message: answer.message,
			passed: answer.passed,
			length: answer.length,
			body: answer.body.toString("latin1"),
			attempts,
			reused: this.#connection === before,
		};
	}

	async serve(connection: ScriptedConnection): Promise<void> {
		for (;;) {
			const { target } = await connection.readRequest();
			this.#connection = connection.index;
			if (target === "/next" || this.#script === undefined) {
				connection.write(OK);
				continue;
			}
			this.#attempts += 1;
			this.#over = this.#play(connection, this.#script);
			await this.#over;
		}
	}

	async #play(connection: ScriptedConnection, script: ScriptedAnswer): Promise<void> {
		const { bytes, cuts, finish } = script;
		const edges = [0, ...cuts, bytes.length];
		for (const [index, end] of edges.slice(1).entries()) {
			const piece = Buffer.from(bytes.slice(edges[index], end), "latin1");
			if (finish === "end_at_once" && end === bytes.length) {
				connection.socket.end(piece);
				return;
			}
			await connection.drain(piece);
			await turns(index % 3);
		}
		await turns(TURNS_TO_READ);
		if (finish === "reset") connection.reset();
		else if (finish === "end" || !this.#ended) connection.end();
	}
}
