/**
 * The traffic of `scripts/soak.mjs`: who asks what how often, and what must come of it (`oracle.mjs`). Requests are sent when
 * they are due, whether those before them are answered or not.
 */
import { randomBytes } from "node:crypto";
import { Agent, request } from "node:http";
import { request as requestTls, Agent as TlsAgent } from "node:https";
import { connect } from "node:net";
import { WebSocket } from "ws";
import { exactly, filled, limited, proxied, Register, Tally } from "./oracle.mjs";
import { CAPACITY, HEAVY_QUERY, WINDOW_MS } from "./site.mjs";

/** @typedef {import("./oracle.mjs").Answer} Answer */
/** @typedef {import("./oracle.mjs").Judge} Judge */

const TICK_MS = 20;
/** whoever has no whole answer by then has a wrong one */
const ANSWER_MS = 30_000;
/** while so many are under way, nothing more is sent: what would have been is counted */
const IN_FLIGHT = 400;
const LARGE_BYTES = 1_048_576;
const POST_BYTES = 65_536;
const BURST = 6;
/** a kept connection may be closed by weir so long after a reload has begun: workers that leave have no more requests then */
const CLOSING_MS = 25_000;
/** beyond the window, before a key that was limited comes back */
const LATE_MS = 2000;
const COMEBACKS = 50;
const TUNNEL_MESSAGES = 20;
const TUNNEL_MS = 250;

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** @param {number} most */
const below = (most) => Math.floor(Math.random() * most);

/** Requests of a second, of all of them. @type {Readonly<Record<string, number>>} */
const SHARES = {
	allowed: 0.38,
	denied: 0.14,
	changed: 0.1,
	post: 0.1,
	burst: 0.03,
	tls: 0.04,
	fresh: 0.06,
	large: 0.005,
	slow: 0.02,
	heavy: 0.006,
	aborted: 0.03,
	trickled: 0.008,
	idler: 0.002,
	tunnel: 0.003,
};

export class Traffic {
	tally = new Tally();
	register = new Register();
	/** not sent, because too much was under way */
	skipped = 0;
	#number = 0;
	#inFlight = 0;
	#reloadedAt = Number.NEGATIVE_INFINITY;
	/** @type {{key: string, atMs: number}[]} */
	#limitedKeys = [];
	/** @type {NodeJS.Timeout | undefined} */
	#timer;
	/** @type {Record<string, number>} */
	#due = {};
	#ends = false;

	/** @param {import("./site.mjs").Site} site @param {number} rate requests a second, of all kinds together */
	constructor(site, rate) {
		this.site = site;
		this.rate = rate;
		this.agent = new Agent({ keepAlive: true, maxSockets: 64, timeout: ANSWER_MS });
		this.tlsAgent = new TlsAgent({ keepAlive: true, maxSockets: 8, ca: site.certificate });
	}

