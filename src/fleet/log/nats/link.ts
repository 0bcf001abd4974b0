/**
 * A member's connection to its engine, kept for ever: made again with another server when it ends, its subscriptions with
 * it. The client's own way to reconnect is not used: it tells no causes, reads no file again, leaves requests hanging.
 */
import type { Msg, MsgHdrs, NatsConnection } from "@nats-io/transport-node";
import { LIMITS } from "../../../limits/limits.ts";
import { type Connection, LogError, type Stop } from "../log.ts";
import { connectionProblem, requestProblem } from "./failures.ts";
import { placeOf } from "./settings.ts";
import { subscribeOn, type Wanted, watchErrors } from "./subscriptions.ts";

export interface Request {
	readonly subject: string;
	readonly payload?: Uint8Array | string;
	readonly headers?: MsgHdrs;
	readonly timeoutMs: number;
	/** for the sentence if it fails: "reading the log" */
	readonly what: string;
}

export class Link {
	readonly #servers: readonly string[];
	readonly #connect: (server: string) => Promise<NatsConnection>;
	readonly #watchers = new Set<(state: Connection) => void>();
	readonly #wanted = new Set<Wanted>();
	/** of requests that wait: called when the connection ends */
	readonly #waiting = new Set<(error: LogError) => void>();
	readonly #loop: Promise<void>;
	#connection: NatsConnection | undefined;
	#state: Connection;
	#isClosed = false;
	/** ends the pause between two tries */
	#wake: () => void = () => {};

	/** @param connect to one server; rejects with a sentence */
	constructor(servers: readonly string[], connect: (server: string) => Promise<NatsConnection>) {
		this.#servers = servers;
		this.#connect = connect;
		this.#state = down(`No connection to ${servers.map(placeOf).join(", ")} was made yet.`);
		this.#loop = this.#keep();
	}

	/** of the server that is connected to; undefined while there is none */
	get info(): NatsConnection["info"] {
		return this.#connection?.info;
	}

	/** for sentences */
	get place(): string {
		return this.#connection?.getServer() ?? this.#servers.map(placeOf).join(", ");
	}

	watch(tell: (state: Connection) => void): Stop {
		this.#watchers.add(tell);
		tell(this.#state);
		return () => {
			this.#watchers.delete(tell);
		};
	}

	/** On every connection from now on. */
	subscribe(subject: string, take: (message: Msg) => void): Stop {
		const wanted: Wanted = { subject, take };
		this.#wanted.add(wanted);
		if (this.#connection !== undefined) subscribeOn(this.#connection, wanted);
		return () => {
			this.#wanted.delete(wanted);
			wanted.subscription?.unsubscribe();
		};
	}

	/** Fire and forget. */
	publish(subject: string, payload: string): void {
		if (this.#connection?.isClosed() === false) this.#connection.publish(subject, payload);
	}

	/** @throws LogError `unreachable`, `not_permitted`, or what was thrown if nobody is there to answer */
	request({ subject, payload, headers, timeoutMs, what }: Request): Promise<Msg> {
		return this.#ask(what, (connection) =>
			connection.request(subject, payload, {
				timeout: timeoutMs,
				...(headers !== undefined && { headers }),
			}),
		);
	}

	/** Many answers to one request; the last has no content, and is among them. @throws LogError */
	requestMany({ subject, payload, timeoutMs, what }: Request): Promise<readonly Msg[]> {
		return this.#ask(what, async (connection) => {
			const answers: Msg[] = [];
			const options = { strategy: "sentinel", maxWait: timeoutMs } as const;
			for await (const answer of await connection.requestMany(subject, payload, options))
				answers.push(answer);
			return answers;
		});
	}

	/** Connects anew, with the files as they are now. */
	async refresh(): Promise<void> {
		this.#wake();
		await this.#connection?.close();
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		const isConnected = this.#connection !== undefined;
		await this.refresh();
		// A connection that is being made closes itself.
		if (isConnected) await this.#loop;
		else this.#tell(down(CLOSED));
	}

