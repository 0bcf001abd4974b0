/**
 * The demo's upstream. It answers every request with a JSON copy of the request, which shows the changes that the edge
 * and its policy made. `/status/NNN` answers with that status. Loopback only. Used by `demo.ts`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** bytes of a request body that are echoed; the rest is read and dropped */
const BODY_BYTES = 65_536;

export interface EchoUpstream {
	readonly url: string;
	close(): void;
}

export function startEchoUpstream(): Promise<EchoUpstream> {
	const server = createServer(echo);
	return new Promise((resolve, reject) => {
		server.once("error", reject);
		server.listen(0, "127.0.0.1", () => {
			const { port } = server.address() as AddressInfo;
			resolve({
				url: `http://127.0.0.1:${port}`,
				close: () => {
					server.close();
					server.closeAllConnections();
				},
			});
		});
	});
}

function echo(request: IncomingMessage, response: ServerResponse): void {
	const chunks: Buffer[] = [];
	let length = 0;
	request.on("data", (chunk: Buffer) => {
		if (length < BODY_BYTES) chunks.push(chunk.subarray(0, BODY_BYTES - length));
		length += chunk.length;
	});
	request.on("end", () => {
		const status = /^\/status\/([2-5]\d\d)\b/.exec(request.url ?? "");
		const body = {
			method: request.method,
			target: request.url,
			headers: request.headers,
			body: Buffer.concat(chunks).toString("utf8"),
			...(length > BODY_BYTES ? { body_bytes: length } : {}),
		};
		response.writeHead(status === null ? 200 : Number(status[1]), {
			"content-type": "application/json",
		});
		response.end(`${JSON.stringify(body, null, 2)}\n`);
	});
}
