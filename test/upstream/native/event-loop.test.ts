/**
 * The native client on Node's event loop, in processes and threads of its own: nothing that is asked for is
 * left until something else wakes the loop, a process lives as long as something is under way and no longer,
 * and an environment that ends in the middle of it leaves nothing behind.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { addonFile } from "../../limiter/support.ts";
import { backend, until } from "../probe.ts";
import { answering, type ScriptedUpstream } from "../scripted-upstream.ts";

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

/** `open(port)`, `send()`, and `onEnd(call, kind)` for each call that is over; nothing else of Node runs. */
const prelude = `
	const addon = require(${JSON.stringify(addonFile)});
	const { recordBytes, word, kind: kinds, bodyWanted } = addon.upstreamLayout;
	const records = new ArrayBuffer(1024 * recordBytes);
	const words = new Int32Array(records);
	const over = [kinds.whole, kinds.end, kinds.failed, kinds.backendClosed];
	let backend = -1;
	let onEnd = () => {};
	let onBatch = () => {};
	const open = (port) => {
		addon.createClient(records, new ArrayBuffer(1 << 20), (count) => {
			for (let at = 0; at < count; at++) {
				const base = (at * recordBytes) / 4;
				const [kind, call] = [words[base + word.kind], words[base + word.call]];
				if (over.includes(kind)) onEnd(call, kind);
			}
			onBatch();
		}, {
			headBytes: 65536, headerLines: 256, interimResponses: 100,
			idleMs: 60000, idleHintedMs: 60000, idleMarginMs: 1000, reuseMs: 60000,
			bodyBufferBytes: 65536, setAsideFirstMs: 1000, setAsideLastMs: 30000,
			pipeliningMax: 64, seed: 1,
		});
		backend = addon.openBackend({
			connectTimeoutMs: 60000, responseTimeoutMs: 60000, idleTimeoutMs: 60000,
			connections: 8, queue: 100, pipelining: 1,
		});
		addon.setAddresses(backend, [{ id: 0, ip: "127.0.0.1", port }]);
	};
	const send = () => addon.send(backend, "GET", "/", "host: a\\r\\n", "", 2, 0) & (bodyWanted - 1);
`;

const portOf = ({ url }: ScriptedUpstream): string => new URL(url).port;

/** Runs a program after the prelude. @returns what it wrote, and how it ended */
async function run(program: string): Promise<{ output: string; errors: string; code: unknown }> {
	const child = spawn(process.execPath, ["-e", prelude + program], { timeout: 15_000 });
	const closed = once(child, "close");
	const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
	const [code] = await closed;
	return { output, errors, code };
}

/** A backend that never answers. */
const silent = () =>
	backend(async (connection) => {
		await connection.readRequest();
		await connection.closed;
	});

describe("a process", () => {
	it("lives while a call is under way, and ends although connections are open", async () => {
		const upstream = await backend(async (connection) => {
			await connection.readRequest();
			// Long enough that a loop that nothing holds has ended.
			await new Promise((resolve) => setTimeout(resolve, 300));
			connection.write(OK);
			await connection.closed;
		});
		const program = `
			open(${portOf(upstream)});
			onEnd = (call, kind) => console.log("kind", kind);
			send();
		`;
		expect(await run(program)).toEqual({ output: "kind 1\n", errors: "", code: 0 });
	});

	it("lives until a backend is closed", async () => {
		const upstream = await backend(answering(OK));
		const program = `
			open(${portOf(upstream)});
			onEnd = (call, kind) => {
				console.log("kind", kind);
				if (kind === 1) addon.closeBackend(backend);
			};
			send();
		`;
		expect(await run(program)).toEqual({ output: "kind 1\nkind 10\n", errors: "", code: 0 });
	});

	it("ends where its last call is aborted", async () => {
		const upstream = await silent();
		const program = `
			open(${portOf(upstream)});
			const call = send();
			setTimeout(() => addon.abort(call), 100);
		`;
		expect(await run(program)).toEqual({ output: "", errors: "", code: 0 });
	});

	it("may exit with calls under way", async () => {
		const upstream = await silent();
		const program = `
			open(${portOf(upstream)});
			for (let n = 0; n < 20; n++) send();
			setTimeout(() => process.exit(7), 100);
		`;
		expect(await run(program)).toEqual({ output: "", errors: "", code: 7 });
	});

	it("hears of what its batch function throws, and the next batch comes", async () => {
		const upstream = await backend(answering(OK));
		const program = `
			open(${portOf(upstream)});
			let ends = 0;
			process.on("uncaughtException", ({ message }) => {
				console.log(message);
				if (ends < 3) send();
			});
			onEnd = () => { throw new Error("end " + ++ends); };
			send();
		`;
		expect(await run(program)).toEqual({ output: "end 1\nend 2\nend 3\n", errors: "", code: 0 });
	});
});

