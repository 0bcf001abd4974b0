/**
 * One build of weir, as crossings.mjs measures it: each message names a row, and is answered with the
 * nanoseconds of processor time of one of its operations, over about a second. `node crossings-child.mjs DIST`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const WARM_MS = 300;
const SLICE_MS = 1000;
const dist = process.argv[2] ?? "";
/**
 * Whatever build was named: its types are not known here.
 * @param {string} file
 */
const load = (file) => import(pathToFileURL(join(dist, file)).href);

const { addon } = await load("native-addon.js");
const { Counters } = await load("limiter/binding.js");
const { Front } = await load("http/front.js");
const { nativeClient } = await load("upstream/native/client.js");
const { App, us_socket_local_port } = await load("http/uws.js");

/** Processor time of this process, which does not count others on the machine; nanoseconds. */
function processorTime() {
	const { user, system } = process.cpuUsage();
	return (user + system) * 1000;
}

/**
 * Calls `act` with a number of rounds for so long.
 * @param {(rounds: number) => void} act @param {number} rounds @param {number} forMs
 * @returns {number} nanoseconds of one round
 */
function measured(act, rounds, forMs) {
	const [end, begin] = [performance.now() + forMs, processorTime()];
	let done = 0;
	for (; performance.now() < end; done += rounds) act(rounds);
	return (processorTime() - begin) / done;
}

/** @param {(rounds: number) => void} act */
function timed(act, rounds = 10_000) {
	measured(act, rounds, WARM_MS);
	return measured(act, rounds, SLICE_MS);
}

/**
 * As `measured`, for what takes turns of the event loop.
 * @param {(rounds: number) => Promise<void>} act @param {number} rounds @param {number} forMs
 */
async function measuredTurns(act, rounds, forMs) {
	const [end, begin] = [performance.now() + forMs, processorTime()];
	let done = 0;
	for (; performance.now() < end; done += rounds) await act(rounds);
	return (processorTime() - begin) / done;
}

/** @param {(rounds: number) => Promise<void>} act @param {number} rounds */
async function timedTurns(act, rounds) {
	await measuredTurns(act, rounds, WARM_MS);
	return measuredTurns(act, rounds, SLICE_MS);
}

const counters = new Counters({});
const limiter = counters.open("bench", 5, 60_000, 65_536);
/** @param {readonly (string | undefined | readonly string[])[]} parts */
const decide = (parts) => () =>
	timed((rounds) => {
		for (let n = 0; n < rounds; n += 1) limiter.admit(parts);
	});

const FRONT_SETTINGS = {
	requestHeaderMs: 10_000,
	idleMs: 60_000,
	requestHeaderBytes: 65_536,
	proxyProtocol: false,
};

/**
 * Runs `act` within the handler of a plain request of fourteen lines.
 * @param {() => number} act @returns {Promise<number>}
 */
async function withinRequest(act) {
	const app = App();
	const result = new Promise((resolve, reject) => {
		app.any("/*", (/** @type {{ end(body: string): void }} */ response) => {
			try {
				resolve(act());
			} catch (error) {
				reject(error);
			}
			response.end("");
		});
	});
	const port = await new Promise((resolve) => {
		app.listen("127.0.0.1", 0, (/** @type {unknown} */ token) => {
			front.hook(token, false, FRONT_SETTINGS);
			resolve(us_socket_local_port(token));
		});
	});
	const lines = Array.from({ length: 13 }, (_, n) => `x-field-${n}: value number ${n}`);
	const socket = connect(port, "127.0.0.1");
	socket.write(`GET /path?query HTTP/1.1\r\nhost: example.org\r\n${lines.join("\r\n")}\r\n\r\n`);
	try {
		return await result;
	} finally {
		socket.destroy();
		app.close();
	}
}

const front = Front.open();
const client = nativeClient();
const LIMITS = {
	...{ connectTimeoutMs: 5000, responseTimeoutMs: 60_000, idleTimeoutMs: 60_000 },
	...{ connections: 1, queue: 100_000, pipelining: 64 },
};
const REQUEST = {
	method: "GET",
	target: "/api/v1/things/42?full=1",
	lines:
		"host: backend.example:8080\r\naccept: */*\r\nuser-agent: bench\r\n" +
		"x-forwarded-for: 192.0.2.1\r\nx-forwarded-proto: https\r\nvia: 1.1 weir\r\n",
	more: "",
	body: undefined,
};
const listener = { attemptFailed() {}, retried() {}, closed() {} };
let heard = 0;
let statuses = 0;
const sink = {
	onResponse() {},
	onData: () => true,
	onEnd() {
		heard += 1;
	},
	/** @param {number} status @param {{ passed: string }} head */
	onWhole(status, head) {
		heard += 1;
		statuses += status + head.passed.length;
	},
	onError() {
		heard += 1;
	},
};

