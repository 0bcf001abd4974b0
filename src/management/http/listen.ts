/** Listening on one address with the HTTP library, as a promise. Used by `listener.ts`. */
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

/** @throws Error the address can't be listened on */
export function listen(
	app: TemplatedApp,
	host: string,
	port: number,
	isShared: boolean,
): Promise<{ readonly port: number; stop(): void }> {
	return new Promise((resolve, reject) => {
		const options = isShared ? SHARED : EXCLUSIVE;
		(app as unknown as ExclusiveListen).listen(host, port, options, (socket) => {
			if (socket === false) {
				reject(new Error(`can't listen on ${host}:${port}; the address is in use or not ours`));
				return;
			}
			resolve({
				port: us_socket_local_port(socket),
				stop: () => us_listen_socket_close(socket),
			});
		});
	});
}
