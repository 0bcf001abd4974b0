/**
 * Proves that pipelining (contract 6, a backend's `pipelining`) never gives a call another's response, whatever
 * the backend's timing and faults, and that only requests that may be repeated share a connection.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createNativeUpstream } from "../native-upstream-alone.ts";
import { type Answer, backend, bench, until, wholeBody } from "../probe.ts";
import type {
	ReceivedRequest,
	ScriptedConnection,
	ScriptedUpstream,
} from "../scripted-upstream.ts";

const IDEMPOTENT: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]);

/** What the backend does about one request. */
interface Mood {
	/** turns of the event loop before the answer, and in the middle of it */
	readonly delay: number;
	readonly pause: number;
	/** part of the answer that comes first */
	readonly cut: number;
	readonly chunked: boolean;
	readonly fault:
		| "none"
		| "close"
		| "reset"
		| "close_within"
		| "reset_within"
		| "garbage"
		| "last"
		| "extra";
}

const turns = async (count: number): Promise<void> => {
	for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

const exclusive = ({ method, body }: ReceivedRequest): boolean =>
	!IDEMPOTENT.has(method) || body.length > 0;

const answerTo = ({ method, target }: ReceivedRequest, chunked: boolean, last: boolean): string => {
	const id = target.slice(1);
	const body = `${id};`.repeat(Number(id) % 50);
	const frame = chunked ? "transfer-encoding: chunked" : `content-length: ${body.length}`;
	const close = last ? "connection: close\r\n" : "";
	const head = `HTTP/1.1 200 OK\r\nx-id: ${id}\r\n${close}${frame}\r\n\r\n`;
	if (method === "HEAD") return head;
	if (!chunked) return head + body;
	const chunk = body === "" ? "" : `${body.length.toString(16)}\r\n${body}\r\n`;
	return `${head}${chunk}0\r\n\r\n`;
};

/** A backend that answers in the order of the requests, with moods, and notes what no client may do. */
class PipelineBackend {
	readonly complaints: string[] = [];
	/** how often each request came, by its id */
	readonly received = new Map<string, number>();
	/** connections at once that carried several requests, at most */
	deepest = 0;
	open = 0;
	mostOpen = 0;
	#moods: readonly Mood[] = [];
	#next = 0;
	#depth = 1;
	#connections = 1;

	begin(moods: readonly Mood[], depth: number, connections: number): void {
		this.#moods = moods;
		this.#depth = depth;
		this.#connections = connections;
	}

	async serve(connection: ScriptedConnection): Promise<void> {
		this.#opened();
		const gone = new Promise<void>((resolve) => {
			for (const event of ["end", "error", "close", "finish"]) {
				connection.socket.once(event, () => resolve());
			}
		});
		void gone.then(() => {
			this.open -= 1;
		});
		const queue: ReceivedRequest[] = [];
		const answering = this.#answer(connection, queue);
		try {
			for (;;) {
				const request = await connection.readRequest();
				const id = request.target.slice(1);
				this.received.set(id, (this.received.get(id) ?? 0) + 1);
				if (queue.some(exclusive) || (exclusive(request) && queue.length > 0)) {
					this.complaints.push(`${request.method} beside ${queue.map(({ method }) => method)}`);
				}
				queue.push(request);
				this.deepest = Math.max(this.deepest, queue.length);
				if (queue.length > this.#depth) this.complaints.push(`${queue.length} in flight`);
			}
		} finally {
			await answering;
		}
	}

	/** The end of a connection may be heard well after the beginning of the one in its place. */
	#opened(): void {
		this.open += 1;
		void turns(50).then(() => {
			this.mostOpen = Math.max(this.mostOpen, this.open);
			if (this.open > this.#connections) this.complaints.push(`${this.open} connections`);
		});
	}

	async #answer(connection: ScriptedConnection, queue: readonly ReceivedRequest[]): Promise<void> {
		const served = queue as ReceivedRequest[];
		while (!connection.socket.destroyed) {
			const request = served[0];
			if (request === undefined) {
				await turns(1);
				continue;
			}
			const mood = this.#moods[this.#next % this.#moods.length];
			this.#next += 1;
			if (mood === undefined) throw new Error("no mood");
			await turns(mood.delay);
			if (!(await this.#play(connection, request, mood))) return;
			served.shift();
		}
	}

	/** @returns false if the connection is given up */
	async #play(
		connection: ScriptedConnection,
		request: ReceivedRequest,
		mood: Mood,
	): Promise<boolean> {
		const { fault } = mood;
		const alone = exclusive(request);
		const text = answerTo(request, mood.chunked, fault === "last");
		const cut = Math.min(Math.floor(mood.cut * text.length), text.length - 1);
		const within = fault === "close_within" || fault === "reset_within";
		if (within) await connection.drain(Buffer.from(text.slice(0, cut)));
		if (within) await turns(mood.pause);
		if (fault.startsWith("close")) connection.end();
		if (fault.startsWith("reset")) connection.reset();
		if (fault === "garbage") connection.end("garbage\r\n\r\n");
		if (within || fault === "close" || fault === "reset" || fault === "garbage") return false;
		if (alone && connection.unread > 0) this.complaints.push("bytes behind what must be alone");
		// With others in flight nobody could tell whose it is.
		const extra =
			fault === "extra" && alone ? answerTo({ ...request, target: "/1" }, false, false) : "";
		await connection.drain(Buffer.from(text.slice(0, cut)));
		await turns(mood.pause);
		connection.write(text.slice(cut) + extra);
		if (fault === "last") connection.end();
		return fault !== "last" && extra === "";
	}
}

const moodOf = (faults: readonly Mood["fault"][]): fc.Arbitrary<Mood> =>
	fc.record({
		delay: fc.nat(4),
		pause: fc.nat(2),
		cut: fc.double({ min: 0, max: 1, noNaN: true }),
		chunked: fc.boolean(),
		fault: fc.constantFrom(...faults),
	});

const calm = moodOf(["none"]);
const rough: fc.Arbitrary<Mood> = fc.oneof(
	{ arbitrary: calm, weight: 8 },
	{
		arbitrary: moodOf([
			"close",
			"reset",
			"close_within",
			"reset_within",
			"garbage",
			"last",
			"extra",
		]),
		weight: 1,
	},
);

const asked = fc.record({
	method: fc.oneof(
		{ arbitrary: fc.constantFrom("GET", "GET", "HEAD", "DELETE", "PUT", "OPTIONS"), weight: 6 },
		{ arbitrary: fc.constantFrom("POST", "PATCH"), weight: 1 },
	),
	/** bytes; -1: none */
	body: fc.oneof({ arbitrary: fc.constant(-1), weight: 8 }, { arbitrary: fc.nat(3000), weight: 1 }),
	/** turns before it is sent */
	wait: fc.nat(12),
	/** turns for which the first piece of the response's body is held back; 0: it is not */
	hold: fc.oneof({ arbitrary: fc.constant(0), weight: 6 }, { arbitrary: fc.nat(15), weight: 1 }),
	/** turns after it was sent */
	abortAfter: fc.option(fc.nat(10), { freq: 8 }),
});
type Asked = typeof asked extends fc.Arbitrary<infer Value> ? Value : never;

/** Fails if the answer is not wholly that of the request. */
const checkOwn = (answer: Answer, id: string, method: string): void => {
	if (answer.statusCode !== undefined) expect(answer.headers[0]).toEqual(["x-id", id]);
	const whole = method === "HEAD" ? "" : `${id};`.repeat(Number(id) % 50);
	if (answer.failure === undefined) expect(answer.body.toString()).toBe(whole);
	else expect(whole.startsWith(answer.body.toString())).toBe(true);
};

const settings = fc.record({
	pipelining: fc.integer({ min: 1, max: 8 }),
	connections: fc.integer({ min: 1, max: 3 }),
});

/** Ids are those of one test; 1 is nobody's. */
let lastId = 1;

const storm = async (
	requests: readonly Asked[],
	moods: readonly Mood[],
	{ pipelining, connections }: { pipelining: number; connections: number },
	check: (answer: Answer, method: string) => void,
): Promise<PipelineBackend> => {
	const server = new PipelineBackend();
	server.begin(moods, pipelining, connections);
	const upstream: ScriptedUpstream = await backend((connection) => server.serve(connection));
	const { probe, upstream: pool } = bench(
		createNativeUpstream,
		[upstream.url],
		{ queue: 10_000 },
		{ pipelining, max_connections: connections },
	);
	const once: string[] = [];
	const all = requests.map(async ({ method, body, wait, hold, abortAfter }) => {
		await turns(wait);
		lastId += 1;
		const id = String(lastId);
		if (!IDEMPOTENT.has(method)) once.push(id);
		let holding = hold === 0;
		const sent = probe(
			{
				method,
				target: `/${id}`,
				body: body === -1 ? undefined : wholeBody("x".repeat(body), body % 2 === 0),
			},
			{
				onData: () => {
					if (holding) return true;
					holding = true;
					void turns(hold).then(() => sent.resume());
					return false;
				},
			},
		);
		if (abortAfter !== null) {
			await turns(abortAfter);
			if (!sent.ended) {
				sent.abort();
				return;
			}
		}
		const answer = await sent.answer;
		checkOwn(answer, id, method);
		check(answer, method);
	});
	await Promise.all(all);
	await pool.close();
	await upstream.close();
	expect(server.complaints).toEqual([]);
	for (const id of once) expect(server.received.get(id) ?? 0).toBeLessThanOrEqual(1);
	for (const times of server.received.values()) expect(times).toBeLessThanOrEqual(3);
	return server;
};

test("calls get their own responses or fail, in any weather", async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(asked, { minLength: 1, maxLength: 120, size: "max" }),
			fc.array(rough, { minLength: 1, maxLength: 60, size: "max" }),
			settings,
			async (requests, moods, bounds) => {
				await storm(requests, moods, bounds, (answer) => {
					// Whatever the backend does, it does it soon.
					expect(answer.failure, answer.message).not.toBe("timeout");
				});
			},
		),
		{ numRuns: 40 },
	);
});

