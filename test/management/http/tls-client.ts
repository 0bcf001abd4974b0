/** A client of the API over TLS on one connection that it keeps, for the tests of listeners. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { onTestFinished } from "vitest";

/** One that is not picked by the listener itself, so that a second can share it. */
export async function freePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, "close");
	return port;
}

export class TlsClient {
	readonly #socket: TLSSocket;
	#received = "";
	readonly ended: Promise<void>;

	private constructor(socket: TLSSocket) {
		this.#socket = socket;
		socket.on("data", (chunk) => {
			this.#received += chunk.toString("latin1");
		});
		socket.on("error", () => {});
		this.ended = once(socket, "close").then(() => {});
		onTestFinished(() => void socket.destroy());
	}

	static async connect(port: number, servername = ""): Promise<TlsClient> {
		const socket = connect({ host: "127.0.0.1", port, servername, rejectUnauthorized: false });
		await once(socket, "secureConnect");
		return new TlsClient(socket);
	}

	/** common name of the certificate that the server has shown */
	get certificate(): string {
		return String(this.#socket.getPeerCertificate().subject.CN);
	}

	write(text: string): void {
		this.#socket.write(text);
	}

	/** What has come so far, as soon as `end` is in it; the next call begins behind it. */
	async until(end: string): Promise<string> {
		while (!this.#received.includes(end)) await once(this.#socket, "data");
		const length = this.#received.indexOf(end) + end.length;
		const text = this.#received.slice(0, length);
		this.#received = this.#received.slice(length);
		return text;
	}
}
