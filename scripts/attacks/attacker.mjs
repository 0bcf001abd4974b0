/**
 * Attackers, many connections of one kind to one loopback port, in a process of their own (`scripts/attacks.mjs`):
 * `node attacker.mjs KIND PORT CLIENTS SECONDS ADDRESSES`, from so many addresses of loopback, none of which is that
 * of the honest clients. Says `attacking` when all of them have begun; ends by itself
 * after so many seconds. One that is refused or cut off stays away: who ends an attack has won.
 */
import { connect } from "node:net";

const kind = process.argv[2] ?? "";
const [port = 0, clients = 0, seconds = 0, addresses = 1] = process.argv.slice(3).map(Number);

const DRIP_MS = 5000;
const READ_MS = 1000;
const READ_BYTES = 1024;
/** below what nginx takes by default */
const UPLOAD_BYTES = 1_000_000;
/** one for all sockets, which take it as it is */
const UPLOAD = Buffer.alloc(UPLOAD_BYTES, "x");
/** of those that `fill` fills */
const BACKENDS = 3;
/** between the first connections and the last, so that no listener's queue overflows */
const PER_TURN = 25;
const TURN_MS = 20;

/** @param {import("node:net").Socket} socket @param {string} path */
const upload = (socket, path) => {
	socket.write(head(`POST ${path}`, `content-length: ${UPLOAD_BYTES}\r\n`));
	socket.write(UPLOAD);
	socket.resume();
};

/** @param {string} line @param {string} more */
const head = (line, more = "") => `${line} HTTP/1.1\r\nhost: attack.test\r\n${more}\r\n`;

/**
 * What each kind does on a connection that has come about.
 * @type {Readonly<Record<string, (socket: import("node:net").Socket, index: number) => void>>}
 */
const KINDS = {
	/** an upload whose end nobody will live to see: a byte every 5 seconds */
	drip(socket) {
		socket.write(head("POST /upload", "content-length: 1000\r\n"));
		socket.write("x");
		const timer = setInterval(() => socket.write("x"), DRIP_MS);
		socket.on("close", () => clearInterval(timer));
		socket.resume();
	},
	/** a large answer, read by a kilobyte a second */
	read(socket) {
		socket.pause();
		socket.write(head("GET /large"));
		const timer = setInterval(() => socket.read(READ_BYTES), READ_MS);
		socket.on("readable", () => {});
		socket.on("close", () => clearInterval(timer));
	},
	/** an upload as fast as it is taken, to a backend that takes nothing */
	stuck(socket) {
		upload(socket, "/stuck0");
	},
	/** as many to each of several such backends in turn */
	fill(socket, index) {
		upload(socket, `/stuck${index % BACKENDS}`);
	},
	/** nothing at all */
	idle(socket) {
		socket.resume();
	},
};

const attack = KINDS[kind];
if (attack === undefined) throw new Error(`no attack "${kind}"`);
setTimeout(() => process.exit(0), seconds * 1000);
process.on("SIGTERM", () => process.exit(0));

let begun = 0;
/** @param {number} index @returns {Promise<void>} */
const begin = (index) =>
	new Promise((resolve) => {
		const localAddress = `127.0.1.${1 + (index % addresses)}`;
		const socket = connect({ port, host: "127.0.0.1", localAddress }, () => {
			attack(socket, index);
			resolve();
		});
		socket.on("error", () => resolve());
		socket.setTimeout(5000, () => resolve());
	});
/** @type {Promise<void>[]} */
const all = [];
while (begun < clients) {
	for (let turn = 0; turn < PER_TURN && begun < clients; turn++, begun++) all.push(begin(begun));
	await new Promise((resolve) => setTimeout(resolve, TURN_MS));
}
await Promise.all(all);
console.log("attacking");
