/**
 * Proves that bytes which had come before a request was written are never its answer. They may show in the very
 * turn of the event loop in which the request is given to their connection, and before it is written.
 */
import { connect, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { createNativeUpstream } from "../native-upstream-alone.ts";
import { type Answer, backend, bench, until } from "../probe.ts";
import { answering } from "../scripted-upstream.ts";

const answer = (text: string): string =>
	`HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`;

/** Two ends of one connection. */
const pair = async (): Promise<[Socket, Socket]> => {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	if (address === null || typeof address === "string") throw new Error("no port");
	const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve));
	const near = connect(address.port, "127.0.0.1");
	const far = await accepted;
	server.close();
	return [near, far];
};

test("a response that nobody had asked for is not the answer to the next request", async () => {
	const upstream = await backend(answering(({ target }) => answer(target)));
	const { ask } = bench(createNativeUpstream, [upstream.url]);
	const [near, far] = await pair();
	let rightly = 0;
	for (let round = 0; round < 20; round += 1) {
		await ask({ target: "/before" });
		// The system tells first of sockets that were ready lately; now none is.
		for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
		const own = new Promise<Answer>((resolve) => {
			near.once("data", () => void ask({ target: "/own" }).then(resolve));
		});
		// The request is made in the event of the first, that of the second comes right behind it.
		far.write("go");
		upstream.connections.at(-1)?.write(answer("/smuggled"));
		if ((await own).body.toString() === "/own") rightly += 1;
	}
	// Should the system deliver the second one only after the request was written, nobody could tell.
	expect(rightly).toBeGreaterThan(15);
	await until(() => upstream.connections.length > 10, "connections that speak unasked are dropped");
	near.destroy();
	far.destroy();
});
