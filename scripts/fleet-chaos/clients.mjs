/**
 * Clients of the management API that write down what they asked for and what they got, and clients of the data path. Each
 * edge is a register: its value is its hostports, of which the first is written once in a run.
 */

/**
 * `refused`: weir says that nothing was changed. `unknown`: nobody knows whether it was done.
 * @typedef {{client: number, machine: string, kind: "read" | "write", document: string, value: string | null,
 *   expected?: string | null, begin: number, end: number, wall: number, outcome: "ok" | "refused" | "unknown", status: string,
 *   revision: number, asked?: number}} Event
 */

const DOCUMENTS = 6;
const SHARED = 3;
const NOTHING_DONE = new Set(["ECONNREFUSED"]);
const REFUSALS = new Set([400, 403, 404, 409, 412, 503, 507]);

/** A generator that gives the same for the same seed. @param {number} seed */
export const randomOf = (seed) => {
	let state = seed >>> 0 || 1;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
};

/** @param {number} ms */
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export const documents = Array.from({ length: DOCUMENTS }, (_, index) => `d${index}`);

/** @param {import("./machines.mjs").Answer} answer @returns {string | null} */
export const registerOf = ({ status, body }) =>
	status === 200 ? JSON.parse(body).hostports.join(",") : null;

export class Clients {
	/** @type {Event[]} */
	history = [];
	#isOver = false;
	/** @type {Promise<void> | undefined} */
	#gate;
	#open = () => {};
	#busy = 0;
	#values = 0;
	/** @type {Promise<void>[]} */
	#running;

	/** @param {import("./machines.mjs").Machine[]} machines @param {number} many @param {number} seed */
	constructor(machines, many, seed) {
		this.machines = machines;
		this.#running = Array.from({ length: many }, (_, index) =>
			this.#run(index, seed * 1000 + index),
		);
	}

	/** Nobody asks anything until `go`. */
	async hold() {
		this.#gate = new Promise((resolve) => {
			this.#open = resolve;
		});
		while (this.#busy > 0) await pause(5);
	}

	go() {
		this.#gate = undefined;
		this.#open();
	}

	async stop() {
		this.#isOver = true;
		this.go();
		await Promise.all(this.#running);
	}

	/** @param {number} client @param {number} seed */
	async #run(client, seed) {
		const random = randomOf(seed);
		let known = 0;
		while (!this.#isOver) {
			if (this.#gate !== undefined) await this.#gate;
			this.#busy++;
			try {
				known = await this.#act(client, random, known);
			} finally {
				this.#busy--;
			}
			await pause(5 + 40 * random());
		}
	}

	/** @param {number} client @param {() => number} random @param {number} known @returns {Promise<number>} the newest revision it has seen */
	async #act(client, random, known) {
		const machine = this.machines[Math.floor(random() * this.machines.length)];
		const document = documents[Math.floor(random() * DOCUMENTS)];
		if (machine === undefined || document === undefined) return known;
		const dice = random();
		const asked = random() < 0.5 ? known : undefined;
		if (dice < 0.4) {
			const read = await this.#ask({ client, machine, kind: "read", document, value: null, asked });
			return Math.max(known, read.revision);
		}
		const value = `v${++this.#values}.test${dice > 0.8 ? `,shared${Math.floor(random() * SHARED)}.test` : ""}`;
		if (dice < 0.55) {
			const read = await this.#ask({ client, machine, kind: "read", document, value: null });
			if (read.outcome !== "ok" || read.etag === undefined) return known;
			// Another machine judges it.
			const other = this.machines[Math.floor(random() * this.machines.length)] ?? machine;
			const expected = read.value;
			const cas = {
				client,
				machine: other,
				kind: /** @type {const} */ ("write"),
				document,
				value,
				expected,
			};
			const written = await this.#ask({ ...cas, etag: read.etag });
			return Math.max(known, written.revision);
		}
		const written = await this.#ask({
			...{ client, machine, kind: "write", document, asked },
			value: dice < 0.6 ? null : value,
			waits: dice > 0.95,
		});
		return Math.max(known, written.revision);
	}

	/**
	 * @param {{client: number, machine: import("./machines.mjs").Machine, kind: "read" | "write", document: string,
	 *   value: string | null, expected?: string | null, asked?: number | undefined, etag?: string, waits?: boolean}} what
	 */
	async #ask({ client, machine, kind, document, value, expected, asked, etag, waits }) {
		const begin = performance.now();
		const method = kind === "read" ? "GET" : value === null ? "DELETE" : "PUT";
		/** @type {Event} */
		const event = {
			...{ client, machine: machine.name, kind, document, value, begin, end: begin, wall: 0 },
			...{ outcome: "unknown", status: "", revision: 0 },
			...(expected === undefined ? {} : { expected }),
			...(asked === undefined ? {} : { asked }),
		};
		let found;
		try {
			const headers = {
				...(asked === undefined ? {} : { "fleet-revision": String(asked) }),
				...(etag === undefined ? {} : { "if-match": etag }),
			};
			const body = method === "PUT" ? { hostports: value?.split(",") } : undefined;
			const query = waits ? "?wait=fleet&timeout=2s" : "";
			const answer = await machine.api(method, `/edges/https/${document}${query}`, body, headers);
			event.status =
				answer.status < 400
					? `${answer.status}`
					: `${answer.status} ${/ERR_\w+/.exec(answer.body)?.[0]}`;
			event.revision = Number(answer.headers["fleet-revision"] ?? 0);
			const isFound = kind === "read" && (answer.status === 200 || answer.status === 404);
			if (isFound) event.value = registerOf(answer);
			if (answer.status < 300 || isFound) event.outcome = "ok";
			else if (REFUSALS.has(answer.status)) event.outcome = "refused";
			found = answer.headers.etag;
		} catch (error) {
			event.status = /** @type {NodeJS.ErrnoException} */ (error).code ?? String(error);
			if (NOTHING_DONE.has(event.status)) event.outcome = "refused";
		}
		event.end = performance.now();
		event.wall = Date.now();
		this.history.push(event);
		return { ...event, revision: event.outcome === "ok" ? event.revision : 0, etag: found };
	}
}

/** Asks each machine's data path all the time. */
export class Visitors {
	answered = 0;
	/** @type {string[]} */
	failed = [];
	#isOver = false;
	#running;

	/** @param {import("./machines.mjs").Machine[]} machines @param {string} body what every answer has */
	constructor(machines, body) {
		this.#running = machines.map((machine) => this.#run(machine, body));
	}

	/** @param {import("./machines.mjs").Machine} machine @param {string} body */
	async #run(machine, body) {
		while (!this.#isOver) {
			const wasAway = machine.isAway;
			const got = await machine.get().catch((error) => ({ status: 0, body: String(error) }));
			if (got.status === 200 && got.body === body) this.answered++;
			else if (!wasAway && !machine.isAway)
				this.failed.push(`${machine.name}: ${got.status} ${got.body.slice(0, 100)}`);
			await pause(20);
		}
	}

	async stop() {
		this.#isOver = true;
		await Promise.all(this.#running);
	}
}