/**
 * Sends so many requests, and waits until all are over.
 * @param {number} backend @param {number} rounds
 */
async function exchange(backend, rounds) {
	heard = 0;
	for (let n = 0; n < rounds; n += 1) client.send(backend, REQUEST, sink);
	while (heard < rounds) await turn();
}

/** Answers each request of its one connection with the same 16 bytes; a process of its own, which ends with this one. */
const BACKEND = `
	process.stdin.resume().on("end", () => process.exit());
	const answer = Buffer.from("HTTP/1.1 200 OK\\r\\ncontent-type: application/json\\r\\n" +
		"etag: \\"abcdef\\"\\r\\ncontent-length: 16\\r\\n\\r\\n{\\"answer\\": true}");
	require("node:net").createServer((socket) => {
		let seen = 0;
		socket.on("error", () => {});
		socket.on("data", (bytes) => {
			let count = 0;
			for (const byte of bytes) {
				seen = byte === 13 || byte === 10 ? seen + 1 : 0;
				if (seen === 4) { count += 1; seen = 0; }
			}
			if (count > 0) socket.write(Buffer.concat(Array(count).fill(answer)));
		});
	}).listen(0, "127.0.0.1", function () { console.log(this.address().port); });`;
const server = spawn(process.execPath, ["-e", BACKEND], { stdio: ["pipe", "pipe", "inherit"] });
const [port] = await once(server.stdout, "data");

const live = client.openBackend(LIMITS, listener);
client.setAddresses(live, [{ id: 0, url: "", ip: "127.0.0.1", port: Number(port) }]);
const dead = client.openBackend(LIMITS, listener);
client.failWaiting(dead, "no address");
const silent = client.openBackend(LIMITS, listener);
const waiting = addon.send(silent, "GET", "/", "host: a\r\n", "", 2, 0);
const bytes = new Uint8Array(16);

/** @type {Readonly<Record<string, () => number | Promise<number>>>} */
const ROWS = {
	"admit, one part": decide(["a key of some twenty characters"]),
	"admit, four parts, one a list": decide(["192.0.2.1", undefined, ["a", "b"], "/path"]),
	"admit, six parts": decide(["192.0.2.1", "a", "b", "c", "d", "e"]),
	takeRequest: () =>
		withinRequest(() =>
			timed((rounds) => {
				for (let n = 0; n < rounds; n += 1) front.take();
			}),
		),
	proxiedPeer: () =>
		timed((rounds) => {
			for (let n = 0; n < rounds; n += 1) addon.proxiedPeer();
		}),
	"upstream: pause": () =>
		timed((rounds) => {
			for (let n = 0; n < rounds; n += 1) addon.pause(waiting);
		}),
	"upstream: write": () =>
		timed((rounds) => {
			for (let n = 0; n < rounds; n += 1) addon.write(waiting, bytes);
		}),
	"upstream: send and abort": () =>
		timedTurns(async (rounds) => {
			for (let n = 0; n < rounds; n += 1) client.send(silent, REQUEST, sink).abort();
			await turn();
		}, 500),
	"upstream: send, and hear that it failed": () =>
		timedTurns((rounds) => exchange(dead, rounds), 500),
	"upstream: one request, its answer, 1 under way": () =>
		timedTurns(async (rounds) => {
			for (let n = 0; n < rounds; n += 1) await exchange(live, 1);
		}, 50),
	"upstream: requests and answers, 64 under way": () =>
		timedTurns((rounds) => exchange(live, rounds), 64),
};

process.on("message", async (row) => {
	process.send?.({ row, ns: await ROWS[String(row)]?.() });
	if (Number.isNaN(statuses)) throw new Error("a response without a status");
});
process.on("disconnect", () => process.exit());
process.send?.({ rows: Object.keys(ROWS) });
