/**
 * A TLS context that nobody connects to, with two session ticket keys for another context to take, and the knowledge
 * of where the server library keeps such keys (native/README.md, "Session tickets"). It belongs to a listener of its
 * own on a free port, which handshakes with itself twice to find the keys in memory. This takes some milliseconds.
 * Made by `worker-tickets.ts` for each TLS listener before it listens.
 */
import { connect } from "node:tls";
import type { TlsFiles } from "../../config.ts";
import {
	libraryFile,
	SSLApp,
	type us_listen_socket,
	us_listen_socket_close,
	us_socket_local_port,
} from "../../http/uws.ts";
import { LIMITS } from "../../limits/limits.ts";
import { addon } from "../../native-addon.ts";
import { expiringAt, isKeyOf, KEY_BYTES, nameOf } from "./ticket-key.ts";

export interface KeyDonor {
	/** the addon's handle of the TLS context */
	readonly context: number;
	/** index of the words of a TLS context that point to its current and to its previous key */
	readonly current: number;
	readonly previous: number;
	close(): void;
}

/** @throws Error with a reason if this build of the library keeps its keys elsewhere */
export async function makeKeyDonor({ cert, key }: TlsFiles): Promise<KeyDonor> {
	const app = SSLApp({ cert_file_name: cert, key_file_name: key });
	const token = await new Promise<us_listen_socket | false>((resolve) => {
		app.listen("127.0.0.1", 0, resolve);
	});
	if (token === false) throw new Error("no port of 127.0.0.1 to try a handshake on");
	const close = (): void => {
		us_listen_socket_close(token);
		app.close();
	};
	try {
		const context = openContext(token);
		return { context, ...(await learn(context, us_socket_local_port(token))), close };
	} catch (error) {
		close();
		throw error;
	}
}

/** @throws Error */
export function openContext(token: us_listen_socket): number {
	const file = libraryFile();
	const context = file === undefined ? -1 : addon.openTicketContext(file, token);
	if (context === -1) throw new Error("this build of the server library has no way to its TLS");
	return context;
}

/**
 * Ticket and key begin with the same name, by which the key is found in memory. It is the right one if it opens the
 * ticket. When a key is too old, the library makes it the previous key, so its new place is that of previous keys.
 */
async function learn(
	context: number,
	port: number,
): Promise<{ current: number; previous: number }> {
	const first = await newTicket(port);
	const { word: current, key } = find(context, first);
	addon.writeTicketKey(context, current, expiringAt(key, BigInt(nowSeconds() - 1)));
	const second = await newTicket(port);
	const { word: previous } = find(context, first);
	if (find(context, second).word !== current || previous === current)
		throw new Error("the server library replaces ticket keys in another way");
	return { current, previous };
}

const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/** Other bytes that begin with the name, such as the ticket itself in the heap, do not open the ticket. */
function find(context: number, ticket: Uint8Array): { word: number; key: Uint8Array } {
	const key = new Uint8Array(KEY_BYTES);
	for (let from = 0; ; ) {
		const word = addon.findTicketKey(context, from, nameOf(ticket), key);
		if (word === -1) throw new Error("the server library keeps ticket keys in another way");
		if (isKeyOf(ticket, key, nowSeconds())) return { word, key };
		from = word + 1;
	}
}

/** A ticket of TLS 1.2, which is sent within the handshake. */
function newTicket(port: number): Promise<Uint8Array> {
	return new Promise((resolve, reject) => {
		const socket = connect({
			host: "127.0.0.1",
			port,
			// The certificate's names and dates don't matter here, nor how weak its key is.
			rejectUnauthorized: false,
			ciphers: "DEFAULT@SECLEVEL=0",
			minVersion: "TLSv1.2",
			maxVersion: "TLSv1.2",
			timeout: LIMITS.ticketHandshakeMs,
		});
		socket.on("secureConnect", () => {
			const ticket = socket.getTLSTicket();
			if (ticket === undefined) reject(new Error("the server library made no session ticket"));
			else resolve(ticket);
			socket.destroy();
		});
		socket.on("timeout", () => socket.destroy(new Error("a handshake with itself took too long")));
		socket.on("error", reject);
	});
}