test("without faults every call is answered, whoever else is aborted", async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(asked, { minLength: 1, maxLength: 120, size: "max" }),
			fc.array(calm, { minLength: 1, maxLength: 30 }),
			settings,
			async (requests, moods, bounds) => {
				await storm(requests, moods, bounds, (answer) => {
					expect(answer.message).toBe("");
				});
			},
		),
		{ numRuns: 30 },
	);
});

test("hundreds at once use the depth and the connections that they may", async () => {
	const requests = fc.sample(asked, { numRuns: 600, seed: 1 });
	const moods = fc.sample(calm, { numRuns: 100, seed: 1 });
	const server = await storm(requests, moods, { pipelining: 5, connections: 3 }, (answer) => {
		expect(answer.failure).toBeUndefined();
	});
	expect(server.deepest).toBe(5);
	expect(server.mostOpen).toBe(3);
});

/** A backend over one connection that has answered once, as pipelining asks for; `/silent` gets no answer. */
const warm = async (connections: number) => {
	const upstream = await backend(async (connection) => {
		for (;;) {
			const { target } = await connection.readRequest();
			if (target === "/silent") await connection.closed;
			const body = target.repeat(target === "/long" ? 100_000 : 1);
			connection.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
		}
	});
	const own = { pipelining: 8, max_connections: connections };
	const made = bench(createNativeUpstream, [upstream.url], { responseTimeoutMs: 100 }, own);
	await made.ask();
	return { ...made, upstream };
};

