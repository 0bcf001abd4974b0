/**
 * A process of `bench/idle.mjs` that holds connections: `idle` ones have had one answer and say nothing more, `drip` ones
 * send a request's header, a byte a second. Says `open` when all are there, and each second how many still are. Ends
 * when it is told to.
 */
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";

const [port = "", count = "", kind = "", security = ""] = process.argv.slice(2);
const CONNECTIONS = Number(count);
const OPENING_AT_ONCE = 50;
const DRIP_TURNS = 20;
/** more than the ports that one address has are not needed, but they are sooner found where there are several */
const ADDRESSES = 8;
const GREETING = {
	idle: "GET / HTTP/1.1\r\nHost: idle.bench\r\n\r\n",
	drip: "GET / HTTP/1.1\r\nHost: drip.bench\r\nX-Drip: ",
}[kind];
if (GREETING === undefined) throw new Error(`idle or drip, not ${kind}`);

/** @type {import("node:net").Socket[]} */
const sockets = [];
let gone = 0;

/** Resolves when the connection says what it has to say at first. @param {number} index @returns {Promise<void>} */
const open = (index) =>
	new Promise((resolve, reject) => {
		const options = {
			host: "127.0.0.1",
			port: Number(port),
			localAddress: `127.0.0.${2 + (index % ADDRESSES)}`,
		};
		const socket =
			security === "tls" ? connectTls({ ...options, rejectUnauthorized: false }) : connect(options);
		socket.on("error", reject);
		socket.once("close", () => {
			gone += 1;
		});
		const isOpen = () => {
			sockets.push(socket);
			resolve();
		};
		socket.once(security === "tls" ? "secureConnect" : "connect", () => {
			socket.write(GREETING);
			if (kind === "drip") isOpen();
		});
		socket.once("data", () => {
			if (kind === "idle") isOpen();
		});
	});

let next = 0;
const lane = async () => {
	while (next < CONNECTIONS) await open(next++);
};
await Promise.all(Array.from({ length: OPENING_AT_ONCE }, lane));
console.log("open");

let turn = 0;
setInterval(() => {
	turn += 1;
	if (kind === "drip") {
		for (let at = turn % DRIP_TURNS; at < sockets.length; at += DRIP_TURNS) sockets[at]?.write("x");
	}
	if (turn % DRIP_TURNS === 0) console.log(`alive ${sockets.length - gone}`);
}, 1000 / DRIP_TURNS);
