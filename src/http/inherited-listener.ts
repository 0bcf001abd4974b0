/**
 * Listeners of the server library on a socket that this process inherited. The library binds for itself only, so it
 * opens a listener on a free port, whose descriptor then becomes another one of the inherited socket, before the event
 * loop has looked at it. A connection that the kernel has queued there waits for any process that has the socket: a
 * worker that leaves loses none (docs/design.md, "Processes"). Used by `edge/server.ts`, and by
 * `process/supervisor/listening-sockets.ts` to know whether that is possible.
 */
import { getSystemErrorName } from "node:util";
import { addon } from "../native-addon.ts";
import {
	libraryFile,
	type TemplatedApp,
	type us_listen_socket,
	us_listen_socket_close,
} from "./uws.ts";

/** Elsewhere the kernel does not spread connections over sockets as Linux does. */
export function canInherit(file = libraryFile(), platform = process.platform): boolean {
	return platform === "linux" && file !== undefined && addon.canAdoptListeners(file);
}

/**
 * @param inherited a descriptor, which stays the caller's; undefined: the library binds the address itself
 * @param onListening called before the first connection
 * @throws Error if the address can't be bound, or what `onListening` throws
 */
export function openListener(
	app: TemplatedApp,
	{ host, port }: { readonly host: string; readonly port: number },
	inherited: number | undefined,
	onListening: (token: us_listen_socket) => void,
): Promise<void> {
	return new Promise((resolve, reject) => {
		app.listen(host, inherited === undefined ? port : 0, (token) => {
			if (!token) {
				reject(new Error(`can't listen on ${host} port ${port}: in use or not permitted`));
				return;
			}
			try {
				if (inherited !== undefined) adopt(token, inherited);
				onListening(token);
				resolve();
			} catch (error) {
				reject(error as Error);
			}
		});
	});
}

/** A descriptor of the socket that a listener accepts from, which stays the listener's. */
export function descriptorOf(token: us_listen_socket): number | undefined {
	const file = libraryFile();
	const descriptor = file === undefined ? -1 : addon.listenerDescriptor(file, token);
	return descriptor === -1 ? undefined : descriptor;
}

function adopt(token: us_listen_socket, inherited: number): void {
	const error = addon.adoptListener(libraryFile() ?? "", token, inherited);
	if (error !== 0) {
		us_listen_socket_close(token);
		const reason = error > 0 ? getSystemErrorName(-error) : "no way to the library's listener";
		throw new Error(`can't accept connections from an inherited socket: ${reason}`);
	}
}
