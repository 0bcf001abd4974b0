/**
 * The supervisor's end of the control socket (`protocol.ts`). A client that says nothing, or too much, is
 * dropped; it costs a connection of few, nothing else waits for it. Started by `serve.ts`, which owns the
 * store by then: what lies in the socket's place was left behind.
 */
import { rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { parseJson } from "../../documents/json.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { KeyStore } from "../../store/store.ts";
import { StoreError } from "../../store/store-error.ts";
import { type ControlAnswer, type ControlRequest, controlRequest } from "./protocol.ts";
import { type SocketPath, socketPath } from "./socket-path.ts";

export type ControlledStore = Pick<KeyStore, "addKey" | "revokeKey" | "keys" | "refresh">;

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
	static async open(folder: string, store: ControlledStore): Promise<ControlServer> {
		const path = socketPath(folder);
		const silent = new Set<Socket>();
		const server = createServer({ allowHalfOpen: true }, (socket) => serve(socket, store, silent));
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

function serve(socket: Socket, store: ControlledStore, silent: Set<Socket>): void {
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
		void answer(line.slice(0, end), store).then((said) => socket.end(`${JSON.stringify(said)}\n`));
	});
}

async function answer(line: string, store: ControlledStore): Promise<ControlAnswer> {
	const parsed = parseJson(Buffer.from(line));
	const request = controlRequest.safeParse(parsed.ok ? parsed.value.value : undefined);
	if (!request.success)
		return { error: "the server doesn't know this request: is it another version?" };
	try {
		return { value: await obey(request.data, store) };
	} catch (error) {
		if (error instanceof StoreError) return { error: error.message };
		throw error;
	}
}

async function obey(request: ControlRequest, store: ControlledStore): Promise<unknown> {
	switch (request.do) {
		case "add-key":
			await store.addKey(request.key);
			return null;
		case "revoke-key":
			return store.revokeKey(request.id);
		case "list-keys":
			store.refresh();
			return store.keys();
	}
}
