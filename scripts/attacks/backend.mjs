/**
 * The backend of all proxies under attack, a process of its own (`scripts/attacks.mjs`). Two ports: one answers
 * when it has read the request's body, `/large` with 2 MiB; the other accepts and never reads.
 */
import { createServer } from "node:http";
import { createServer as createStuck } from "node:net";

const LARGE = Buffer.alloc(2 * 1024 * 1024, "x");
/** more than the attackers have connections */
const BACKLOG = 4096;

/** longer than any attack lasts, in case nobody is left to end it */
setTimeout(() => process.exit(0), 600_000);

const listening = (server) =>
	new Promise((resolve) => {
		server.listen(0, "127.0.0.1", BACKLOG, () => resolve(server.address().port));
	});

const backend = createServer((incoming, outgoing) => {
	incoming.resume();
	incoming.on("error", () => {});
	incoming.on("end", () => outgoing.end(incoming.url === "/large" ? LARGE : "ok"));
});
const stuck = createStuck({ pauseOnConnect: true }, (socket) => socket.on("error", () => {}));
console.log(JSON.stringify({ port: await listening(backend), stuckPort: await listening(stuck) }));