describe("a turn of the loop", () => {
	it("sends what is asked for in any of its phases, with nothing else to wake it", async () => {
		const upstream = await backend(answering(OK));
		const program = `
			const { readFile } = require("node:fs");
			open(${portOf(upstream)});
			const ways = {
				atOnce: (run) => run(),
				microtask: (run) => queueMicrotask(run),
				nextTick: (run) => process.nextTick(run),
				immediate: (run) => setImmediate(run),
				timer: (run) => setTimeout(run, 1),
				immediateThenMicrotask: (run) => setImmediate(() => queueMicrotask(run)),
				timerThenTick: (run) => setTimeout(() => process.nextTick(run), 1),
				poll: (run) => readFile(process.execPath, { signal: AbortSignal.abort() }, run),
				pollThenImmediate: (run) => require("node:fs").stat("/", () => setImmediate(run)),
			};
			const names = Object.keys(ways);
			let done = 0;
			const next = () => {
				if (done === 40 * names.length) console.log("all", done);
				else ways[names[done++ % names.length]](send);
			};
			onEnd = next;
			next();
		`;
		expect(await run(program)).toEqual({ output: "all 360\n", errors: "", code: 0 });
	});

	it("goes on when every answer is followed by a request that fails at once", async () => {
		const program = `
			open(1);
			addon.setAddresses(backend, []);
			addon.failWaiting(backend, "no address");
			let done = 0;
			let timers = 0;
			setTimeout(function again() { timers++; if (done < 5000) setTimeout(again, 1); }, 1);
			onEnd = () => { if (++done < 5000) send(); else console.log("all", timers > 0); };
			send();
		`;
		expect(await run(program)).toEqual({ output: "all true\n", errors: "", code: 0 });
	});

	it("runs microtasks and ticks right after a batch", async () => {
		const upstream = await backend(answering(OK));
		const program = `
			open(${portOf(upstream)});
			const order = [];
			onEnd = () => {
				setImmediate(() => { order.push("immediate"); console.log(order.join(" ")); });
				Promise.resolve().then(() => order.push("microtask"));
				process.nextTick(() => order.push("tick"));
			};
			onBatch = () => order.push("batch");
			send();
		`;
		const expected = { output: "batch tick microtask immediate\n", errors: "", code: 0 };
		expect(await run(program)).toEqual(expected);
	});
});

describe("a thread", () => {
	const inThread = (program: string): Worker => new Worker(prelude + program, { eval: true });
	const exitOf = (worker: Worker): Promise<number> =>
		new Promise((resolve) => worker.on("error", () => {}).on("exit", resolve));

	it("that is ended in the middle of calls closes its connections", async () => {
		const upstream = await silent();
		const waits = `open(${portOf(upstream)}); for (let n = 0; n < 8; n++) send();`;
		for (let round = 0; round < 5; round += 1) {
			const worker = inThread(waits);
			const wanted = 8 * (round + 1);
			await until(() => upstream.connections.length === wanted, "all calls are under way");
			await worker.terminate();
			for (const connection of upstream.connections) await connection.closed;
		}
	});

	it.each([
		["exits", "process.exit(3)", 3],
		["throws", "throw new Error('thrown')", 1],
		["has nothing left to do", "", 0],
	])("that %s within a batch closes its connections", async (_, act, code) => {
		const upstream = await backend(answering(OK));
		const worker = inThread(`
			open(${portOf(upstream)});
			onEnd = () => { send(); ${act === "" ? "onEnd = () => {};" : act} };
			send();
		`);
		expect(await exitOf(worker)).toBe(code);
		for (const connection of upstream.connections) await connection.closed;
		expect(upstream.connections.length).toBeGreaterThan(0);
	});

	it("has a client of its own beside those of others", async () => {
		const upstream = await backend(answering(OK));
		const program = `
			open(${portOf(upstream)});
			let left = 200;
			onEnd = () => { if (--left > 0) send(); else require("node:worker_threads").parentPort.postMessage("done"); };
			send();
		`;
		const ends = [1, 2, 3].map(async () => {
			const worker = inThread(program);
			const exit = exitOf(worker);
			const [message] = await once(worker, "message");
			return [message, await exit];
		});
		expect(await Promise.all(ends)).toEqual(Array(3).fill(["done", 0]));
	});
});
