/**
 * The supervisor's end of the control socket (`protocol.ts`). A client that says nothing, or too much, is
 * dropped; it costs a connection of few, nothing else waits for it. Started by `serve.ts`, which owns the
 * store by then: what lies in the socket's place was left behind.
 */
import { rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { parseJson } from "../../documents/json.ts";
import { FleetError } from "../../fleet/fleet-error.ts";
import { LogError } from "../../fleet/log/log.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { KeyStore } from "../../store/store.ts";
import { StoreError } from "../../store/store-error.ts";
import { type TakeoverRequest, takeoverRequest } from "../handover/protocol.ts";
import type { FleetRequest } from "./fleet-protocol.ts";
import { type ControlAnswer, type ControlRequest, controlRequest } from "./protocol.ts";
import { type SocketPath, socketPath } from "./socket-path.ts";

export type ControlledStore = Pick<KeyStore, "addKey" | "revokeKey" | "keys" | "refresh">;

/** The supervisor, as far as it can be replaced by another one (`handover/giver.ts`). */
export interface Replaceable {
	/** @throws Error why not, in sentences */
	upgrade(program: { readonly node: string; readonly main: string }): Promise<unknown>;
	begin(request: TakeoverRequest, socket: Socket): Promise<void>;
}

/** The machine's fleet (`fleet/fleet-control.ts`). @throws StoreError, FleetError, LogError why not, in a sentence */
export type FleetControl = (request: FleetRequest) => Promise<unknown>;

/** Without one of the two, what it would answer is refused. */
export interface Controlling {
	readonly supervisor?: Replaceable | undefined;
	readonly fleet?: FleetControl | undefined;
}

export class ControlServer {
	readonly #server: Server;
	readonly #path: SocketPath;
	/** connections that have not asked for anything yet */
	readonly #silent: Set<Socket>;

	private constructor(server: Server, path: SocketPath, silent: Set<Socket>) {
		this.#server = server;
		this.#path = path;
		this.#silent = silent;
	}

	/** @throws Error the folder can't hold a socket */
	static async open(
		folder: string,
		store: ControlledStore,
		{ supervisor, fleet }: Controlling = {},
	): Promise<ControlServer> {
		const path = socketPath(folder);
		const silent = new Set<Socket>();
		const server = createServer({ allowHalfOpen: true }, (socket) =>
			serve(socket, { store, supervisor, fleet }, silent),
		);
		server.maxConnections = LIMITS.controlConnections;
		try {
			rmSync(path.path, { force: true });
			await listen(server, path.path);
		} catch (error) {
			path.release();
			throw error;
		}
		server.unref();
		return new ControlServer(server, path, silent);
	}

	/**
	 * Removes the socket; what is being answered is not waited for. Nobody is listened to any more: by the time
	 * that they have said what they want the store may be closed.
	 */
	close(): void {
		if (!this.#server.listening) return;
		this.#server.close();
		for (const socket of this.#silent) socket.destroy();
		this.#path.release();
	}
}

/** The socket is bound within the call of `listen`, so nobody ever sees it with other rights. */
function listen(server: Server, path: string): Promise<void> {
	return new Promise((resolve, reject) => {
		server.once("error", reject);
		const umask = process.umask(0o177);
		try {
			server.listen(path, () => {
				server.off("error", reject);
				server.on("error", () => {});
				resolve();
			});
		} finally {
			process.umask(umask);
		}
	});
}

interface Controlled extends Controlling {
	readonly store: ControlledStore;
}

function serve(socket: Socket, controlled: Controlled, silent: Set<Socket>): void {
	let line = "";
	silent.add(socket);
	socket.on("close", () => silent.delete(socket));
	socket.setEncoding("utf8");
	socket.setTimeout(LIMITS.controlPatienceMs, () => socket.destroy());
	socket.on("error", () => socket.destroy());
	socket.on("end", () => socket.end());
	socket.on("data", (chunk: string) => {
		line += chunk;
		const end = line.indexOf("\n");
		if (end < 0 && line.length <= LIMITS.controlLineBytes) return;
		silent.delete(socket);
		socket.removeAllListeners("data").resume();
		if (end < 0) {
			socket.destroy();
			return;
		}
		const parsed = parseJson(Buffer.from(line.slice(0, end)));
		const value = parsed.ok ? parsed.value.value : undefined;
		const takeover = takeoverRequest.safeParse(value);
		if (takeover.success && controlled.supervisor !== undefined) {
			void controlled.supervisor.begin(takeover.data, socket);
			return;
		}
		void answer(value, controlled, socket).then((said) => socket.end(`${JSON.stringify(said)}\n`));
	});
}

async function answer(
	value: unknown,
	controlled: Controlled,
	socket: Socket,
): Promise<ControlAnswer> {
	const request = controlRequest.safeParse(value);
	if (!request.success) return UNKNOWN;
	// It takes as long as it takes, within its own bound.
	if (request.data.do === "upgrade" || request.data.do === "fleet-restore") socket.setTimeout(0);
	try {
		return { value: await obey(request.data, controlled) };
	} catch (error) {
		const isTold = TOLD.some((kind) => error instanceof kind);
		if (isTold || request.data.do === "upgrade") return { error: (error as Error).message };
		throw error;
	}
}

/** Errors whose message is a sentence for the one who ran the command. */
const TOLD = [StoreError, FleetError, LogError];

const UNKNOWN = { error: "the server doesn't know this request: is it another version?" };

const NO_FLEET =
	"the weir that runs is in no fleet; put fleet: into its configuration, and start it again";

async function obey(
	request: ControlRequest,
	{ store, supervisor, fleet }: Controlled,
): Promise<unknown> {
	switch (request.do) {
		case "upgrade":
			if (supervisor === undefined) throw new StoreError(UNKNOWN.error);
			return supervisor.upgrade(request);
		case "add-key":
			await store.addKey(request.key);
			return null;
		case "revoke-key":
			return store.revokeKey(request.id);
		case "list-keys":
			store.refresh();
			return store.keys();
		default:
			if (fleet === undefined) throw new StoreError(NO_FLEET);
			return fleet(request);
	}
}
