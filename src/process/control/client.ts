/**
 * A command's end of the control socket (`protocol.ts`): the keys of a store that a running server owns.
 * Made by `keys.ts`.
 */
import { connect } from "node:net";
import type { z } from "zod";
import { LIMITS } from "../../limits/limits.ts";
import type { StoredKey } from "../../store/store.ts";
import { StoreError } from "../../store/store-error.ts";
import {
	type FleetRaised,
	type FleetRestored,
	type FleetStatus,
	fleetLog,
	fleetRaised,
	fleetRestored,
	fleetStatus,
	type ShownLog,
} from "./fleet-protocol.ts";
import { type ControlAnswer, type ControlRequest, listedKeys, upgraded } from "./protocol.ts";
import { type SocketPath, socketPath } from "./socket-path.ts";

/** No process listens on the socket: the server has ended, or has not begun to listen. */
export class NoServerError extends Error {}

export class ControlClient {
	readonly #folder: string;
	readonly #patienceMs: number;

	constructor(folder: string, patienceMs: number = LIMITS.controlPatienceMs) {
		this.#folder = folder;
		this.#patienceMs = patienceMs;
	}

	async addKey(key: StoredKey): Promise<void> {
		await this.#ask({ do: "add-key", key });
	}

	async revokeKey(id: string): Promise<boolean> {
		return (await this.#ask({ do: "revoke-key", id })) as boolean;
	}

	async keys(): Promise<readonly StoredKey[]> {
		return read(listedKeys, await this.#ask({ do: "list-keys" }));
	}

	async fleetStatus(): Promise<FleetStatus> {
		return read(fleetStatus, await this.#ask({ do: "fleet-status" }));
	}

	/** newest first @param before a revision */
	async fleetLog(limit: number, before: number | undefined): Promise<ShownLog> {
		const from = before === undefined ? {} : { before };
		return read(fleetLog, await this.#ask({ do: "fleet-log", limit, ...from }));
	}

	/** To the highest level that the server's version understands. */
	async fleetRaise(): Promise<FleetRaised> {
		return read(fleetRaised, await this.#ask({ do: "fleet-raise" }));
	}

	async fleetForget(member: string): Promise<void> {
		await this.#ask({ do: "fleet-forget", member });
	}

	/** @param file that the server can read */
	async fleetRestore(file: string): Promise<FleetRestored> {
		return read(fleetRestored, await this.#ask({ do: "fleet-restore", file }));
	}

	/** @throws StoreError why this version has not taken over; NoServerError */
	async upgrade(
		node: string,
		main: string,
	): Promise<{ readonly pid: number; readonly version: string }> {
		return upgraded.parse(await this.#ask({ do: "upgrade", node, main }));
	}

	/** Whether a server listens, though it may not answer. */
	async hasServer(): Promise<boolean> {
		try {
			await this.#ask({ do: "list-keys" });
		} catch (error) {
			if (error instanceof NoServerError) return false;
			if (!(error instanceof StoreError)) throw error;
		}
		return true;
	}

	/** @throws NoServerError, StoreError what the server says, or that it says nothing */
	async #ask(request: ControlRequest): Promise<unknown> {
		const address = addressIn(this.#folder);
		try {
			const answer = JSON.parse(
				await exchange(address.path, request, this.#patienceMs),
			) as ControlAnswer;
			if ("error" in answer) throw new StoreError(answer.error);
			return answer.value;
		} finally {
			address.release();
		}
	}
}

function read<T>(schema: z.ZodType<T>, answer: unknown): T {
	const parsed = schema.safeParse(answer);
	if (parsed.success) return parsed.data;
	throw new StoreError(
		"the server's answer can't be read: is it another version? Use that version's command, or restart the server with this one",
	);
}

function addressIn(folder: string): SocketPath {
	try {
		return socketPath(folder);
	} catch (error) {
		throw (error as NodeJS.ErrnoException).code === "ENOENT"
			? new NoServerError()
			: new StoreError((error as Error).message);
	}
}

const NOBODY = ["ENOENT", "ECONNREFUSED", "ENOTDIR"];

function exchange(path: string, request: ControlRequest, patienceMs: number): Promise<string> {
	return new Promise((resolve, reject) => {
		const socket = connect(path);
		let received = "";
		socket.setEncoding("utf8");
		socket.setTimeout(patienceMs, () =>
			socket.destroy(
				new StoreError("the server does not answer; look whether it has done what was asked"),
			),
		);
		socket.on("error", (error: NodeJS.ErrnoException) => {
			if (NOBODY.includes(error.code ?? "")) reject(new NoServerError());
			else if (error instanceof StoreError) reject(error);
			else reject(new StoreError(`the server can't be asked: ${error.message}`));
		});
		socket.on("data", (chunk: string) => {
			received += chunk;
		});
		socket.on("close", () => {
			if (received.endsWith("\n")) resolve(received);
			else reject(new StoreError("the server ended the connection without an answer"));
		});
		socket.write(`${JSON.stringify(request)}\n`);
	});
}
