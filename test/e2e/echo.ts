/**
 * A backend that sends bodies back, with a length or in chunks by turns, and a client of many requests that checks
 * each of them. For tests of what stands before weir (`peers.test.ts`, `clients.test.ts`).
 */
import {
	Agent,
	createServer,
	type IncomingHttpHeaders,
	type IncomingMessage,
	request,
} from "node:http";
import type { AddressInfo } from "node:net";

export interface Echoed {
	readonly method: string;
	readonly target: string;
	readonly headers: IncomingHttpHeaders;
}

export interface EchoUpstream {
	readonly port: number;
	/** requests that reached it, without their bodies */
	readonly seen: Echoed[];
	close(): Promise<void>;
}

/** What an empty body is answered with. */
export const NOTHING = "nothing was sent\n";

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of incoming) chunks.push(chunk);
	return Buffer.concat(chunks);
}

export async function startEcho(): Promise<EchoUpstream> {
	const seen: Echoed[] = [];
	const server = createServer(async (incoming, outgoing) => {
		const body = await bodyOf(incoming).catch(() => undefined);
		if (body === undefined) return;
		const { method = "", url: target = "", headers } = incoming;
		seen.push({ method, target, headers });
		const content = body.length === 0 ? Buffer.from(NOTHING) : body;
		// Chunks only to who asks: they end the connections of HTTP/1.0.
		if (headers["x-chunks"] === undefined) outgoing.setHeader("content-length", content.length);
		else outgoing.write(content.subarray(0, 10));
		outgoing.end(headers["x-chunks"] === undefined ? content : content.subarray(10));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		port: (server.address() as AddressInfo).port,
		seen,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

const SIZES = [0, 1, 700, 9000, 0, 70_000, 300, 20_000];
const AT_ONCE = 8;

interface Asked {
	readonly port: number;
	readonly path: string;
	readonly agent: Agent;
	/** one of loopback's, for tests of who is told to be the client */
	readonly localAddress: string;
}

/** @returns what was wrong, if anything */
function exchange(
	number: number,
	{ port, path, agent, localAddress }: Asked,
): Promise<string | undefined> {
	const size = SIZES[number % SIZES.length] ?? 0;
	const body = Buffer.alloc(size, `${number} `);
	const headers = {
		...(number % 3 === 0 ? { "x-chunks": "yes" } : {}),
		// Node sends a body in chunks where it isn't told how long it is.
		...(number % 2 === 0 ? { "content-length": String(size) } : {}),
	};
	const method = size === 0 ? "GET" : "POST";
	return new Promise((resolve) => {
		const options = {
			host: "127.0.0.1",
			port,
			path: `${path}/${number}`,
			method,
			headers,
			agent,
			localAddress,
		};
		const outgoing = request(options, async (incoming) => {
			const got = await bodyOf(incoming).catch((error: Error) => error);
			const want = size === 0 ? Buffer.from(NOTHING) : body;
			if (incoming.statusCode !== 200) resolve(`${number}: status ${incoming.statusCode}`);
			else if (got instanceof Error) resolve(`${number}: ${got.message}`);
			else
				resolve(got.equals(want) ? undefined : `${number}: ${got.length} bytes for ${want.length}`);
		});
		outgoing.on("error", (error) => resolve(`${number}: ${error.message}`));
		outgoing.end(size === 0 ? undefined : body);
	});
}

/** Bodies of many sizes there and back. @returns what went wrong, for each failure a line */
export async function failuresOf(
	count: number,
	port: number,
	path: string,
	localAddress = "127.0.0.1",
): Promise<string[]> {
	const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
	const failures: string[] = [];
	let number = 0;
	const lane = async (): Promise<void> => {
		while (number < count) {
			const failure = await exchange(number++, { port, path, agent, localAddress });
			if (failure !== undefined) failures.push(failure);
		}
	};
	try {
		await Promise.all(Array.from({ length: AT_ONCE }, lane));
	} finally {
		agent.destroy();
	}
	return failures;
}
