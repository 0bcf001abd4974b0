/**
 * Client processes that send to one server at the same time, for tests of what is counted over all its
 * workers. Each has many connections, so that every worker serves some; all are open before the first
 * request goes out.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** One connection's requests, one after the other; a connection that broke is made anew. */
export interface Lane {
	/** request n goes to `${path}/${n}`: paths of different lanes must differ */
	readonly path: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly requests: number;
	/** a header whose value is `${prefix}${⌊n / every⌋}` */
	readonly rotating?: {
		readonly header: string;
		readonly prefix: string;
		readonly every: number;
	};
}

/** What became of a request. Times are of one clock for all processes, milliseconds. */
export interface Sent {
	readonly path: string;
	/** value of the lane's rotating header, else "" */
	readonly key: string;
	/** 0 where the connection broke: nobody knows whether it was counted */
	readonly status: number;
	readonly retryAfterSeconds: number;
	readonly beginMs: number;
	readonly endMs: number;
}

type Row = readonly [status: number, retryAfter: number, beginMs: number, endMs: number];
interface Progress {
	readonly admitted: number;
	readonly rejected: number;
}
type FromClient =
	| { readonly type: "up" | "ready" }
	| ({ readonly type: "progress" } & Progress)
	| { readonly type: "done"; readonly sent: readonly (readonly Row[])[] };

export interface CrowdRun {
	/** answers of 200 and of 429 so far, a little behind */
	progress(): Progress;
	/** lets every lane end with the request it is at */
	stop(): void;
	readonly sent: Promise<readonly Sent[]>;
}

export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;

function sentOf(lane: Lane, rows: readonly Row[]): Sent[] {
	const { rotating } = lane;
	return rows.map(([status, retryAfterSeconds, beginMs, endMs], number) => ({
		path: `${lane.path}/${number}`,
		key: rotating === undefined ? "" : `${rotating.prefix}${Math.floor(number / rotating.every)}`,
		status,
		retryAfterSeconds,
		beginMs,
		endMs,
	}));
}

export class Crowd {
	readonly #clients: readonly ChildProcess[];

	private constructor(clients: readonly ChildProcess[]) {
		this.#clients = clients;
	}

	static async start(processes: number): Promise<Crowd> {
		const script = join(import.meta.dirname, "crowd-client.mjs");
		const clients = Array.from({ length: processes }, () => fork(script, { execArgv: [] }));
		await Promise.all(clients.map((client) => once(client, "message")));
		return new Crowd(clients);
	}

	/** Resolves when all connections are open and all clients have been told to begin. */
	async begin(port: number, lanesOf: (client: number) => readonly Lane[]): Promise<CrowdRun> {
		const progress = new Map<ChildProcess, Progress>();
		const total = (kind: keyof Progress): number =>
			[...progress.values()].reduce((sum, each) => sum + each[kind], 0);
		const runs = this.#clients.map((client, index) => {
			const lanes = lanesOf(index);
			let ready = (): void => {};
			const isReady = new Promise<void>((resolve) => {
				ready = resolve;
			});
			const sent = new Promise<readonly Sent[]>((resolve, reject) => {
				const onExit = (): void => reject(new Error("a client process ended"));
				client.once("exit", onExit);
				const onMessage = (message: FromClient): void => {
					if (message.type === "ready") ready();
					if (message.type === "progress") progress.set(client, message);
					if (message.type !== "done") return;
					client.off("message", onMessage).off("exit", onExit);
					resolve(lanes.flatMap((lane, at) => sentOf(lane, message.sent[at] ?? [])));
				};
				client.on("message", onMessage);
			});
			client.send({ type: "open", port, lanes });
			return { isReady, sent };
		});
		await Promise.all(runs.map(({ isReady }) => isReady));
		for (const client of this.#clients) client.send({ type: "go" });
		return {
			progress: () => ({ admitted: total("admitted"), rejected: total("rejected") }),
			stop: () => {
				for (const client of this.#clients) client.send({ type: "stop" });
			},
			sent: Promise.all(runs.map(({ sent }) => sent)).then((all) => all.flat()),
		};
	}

	async send(port: number, lanesOf: (client: number) => readonly Lane[]): Promise<readonly Sent[]> {
		return (await this.begin(port, lanesOf)).sent;
	}

	async close(): Promise<void> {
		await Promise.all(
			this.#clients.map(async (client) => {
				if (client.exitCode !== null || client.signalCode !== null) return;
				const ended = once(client, "exit");
				client.kill("SIGKILL");
				await ended;
			}),
		);
	}
}

/** How many of these were answered with this status. */
export const count = (sent: readonly Sent[], status: number): number =>
	sent.filter((each) => each.status === status).length;

/** Requests by the value of their lane's rotating header. */
export function byKey(sent: readonly Sent[]): Map<string, Sent[]> {
	const groups = new Map<string, Sent[]>();
	for (const each of sent) {
		const group = groups.get(each.key);
		if (group === undefined) groups.set(each.key, [each]);
		else group.push(each);
	}
	return groups;
}