	async #ask<T>(what: string, send: (connection: NatsConnection) => Promise<T>): Promise<T> {
		const connection = this.#connection;
		if (connection === undefined) throw this.#unreachable();
		let end: ((error: LogError) => void) | undefined;
		const ended = new Promise<never>((_, reject) => {
			end = reject;
			this.#waiting.add(reject);
		});
		try {
			return await Promise.race([send(connection), ended]);
		} catch (error) {
			if (error instanceof LogError) throw error;
			if (this.#connection !== connection) throw this.#unreachable();
			// The client tells its requests first, without the cause.
			if (connection.isClosed())
				throw new LogError("unreachable", connectionProblem(this.place, new Error("disconnected")));
			throw requestProblem(this.place, what, error);
		} finally {
			if (end !== undefined) this.#waiting.delete(end);
		}
	}

	#unreachable(): LogError {
		return new LogError(
			"unreachable",
			this.#state.isUp ? "The connection to the engine was just made anew." : this.#state.why,
		);
	}

	async #keep(): Promise<void> {
		for (let failures = 0; !this.#isClosed; ) {
			const connection = await this.#connectToAny();
			const began = Date.now();
			if (connection !== undefined) await this.#hold(connection);
			// One that ends at once counts as a failure: its server takes nobody, or not us.
			const isGood = Date.now() - began > LIMITS.fleetReconnectMsMax;
			failures = isGood ? 0 : failures + 1;
			if (!this.#isClosed) await this.#pause(failures);
		}
		this.#tell(down(CLOSED));
	}

	/** Each server once, the first that takes us. */
	async #connectToAny(): Promise<NatsConnection | undefined> {
		const problems: string[] = [];
		for (const server of shuffled(this.#servers)) {
			if (this.#isClosed) return undefined;
			try {
				return await this.#connect(server);
			} catch (error) {
				problems.push(error instanceof Error ? error.message : String(error));
			}
		}
		this.#tell(down(problems.sort().join(" ")));
		return undefined;
	}

	/** Resolves when the connection has ended. */
	async #hold(connection: NatsConnection): Promise<void> {
		const place = connection.getServer();
		const version = connection.info?.version ?? "";
		const why = watchErrors(connection);
		this.#connection = connection;
		for (const wanted of this.#wanted) subscribeOn(connection, wanted);
		// What we may not hear is said before the answer to this.
		await connection.flush().catch(() => {});
		if (this.#isClosed) await connection.close();
		else if (!connection.isClosed())
			this.#tell({ isUp: true, server: place, version, since: now() });
		const error = (await connection.closed()) ?? why();
		this.#connection = undefined;
		this.#tell(down(connectionProblem(place, error ?? new Error("disconnected"))));
		const lost = this.#unreachable();
		for (const end of [...this.#waiting]) end(lost);
	}

	#tell(state: Connection): void {
		const before = this.#state;
		if (!before.isUp && !state.isUp) {
			if (before.why === state.why) return;
			this.#state = { ...state, since: before.since };
		} else this.#state = state;
		for (const tell of [...this.#watchers]) tell(this.#state);
	}

	#pause(failures: number): Promise<void> {
		const { fleetReconnectMs: least, fleetReconnectMsMax: most } = LIMITS;
		const longest = Math.min(most, least * 2 ** (failures + 1));
		return new Promise((resolve) => {
			const timer = setTimeout(resolve, least + Math.random() * (longest - least));
			this.#wake = () => {
				clearTimeout(timer);
				resolve();
			};
		});
	}
}

const CLOSED = "The connection to the fleet's engine is closed.";

const now = (): string => new Date().toISOString();

const down = (why: string): Connection => ({ isUp: false, why, since: now() });

function shuffled<T>(all: readonly T[]): T[] {
	return all
		.map((one) => [Math.random(), one] as const)
		.sort(([one], [other]) => one - other)
		.map(([, one]) => one);
}
