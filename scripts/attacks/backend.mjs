/**
 * The backends of all proxies under attack, a process of their own (`scripts/attacks.mjs`). One port answers
 * when it has read the request's body, `/large` with 8 MiB; the others accept and never read.
 */
import { createServer } from "node:http";
import { createServer as createStuck } from "node:net";

/** more than the kernel keeps of a response on loopback, some 3 MB */
const LARGE = Buffer.alloc(8 * 1024 * 1024, "x");
const STUCK = 3;
/** more than the attackers have connections */
const BACKLOG = 4096;

/** longer than any attack lasts, in case nobody is left to end it */
setTimeout(() => process.exit(0), 600_000);

/** @param {import("node:net").Server} server @returns {Promise<number>} its port */
const listening = (server) =>
	new Promise((resolve) => {
		server.listen(0, "127.0.0.1", BACKLOG, () => {
			const address = server.address();
			resolve(typeof address === "object" ? (address?.port ?? 0) : 0);
		});
	});

const backend = createServer((incoming, outgoing) => {
	incoming.resume();
	incoming.on("error", () => {});
	incoming.on("end", () => outgoing.end(incoming.url === "/large" ? LARGE : "ok"));
});
/** @type {number[]} */
const stuckPorts = [];
for (let count = 0; count < STUCK; count++) {
	const stuck = createStuck({ pauseOnConnect: true }, (socket) => socket.on("error", () => {}));
	stuckPorts.push(await listening(stuck));
}
console.log(JSON.stringify({ port: await listening(backend), stuckPorts }));
