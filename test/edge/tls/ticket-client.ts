/** A TLS client that keeps its session, as browsers do; used by tests of session tickets. */
import { connect } from "node:tls";

export interface Visit {
	readonly reused: boolean;
	readonly protocol: string | null;
	readonly body: string;
	/** to come again with */
	readonly session: Buffer | undefined;
}

export interface Visiting {
	/** of an earlier visit */
	readonly session?: Buffer | undefined;
	readonly servername?: string | undefined;
	readonly path?: string;
}

/** One request on a connection of its own. */
export function visit(
	port: number,
	version: "TLSv1.2" | "TLSv1.3",
	{ session, servername = "ticket.test", path = "/" }: Visiting = {},
): Promise<Visit> {
	return new Promise((resolve, reject) => {
		const socket = connect({
			host: "127.0.0.1",
			port,
			servername,
			rejectUnauthorized: false,
			minVersion: version,
			maxVersion: version,
			...(session === undefined ? {} : { session }),
		});
		let latest: Buffer | undefined;
		let received = "";
		socket.setEncoding("latin1");
		// In TLS 1.3 tickets come behind the handshake; with the answer at the latest.
		socket.on("session", (fresh) => {
			latest = fresh;
		});
		let agreed = { reused: false, protocol: null as string | null };
		socket.on("secureConnect", () => {
			agreed = { reused: socket.isSessionReused(), protocol: socket.getProtocol() };
			socket.write(`GET ${path} HTTP/1.1\r\nhost: ${servername}\r\nconnection: close\r\n\r\n`);
		});
		socket.on("data", (chunk) => {
			received += chunk;
		});
		socket.on("error", reject);
		socket.on("close", () =>
			resolve({
				...agreed,
				body: received.slice(received.indexOf("\r\n\r\n") + 4),
				session: latest,
			}),
		);
	});
}
