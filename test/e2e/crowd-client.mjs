// One client process of a crowd (crowd.ts): opens kept-alive connections, sends one request after the
// other on each, and reports what became of every one. Told what to do over the IPC channel.
import { connect } from "node:net";

/**
 * @typedef {import("node:net").Socket} Socket
 * @typedef {import("./crowd.ts").Lane & { socket?: Socket | undefined }} Lane
 * @typedef {{ port: number, lanes: Lane[], admitted: number, rejected: number, stopped: boolean }} Order
 * @typedef {{ type: "open", port: number, lanes: Lane[] } | { type: "go" } | { type: "stop" }} Message
 * @typedef {{ status: number, retryAfterSeconds: number, closes: boolean }} Answer
 */

/** milliseconds before a port that nobody listens on is tried again */
const RETRY_MS = 50;
/** answers of one kind between two reports of progress */
const PROGRESS_ANSWERS = 25;
/** what stands for a status where the connection broke before the answer was complete */
const BROKEN = 0;

const nowMs = () => Number(process.hrtime.bigint()) / 1e6;
const pause = () => new Promise((resolve) => setTimeout(resolve, RETRY_MS));

/**
 * From an address that the server doesn't have: a port that nobody listens on could be chosen for the near
 * end too, and the connection would be one to itself.
 * @param {number} port
 * @returns {Promise<Socket | undefined>} undefined if the connection was refused
 */
function open(port) {
	return new Promise((resolve) => {
		const host = "127.0.0.1";
		const socket = connect({ port, host, localAddress: "127.0.0.2", noDelay: true });
		socket.setEncoding("latin1");
		socket.once("connect", () => resolve(socket));
		socket.on("error", () => resolve(undefined));
	});
}

const NUMBER = (/** @type {string} */ name) => new RegExp(`\\r\\n${name}: (\\d+)`, "i");
const CONTENT_LENGTH = NUMBER("content-length");
const RETRY_AFTER = NUMBER("retry-after");

/**
 * @param {Socket} socket @param {string} text
 * @returns {Promise<Answer | undefined>} undefined if the connection broke before the answer was complete
 */
function exchange(socket, text) {
	return new Promise((resolve) => {
		let received = "";
		const finish = (/** @type {Answer | undefined} */ answer) => {
			socket.off("data", onData).off("close", onClose);
			resolve(answer);
		};
		const onClose = () => finish(undefined);
		const onData = (/** @type {string} */ chunk) => {
			received += chunk;
			const head = received.indexOf("\r\n\r\n");
			if (head < 0) return;
			const length = Number(CONTENT_LENGTH.exec(received)?.[1] ?? 0);
			if (received.length < head + 4 + length) return;
			const retryAfter = RETRY_AFTER.exec(received.slice(0, head))?.[1];
			finish({
				status: Number(received.slice(9, 12)),
				retryAfterSeconds: Number(retryAfter ?? 0),
				closes: /\r\nconnection: close/i.test(received.slice(0, head)),
			});
		};
		socket.on("data", onData).on("close", onClose);
		if (socket.destroyed) onClose();
		else socket.write(text);
	});
}

/** @param {Lane} lane @param {number} number */
function requestText({ path, headers = {}, rotating }, number) {
	/** @type {Record<string, string>} */
	const all = { host: "crowd", ...headers };
	if (rotating !== undefined) {
		all[rotating.header] = `${rotating.prefix}${Math.floor(number / rotating.every)}`;
	}
	const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
	return `GET ${path}/${number} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/** @type {Order} */
let order = { port: 0, lanes: [], admitted: 0, rejected: 0, stopped: true };

const tell = (/** @type {object} */ message) => process.send?.(message);

/** @param {Lane} lane */
async function connected(lane) {
	while (lane.socket === undefined || lane.socket.destroyed) {
		if (order.stopped) return undefined;
		lane.socket = await open(order.port);
		if (lane.socket === undefined) await pause();
	}
	return lane.socket;
}

/** @param {"admitted" | "rejected"} kind */
function report(kind) {
	if (++order[kind] % PROGRESS_ANSWERS !== 0) return;
	tell({ type: "progress", admitted: order.admitted, rejected: order.rejected });
}

/** @param {Lane} lane */
async function runLane(lane) {
	/** @type {number[][]} */
	const sent = [];
	for (let number = 0; number < lane.requests && !order.stopped; number++) {
		const socket = await connected(lane);
		if (socket === undefined) break;
		const beginMs = nowMs();
		const answer = await exchange(socket, requestText(lane, number));
		const { status = BROKEN, retryAfterSeconds = 0, closes = true } = answer ?? {};
		sent.push([status, retryAfterSeconds, beginMs, nowMs()]);
		if (closes) {
			socket.destroy();
			lane.socket = undefined;
		}
		if (status === 200) report("admitted");
		if (status === 429) report("rejected");
	}
	lane.socket?.destroy();
	return sent;
}

async function run() {
	const sent = await Promise.all(order.lanes.map(runLane));
	tell({ type: "done", sent });
}

process.on("message", async (/** @type {Message} */ message) => {
	if (message.type === "open") {
		order = { ...message, admitted: 0, rejected: 0, stopped: false };
		await Promise.all(order.lanes.map(connected));
		tell({ type: "ready" });
	} else if (message.type === "go") void run();
	else if (message.type === "stop") order.stopped = true;
});
process.on("disconnect", () => process.exit(0));
tell({ type: "up" });
