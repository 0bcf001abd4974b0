/** A listener of the server library whose clients the front reads, and the simplest client of it. For tests of readers. */
import { connect } from "node:net";
import { afterAll, beforeAll } from "vitest";
import type { Front } from "../../src/http/front.ts";
import {
	App,
	type us_listen_socket,
	us_listen_socket_close,
	us_socket_local_port,
} from "../../src/http/uws.ts";

type Hook = Parameters<Front["hook"]>;

/**
 * Listens before the tests of the file, and no longer afterwards.
 * @returns sends bytes, and resolves when the first bytes of the answer are there
 */
export function frontListener(
	front: Front,
	settings: Hook[2],
	serve: Hook[3],
): (bytes: string) => Promise<void> {
	let socket: us_listen_socket;
	let port = 0;
	beforeAll(
		() =>
			new Promise<void>((resolve, reject) => {
				App().listen("127.0.0.1", 0, (token) => {
					if (!token) return reject(new Error("no port"));
					if (!front.hook(token, false, settings, serve)) return reject(new Error("no front"));
					socket = token;
					port = us_socket_local_port(token);
					resolve();
				});
			}),
	);
	afterAll(() => us_listen_socket_close(socket));
	return (bytes) =>
		new Promise((resolve, reject) => {
			const client = connect(port, "127.0.0.1", () => client.write(Buffer.from(bytes, "latin1")));
			client.on("error", reject);
			client.once("data", () => {
				client.destroy();
				resolve();
			});
		});
}
