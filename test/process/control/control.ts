/** A store with a control socket, and raw connections to it; for the tests of this folder. */
import { connect } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
	ControlServer,
	type FleetControl,
	type Replaceable,
} from "../../../src/process/control/server.ts";
import { openStore } from "../../../src/store/open.ts";
import type { Store } from "../../../src/store/store.ts";
import { temporaryFolder } from "../../store/folder.ts";

export interface Controlled {
	readonly folder: string;
	readonly store: Store;
	readonly server: ControlServer;
}

export async function startControlled(
	folder = temporaryFolder(),
	supervisor?: Replaceable,
	fleet?: FleetControl,
): Promise<Controlled> {
	const store = openStore(folder);
	const server = await ControlServer.open(folder, store, { supervisor, fleet });
	onTestFinished(async () => {
		server.close();
		await store.close();
	});
	return { folder, store, server };
}

/** What comes back on a connection of its own, until the server ends it. */
export function say(folder: string, text: string): Promise<string> {
	return new Promise((resolve, reject) => {
		const socket = connect(join(folder, "control.sock"));
		let received = "";
		socket.on("data", (chunk) => {
			received += chunk;
		});
		socket.on("error", (error: NodeJS.ErrnoException) => {
			if (error.code !== "ECONNRESET" && error.code !== "EPIPE") reject(error);
		});
		socket.on("close", () => resolve(received));
		socket.write(text);
	});
}

export const storedKey = (id: string) => ({
	id,
	name: "for tests",
	role: "admin" as const,
	hash: "0".repeat(64),
	createdAt: "2026-01-01T00:00:00.000Z",
});
