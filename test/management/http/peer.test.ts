/** Where a request comes from, over IPv4, IPv6 and TLS: address in its one spelling, and port. */
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { afterEach, expect, it } from "vitest";
import {
	App,
	SSLApp,
	type TemplatedApp,
	us_listen_socket_close,
	us_socket_local_port,
} from "../../../src/http/uws.ts";
import type { Peer } from "../../../src/management/audit/notes.ts";
import { peerOf } from "../../../src/management/http/peer.ts";
import { addon } from "../../../src/native-addon.ts";
import { writeCertificate } from "../../certificate.ts";
import { temporaryFolder } from "../../store/folder.ts";

const close: (() => void)[] = [];
afterEach(() => {
	for (const each of close.splice(0)) each();
});

async function secureApp(): Promise<TemplatedApp> {
	const { cert, key } = await writeCertificate(temporaryFolder(), "a", "a.test");
	return SSLApp({ cert_file_name: cert, key_file_name: key });
}

const plain = (port: number, host: string) => connect(port, host);
const secure = (port: number, host: string) =>
	connectTls({ port, host, rejectUnauthorized: false });

it.each([
	["127.0.0.1", App, plain],
	["::1", App, plain],
	["127.0.0.1", secureApp, secure],
	["::1", secureApp, secure],
])("of %s, %o", async (host, makeApp, open) => {
	const peers: Peer[] = [];
	const app = (await makeApp()).any("/*", (response) => {
		peers.push(peerOf(response));
		response.end();
		// nobody's any more
		expect(addon.peerPort(response)).toBe(0);
	});
	const port = await new Promise<number>((resolve, reject) => {
		app.listen(host, 0, (token) => {
			if (token === false) return reject(new Error(`can't listen on ${host}`));
			close.push(() => us_listen_socket_close(token));
			resolve(us_socket_local_port(token));
		});
	});
	const ask = (socket: Socket) =>
		new Promise<void>((resolve) => {
			socket.once("data", () => resolve());
			socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
		});
	for (let round = 0; round < 2; round++) {
		const socket = open(port, host);
		close.push(() => socket.destroy());
		await ask(socket);
		await ask(socket);
		const expected = { address: host, port: socket.localPort };
		expect(peers.splice(0)).toEqual([expected, expected]);
	}
});