const OTHERS = ["/a", "/b", "/c", "/d"];

test("a request that is never answered costs those behind it a connection, no more", async () => {
	const { ask, upstream } = await warm(1);
	const silent = ask({ target: "/silent" });
	const others = OTHERS.map((target) => ask({ target }));
	expect((await silent).failure).toBe("timeout");
	for (const [index, answer] of others.entries()) {
		expect((await answer).body.toString()).toBe(OTHERS[index]);
	}
	expect(upstream.connections.length).toBeGreaterThan(1);
});

test("those behind a response that is held back do not wait for it", async () => {
	const { ask, probe } = await warm(2);
	let resume: (() => void) | undefined;
	const long = probe(
		{ target: "/long" },
		{
			onData: () => {
				if (resume !== undefined) return true;
				resume = () => long.resume();
				return false;
			},
		},
	);
	const others = OTHERS.map((target) => ask({ target }));
	for (const [index, answer] of others.entries()) {
		expect((await answer).body.toString()).toBe(OTHERS[index]);
	}
	await until(() => resume !== undefined, "it is held back");
	expect(long.ended).toBe(false);
	resume?.();
	expect((await long.answer).body.length).toBe(500_000);
});

test("a response that is given up is read over, and those behind it get their own", async () => {
	for (const turnsBefore of [0, 1, 2, 3]) {
		const { ask, probe, upstream } = await warm(1);
		const given = probe({ target: "/given-up" });
		const others = OTHERS.map((target) => ask({ target }));
		await turns(turnsBefore);
		if (!given.ended) given.abort();
		for (const [index, answer] of others.entries()) {
			expect((await answer).body.toString()).toBe(OTHERS[index]);
		}
		expect(upstream.connections.length).toBe(1);
	}
});
