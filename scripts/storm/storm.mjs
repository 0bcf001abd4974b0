/**
 * New connections at a constant rate to a weir that serves, one request each, and how each of them ended. Used by
 * `reloads.mjs` and `upgrades.mjs`.
 */
import { readFileSync } from "node:fs";
import { connect } from "node:net";

const TICK_MS = 10;
/** a connection without its answer for so long counts as late, and is given up */
const ANSWER_MS = 30_000;
const EXAMPLES = 10;
const WAIT_MS = 60_000;
const REQUEST = "GET /r HTTP/1.1\r\nhost: storm.test\r\nconnection: close\r\n\r\n";

/** @typedef {{answered: number, reset: number, refused: number, late: number, wrong: number}} Ends */

/** @template T @param {() => T | undefined | Promise<T | undefined>} probe @param {string} what @returns {Promise<T>} */
export const until = async (probe, what) => {
	const deadline = Date.now() + WAIT_MS;
	for (;;) {
		const found = await probe();
		if (found !== undefined) return found;
		if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
};

/** Connections at a constant rate, whether those before them are answered or not. */
export class Storm {
	/** @type {Ends} */
	ends = { answered: 0, reset: 0, refused: 0, late: 0, wrong: 0 };
	/** what the first words were of those that had no right answer @type {Set<string>} */
	examples = new Set();
	open = 0;
	slowestMs = 0;
	#begun = performance.now();
	#made = 0;
	/** @type {NodeJS.Timeout} */
	#timer;

	/** @param {number} port @param {number} rate */
	constructor(port, rate) {
		this.#timer = setInterval(() => {
			const due = Math.floor(((performance.now() - this.#begun) * rate) / 1000);
			// What this process was late with is not caught up at once, or it would be a flood.
			const now = Math.min(due - this.#made, Math.ceil((rate * TICK_MS * 3) / 1000));
			for (let made = 0; made < now; made++) this.#ask(port);
			this.#made = due;
		}, TICK_MS);
	}

	/** @param {number} port */
	#ask(port) {
		const begun = performance.now();
		let text = "";
		let isOver = false;
		this.open++;
		const socket = connect({ port, host: "127.0.0.1" });
		/** @param {keyof Ends} end */
		const over = (end) => {
			if (isOver) return;
			isOver = true;
			if (end !== "answered")
				this.examples.add(`${end}: ${text.slice(0, 60) || "nothing was said"}`);
			this.open--;
			this.ends[end]++;
			this.slowestMs = Math.max(this.slowestMs, performance.now() - begun);
			socket.destroy();
		};
		socket.setEncoding("latin1");
		socket.setTimeout(ANSWER_MS, () => over("late"));
		socket.on("connect", () => socket.write(REQUEST));
		socket.on("data", (data) => {
			text += data;
		});
		socket.on("error", (/** @type {NodeJS.ErrnoException} */ { code }) =>
			over(code === "ECONNREFUSED" ? "refused" : "reset"),
		);
		socket.on("close", () => {
			const isRight = text.startsWith("HTTP/1.1 200 ") && text.endsWith("\r\n\r\nok");
			over(isRight ? "answered" : text === "" ? "reset" : "wrong");
		});
	}

	/** connections that have ended */
	get total() {
		return Object.values(this.ends).reduce((sum, each) => sum + each, 0);
	}

	async stop() {
		clearInterval(this.#timer);
		await until(() => this.open === 0 || undefined, "the last answers");
	}
}

/** What was said of connections that had no right answer, on stderr. @param {Storm} storm */
export const showExamples = (storm) => {
	for (const example of [...storm.examples].slice(0, EXAMPLES))
		console.error(JSON.stringify(example));
};

/** Lines of a log that are complete. @param {string} file @returns {Record<string, any>[]} */
export const linesOf = (file) => {
	try {
		const text = readFileSync(file, "utf8");
		const whole = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
		return whole.filter(Boolean).map((line) => JSON.parse(line));
	} catch {
		return [];
	}
};

/** An edge for every host and a route for every path. @param {string} management @param {string} key @param {number} port */
export const routeTo = async (management, key, port) => {
	await put(management, key, "/edges/https/e", { hostports: ["*"] });
	await put(management, key, "/edges/https/e/routes/r", {
		match_type: "path_prefix",
		match: "/",
		backend: { urls: [`http://127.0.0.1:${port}`] },
	});
};

/** @param {string} management @param {string} key @param {string} path @param {object} document */
export const put = async (management, key, path, document) => {
	const answer = await fetch(`http://${management}${path}`, {
		method: "PUT",
		headers: {
			authorization: `Bearer ${key}`,
			"service-version": "2",
			"content-type": "application/json",
		},
		body: JSON.stringify(document),
	});
	if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
};