	begin() {
		let last = performance.now();
		this.#timer = setInterval(() => {
			const now = performance.now();
			// What this process was late with is not caught up at once.
			const seconds = Math.min((now - last) / 1000, 0.2);
			last = now;
			for (const [kind, share] of Object.entries(SHARES)) {
				let due = (this.#due[kind] ?? Math.random()) + seconds * share * this.rate;
				for (; due >= 1; due -= 1) this.#send(kind);
				this.#due[kind] = due;
			}
			const { key, atMs } = this.#limitedKeys[0] ?? { key: "", atMs: Number.POSITIVE_INFINITY };
			if (now > atMs + WINDOW_MS + LATE_MS) {
				this.#limitedKeys.shift();
				void this.#run("comeback", () => this.#comeback(key));
			}
		}, TICK_MS);
	}

	/** One request now. @param {string} kind @param {string} path @param {Judge} judge */
	see(kind, path, judge) {
		return this.#run(kind, () => this.#ask({ path }, judge));
	}

	/** Resolves when everything has its answer. */
	async end() {
		clearInterval(this.#timer);
		this.#ends = true;
		while (this.#inFlight > 0) await pause(TICK_MS);
		this.agent.destroy();
		this.tlsAgent.destroy();
	}

	/** Workers leave from now on. */
	reloads() {
		this.#reloadedAt = performance.now();
	}

	/** @param {string} kind */
	#send(kind) {
		if (this.#inFlight >= IN_FLIGHT) {
			this.skipped += 1;
			return;
		}
		void this.#run(kind, this.#kinds[kind] ?? (() => Promise.resolve("unknown")));
	}

	/** @param {string} kind @param {() => Promise<string | undefined>} work */
	async #run(kind, work) {
		this.#inFlight += 1;
		try {
			this.tally.add(kind, await work());
		} catch (error) {
			this.tally.add(kind, `failed: ${error instanceof Error ? error.message : error}`);
		}
		this.#inFlight -= 1;
	}

	/** @type {Readonly<Record<string, () => Promise<string | undefined>>>} */
	#kinds = {
		allowed: () => {
			const path = `/allowed/${this.#number++}`;
			return this.#ask({ path: `${path}?a=b` }, allowed(`${path}?a=b`, path));
		},
		// A connection of its own, which the kernel may give to any worker.
		fresh: () => {
			const path = `/allowed/${this.#number++}`;
			return this.#ask({ path, agent: false }, allowed(path, path));
		},
		tls: () => {
			const path = `/allowed/${this.#number++}`;
			const agent = this.#number % 4 === 0 ? false : this.tlsAgent;
			return this.#ask({ path, agent, isTls: true }, allowed(path, path));
		},
		denied: () => this.#ask({ path: "/denied" }, exactly(403)),
		changed: () => this.#ask({ path: "/changed" }, this.register.judge()),
		post: () => {
			const body = randomBytes(below(POST_BYTES));
			const path = `/post/${this.#number++}`;
			const isChunked = this.#number % 2 === 0;
			return this.#ask(
				{ method: "POST", path, body, isChunked },
				proxied({ method: "POST", url: path, body }),
			);
		},
		burst: async () => {
			const key = `k${process.pid}-${this.#number++}`;
			const began = performance.now();
			const answers = await Promise.all(
				Array.from({ length: BURST }, () =>
					this.#answer({ path: "/limited", headers: { "x-client": key } }),
				),
			);
			const ended = performance.now();
			// So long that the first may have left the window.
			if (ended - began > WINDOW_MS) return undefined;
			if (this.#limitedKeys.length < COMEBACKS) this.#limitedKeys.push({ key, atMs: ended });
			return limited(answers, CAPACITY);
		},
		large: () => this.#ask({ path: `/large?bytes=${LARGE_BYTES}` }, filled(LARGE_BYTES)),
		slow: () => {
			const path = `/slow?wait=${100 + below(900)}`;
			return this.#ask({ path }, proxied({ method: "GET", url: path }));
		},
		heavy: () => this.#ask({ path: `/heavy?${HEAVY_QUERY}` }, exactly(200, "settled")),
		aborted: () => this.#aborted(),
		trickled: () => this.#trickled(),
		idler: () => this.#idler(),
		tunnel: () => this.#tunnel(),
	};

	/** @param {string} key @returns {Promise<string | undefined>} */
	async #comeback(key) {
		const { status } = await this.#answer({ path: "/limited", headers: { "x-client": key } });
		return status === 200 ? undefined : `a window after its limit a key got ${status}`;
	}

	/**
	 * @typedef {{
	 *   path: string, method?: string, headers?: Record<string, string>, body?: Buffer, isChunked?: boolean,
	 *   agent?: Agent | TlsAgent | false, isTls?: boolean
	 * }} Asked
	 * @param {Asked} asked @param {Judge} judge
	 */
	async #ask(asked, judge) {
		return judge(await this.#answer(asked));
	}

	/** @param {Asked} asked @returns {Promise<Answer>} */
	async #answer(asked) {
		try {
			return await this.#once(asked);
		} catch (error) {
			// RFC 9112, 9.5: a kept connection may be closed while a request is on its way.
			const isClosed = error instanceof Error && error.name === "ClosedMeanwhile";
			if (!isClosed || performance.now() - this.#reloadedAt > CLOSING_MS) throw error;
			this.tally.again += 1;
			return this.#once({ ...asked, agent: false });
		}
	}

	/** @param {Asked} asked @returns {Promise<Answer>} */
	#once({ path, method = "GET", headers = {}, body, isChunked, agent, isTls }) {
		return new Promise((resolve, reject) => {
			const length = body === undefined || isChunked ? {} : { "content-length": body.length };
			const options = {
				...{ host: "127.0.0.1", port: isTls ? this.site.tlsPort : this.site.port },
				...{ path, method, headers: { host: "localhost", ...headers, ...length } },
				agent: agent ?? this.agent,
				...(isTls ? { servername: "localhost", ca: this.site.certificate } : {}),
			};
			const outgoing = (isTls ? requestTls : request)(options, (incoming) => {
				/** @type {Buffer[]} */
				const pieces = [];
				incoming.on("data", (piece) => pieces.push(piece));
				incoming.on("error", reject);
				incoming.on("end", () => {
					const text = Buffer.concat(pieces).toString("latin1");
					resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: text });
				});
			});
			outgoing.setTimeout(ANSWER_MS, () => outgoing.destroy(new Error("no answer in time")));
			outgoing.on("error", (/** @type {NodeJS.ErrnoException} */ error) => {
				const isClosed = error.code === "ECONNRESET" || error.code === "EPIPE";
				if (outgoing.reusedSocket && isClosed) error.name = "ClosedMeanwhile";
				reject(error);
			});
			outgoing.end(body);
		});
	}

	/** @param {(socket: import("node:net").Socket) => void} act @returns {Promise<string>} everything that was said */
	#raw(act) {
		return new Promise((resolve, reject) => {
			/** @type {Buffer[]} */
			const pieces = [];
			const socket = connect({ port: this.site.port, host: "127.0.0.1" }, () => act(socket));
			socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error("no end in time")));
			socket.on("data", (piece) => pieces.push(piece));
			socket.on("error", reject);
			socket.on("close", () => resolve(Buffer.concat(pieces).toString("latin1")));
		});
	}

	/** Clients that go away at any moment: nobody tells them anything, and nothing of them may stay. */
	async #aborted() {
		const ways = [
			(/** @type {import("node:net").Socket} */ socket) => socket.destroy(),
			(/** @type {import("node:net").Socket} */ socket) => {
				socket.write("GET /allowed/ HTTP/1.1\r\nhos");
				setTimeout(() => socket.resetAndDestroy(), below(200));
			},
			(/** @type {import("node:net").Socket} */ socket) => {
				socket.write(
					`POST /post/a HTTP/1.1\r\nhost: a\r\ncontent-length: ${POST_BYTES}\r\n\r\n${"y".repeat(below(POST_BYTES))}`,
				);
				setTimeout(() => socket.destroy(), below(200));
			},
			(/** @type {import("node:net").Socket} */ socket) => {
				socket.write("GET /slow?wait=500 HTTP/1.1\r\nhost: a\r\n\r\n");
				setTimeout(() => socket.resetAndDestroy(), 50 + below(200));
			},
			(/** @type {import("node:net").Socket} */ socket) => {
				socket.write(`GET /large?bytes=${LARGE_BYTES * 4} HTTP/1.1\r\nhost: a\r\n\r\n`);
				socket.once("data", () => socket.resetAndDestroy());
			},
			(/** @type {import("node:net").Socket} */ socket) => {
				socket.write(`GET /heavy?${HEAVY_QUERY} HTTP/1.1\r\nhost: a\r\n\r\n`);
				setTimeout(() => socket.resetAndDestroy(), below(5));
			},
			(/** @type {import("node:net").Socket} */ socket) => {
				socket.write(
					"GET /tunnel HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
				);
				setTimeout(() => socket.resetAndDestroy(), below(100));
			},
		];
		await this.#raw(ways[below(ways.length)] ?? (() => {})).catch(() => {});
		return undefined;
	}

	/** A header that comes in pieces, and an answer that is read in pieces. */
	async #trickled() {
		const text = `GET /large?bytes=${LARGE_BYTES} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`;
		const said = await this.#raw(async (socket) => {
			for (let at = 0; at < text.length; at += 12) {
				socket.write(text.slice(at, at + 12));
				await pause(100);
			}
			while (!socket.destroyed) {
				socket.pause();
				await pause(100);
				socket.resume();
				await pause(1);
			}
		});
		const at = said.indexOf("\r\n\r\n");
		const status = Number(said.slice(9, 12));
		return filled(LARGE_BYTES)({ status, headers: {}, body: said.slice(at + 4) });
	}

	/** A connection that asks once, says nothing for long, and asks again. */
	async #idler() {
		const agent = new Agent({ keepAlive: true, maxSockets: 1 });
		const path = `/allowed/${this.#number++}`;
		const judge = allowed(path, path);
		const first = await this.#ask({ path, agent }, judge);
		for (let waited = 0; waited < 15_000 && !this.#ends; waited += 500) await pause(500);
		const second = await this.#ask({ path, agent }, judge);
		agent.destroy();
		return first ?? second;
	}

	/** @returns {Promise<string | undefined>} */
	#tunnel() {
		return new Promise((resolve) => {
			const socket = new WebSocket(`ws://127.0.0.1:${this.site.port}/tunnel`, {
				perMessageDeflate: false,
				handshakeTimeout: ANSWER_MS,
			});
			let number = 0;
			let sent = Buffer.alloc(0);
			const next = () => {
				sent = randomBytes(1 + below(4096));
				socket.send(sent);
			};
			const timer = setTimeout(() => over("a message was not repeated"), ANSWER_MS);
			const over = (/** @type {string | undefined} */ complaint) => {
				clearTimeout(timer);
				socket.removeAllListeners();
				socket.on("error", () => {});
				socket.close();
				resolve(complaint);
			};
			socket.on("open", next);
			socket.on("error", (error) => over(`the tunnel failed: ${error.message}`));
			socket.on("close", (code) => over(`the tunnel ended after ${number} messages: ${code}`));
			socket.on("message", (data) => {
				if (!(data instanceof Buffer) || !data.equals(sent)) return over("another message came");
				number += 1;
				if (number === TUNNEL_MESSAGES) return over(undefined);
				setTimeout(next, TUNNEL_MS);
			});
		});
	}
}

/** Three rules that let it pass, and one that says so in the answer. @param {string} url @param {string} path */
const allowed = (url, path) => proxied({ method: "GET", url, headers: { "x-path": path } });
