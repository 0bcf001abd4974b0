/**
 * The backend of `scripts/soak.mjs`, a process of its own: tells what has reached it, so that the client can judge it, sends
 * bodies of a wanted length, waits where it is asked to, and repeats what comes through WebSockets.
 */
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { WebSocketServer } from "ws";
import { FILLING } from "./oracle.mjs";

/** said in `keep-alive`, by which weir knows how long it may keep a connection */
const KEEP_ALIVE_MS = 10_000;
const PIECE = Buffer.alloc(65_536, FILLING);

/** @param {import("node:http").ServerResponse} outgoing @param {number} bytes */
const sendLarge = (outgoing, bytes) => {
	outgoing.writeHead(200, { "content-length": bytes });
	let left = bytes;
	const more = () => {
		while (left > 0) {
			const piece = PIECE.subarray(0, Math.min(left, PIECE.length));
			left -= piece.length;
			if (!outgoing.write(piece)) return;
		}
		outgoing.end();
	};
	outgoing.on("drain", more);
	more();
};

const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (incoming, outgoing) => {
	const url = new URL(incoming.url ?? "/", "http://backend");
	const hash = createHash("sha1");
	let bytes = 0;
	incoming.on("data", (piece) => {
		bytes += piece.length;
		hash.update(piece);
	});
	incoming.on("error", () => {});
	outgoing.on("error", () => {});
	incoming.on("end", () => {
		const size = url.searchParams.get("bytes");
		if (size !== null) return sendLarge(outgoing, Number(size));
		const told = { method: incoming.method, url: incoming.url, bytes, sha1: hash.digest("hex") };
		setTimeout(() => outgoing.end(JSON.stringify(told)), Number(url.searchParams.get("wait") ?? 0));
	});
});
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on("connection", (socket) => {
	socket.on("error", () => {});
	socket.on("message", (data, binary) => socket.send(data, { binary }));
});
server.listen(0, "127.0.0.1", () => {
	const address = server.address();
	console.log(JSON.stringify({ port: typeof address === "object" ? address?.port : 0 }));
});
// Whoever started it has gone.
process.once("disconnect", () => process.exit(0));
