/** Listening on one address with the HTTP library, as a promise. Used by `listener.ts`. */
import { openListener } from "../../http/inherited-listener.ts";
import {
	type TemplatedApp,
	type us_listen_socket,
	us_listen_socket_close,
	us_socket_local_port,
} from "../../http/uws.ts";

/** The library takes host, port and options together, though its type declarations do not say so. */
interface ExclusiveListen {
	listen(
		host: string,
		port: number,
		options: number,
		callback: (socket: us_listen_socket | false) => void,
	): unknown;
}

/** LIBUS_LISTEN_DEFAULT: others that listen in the same way share the port */
const SHARED = 0;
/** LIBUS_LISTEN_EXCLUSIVE_PORT: nobody does */
const EXCLUSIVE = 1;

/** Accepts from a socket that listens already; it stays the caller's. @throws Error there is no way to */
export async function listenOn(
	app: TemplatedApp,
	address: { readonly host: string; readonly port: number },
	inherited: number,
	begun: (socket: us_listen_socket, port: number) => void,
): Promise<{ readonly port: number; stop(): void }> {
	const { port } = address;
	return new Promise((resolve, reject) => {
		openListener(app, address, inherited, (socket) => {
			begun(socket, port);
			resolve({ port, stop: () => us_listen_socket_close(socket) });
		}).catch(reject);
	});
}

/**
 * @param begun called at once when the socket listens, before its first connection
 * @throws Error the address can't be listened on
 */
export function listen(
	app: TemplatedApp,
	host: string,
	port: number,
	isShared: boolean,
	begun: (socket: us_listen_socket, port: number) => void = () => {},
): Promise<{ readonly port: number; stop(): void }> {
	return new Promise((resolve, reject) => {
		const options = isShared ? SHARED : EXCLUSIVE;
		(app as unknown as ExclusiveListen).listen(host, port, options, (socket) => {
			if (socket === false) {
				reject(new Error(`can't listen on ${host}:${port}; the address is in use or not ours`));
				return;
			}
			const bound = us_socket_local_port(socket);
			try {
				begun(socket, bound);
			} catch (error) {
				us_listen_socket_close(socket);
				reject(error as Error);
				return;
			}
			resolve({
				port: bound,
				stop: () => us_listen_socket_close(socket),
			});
		});
	});
}
