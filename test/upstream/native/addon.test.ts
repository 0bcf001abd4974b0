/** The upstream client as the addon exports it: what it refuses, instead of touching memory that is not its own. */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { addon, type UpstreamAddon } from "../../../src/native-addon.ts";
import { settle } from "./support.ts";

const RECORDS_BYTES = 1024 * 64;
const ARENA_BYTES = 512 * 1024;
const BOUNDS = [65_536, 256, 4000, 60_000, 1000, 65_536, 1] as const;
const NUMBER = 2 ** 30 - 1;

type Call = (...values: unknown[]) => unknown;
type Name = keyof UpstreamAddon;

const NAMES: readonly Name[] = [
	...(["openBackend", "setAddresses", "failWaiting", "closeBackend"] as const),
	...(["send", "write", "finish", "pause", "resume", "abort", "createClient"] as const),
];

/** Functions of the addon, called with whatever a mistake could bring. */
const call = (name: Name): Call => addon[name] as Call;

const records = new ArrayBuffer(RECORDS_BYTES);
const arena = new ArrayBuffer(ARENA_BYTES);
const words = new Int32Array(records);
/** call → kind of its last record */
const ends = new Map<number, number>();
const onBatch = (count: number): void => {
	for (let at = 0; at < count; at += 1) ends.set(words[at * 16 + 1] ?? -1, words[at * 16] ?? -1);
};

const open = (): number => addon.openBackend(50, 50, 50, 2, 5, 1);
const send = (backend: number): number =>
	addon.send(backend, "GET", "/", "host: a\r\n", 2, 0) & NUMBER;

beforeAll(() => {
	const wrong: unknown[][] = [
		[],
		[records, arena],
		[records, arena, onBatch],
		[records, arena, onBatch, ...BOUNDS.slice(1)],
		[new ArrayBuffer(RECORDS_BYTES - 1), arena, onBatch, ...BOUNDS],
		[records, new ArrayBuffer(ARENA_BYTES - 1), onBatch, ...BOUNDS],
		[new SharedArrayBuffer(RECORDS_BYTES), arena, onBatch, ...BOUNDS],
		[new Uint8Array(RECORDS_BYTES), arena, onBatch, ...BOUNDS],
		[records, arena, {}, ...BOUNDS],
		[records, arena, onBatch, ...BOUNDS.slice(1), "1"],
		[records, arena, onBatch, -1, ...BOUNDS.slice(1)],
		[records, arena, onBatch, 2 ** 31, ...BOUNDS.slice(1)],
		[records, arena, onBatch, ...BOUNDS.slice(1), Number.NaN],
	];
	for (const values of wrong) {
		expect(() => call("createClient")(...values)).toThrow(TypeError);
		expect(open, "there is no client yet").toThrow(TypeError);
	}
	addon.createClient(records, arena, onBatch, ...BOUNDS);
	expect(() => addon.createClient(records, arena, onBatch, ...BOUNDS)).toThrow(TypeError);
});

describe("the addon's guard", () => {
	it("refuses arguments of other types and numbers out of bounds", async () => {
		const backend = open();
		const started = send(backend);
		const other = 2 ** 20;
		const bad = [[], ["0"], [-1], [other], [null], [{}], [2 ** 32 - 1]];
		const wrong: Readonly<Record<Exclude<Name, "createClient" | "openConnections">, unknown[][]>> =
			{
				openBackend: [
					[],
					[1, 1, 1, 1, 1],
					[1, 1, 1, 0, 1, 1],
					[1, 1, 1, 1, 1, 0],
					[-1, 1, 1, 1, 1, 1],
					[1, 1, 1, 1, 1, 2 ** 31],
					[1, 1, "1", 1, 1, 1],
				],
				setAddresses: [
					...[...bad, [backend], [backend, 1]],
					[backend, "0 127.0.0.1"],
					[backend, "0  80"],
					[backend, "x 127.0.0.1 80"],
					[backend, "0 127.0.0.1 65536"],
					[backend, "0 127.0.0.1 -1"],
					[backend, "0 localhost 80"],
					[backend, "0 127.0.0.1 80\n\n1 ::1 80"],
					[backend, "0 127.0.0.1 80\n1 :: :1 80"],
					[backend, "99999999999 127.0.0.1 80"],
				],
				failWaiting: [...bad, [backend], [backend, 1]],
				closeBackend: bad,
				send: [
					...bad,
					[backend, "GET", "/", "host: a\r\n", 2],
					[backend, 1, "/", "host: a\r\n", 2, 0],
					[backend, "GET", null, "host: a\r\n", 2, 0],
					[backend, "GET", "/", {}, 2, 0],
					[backend, "GET", "/", "host: a\r\n", "2", 0],
					[backend, "GET", "/", "host: a\r\n", 2, -2],
					[backend, "GET", "/", "host: a\r\n", 2, "0"],
					[other, "GET", "/", "host: a\r\n", 2, 0],
				],
				write: [
					...[...bad, [started], [started, "text"], [started, new ArrayBuffer(1)]],
					[started, new Uint16Array(1)],
					[other, new Uint8Array(1)],
				],
				...{ finish: bad, pause: bad, resume: bad, abort: bad },
				...{ bodyBytes: bad, pressed: bad, occupancy: bad },
			};
		for (const [name, lists] of Object.entries(wrong)) {
			for (const list of lists) {
				const attempt = () => call(name as Name)(...list);
				expect(attempt, `${name}(${list.map(String)})`).toThrow(TypeError);
			}
		}
		addon.failWaiting(backend, "all is as before");
		await settle();
		expect(ends.get(started)).toBe(5);
	});

	it("refuses to send what is no request line, and nothing happens", () => {
		const backend = open();
		const odd: [string, string][] = [
			...([
				["GET", "/a b"],
				["GET", "/a\r\nx: y"],
				["GET", ""],
				["GET", "/\x7f"],
			] as [string, string][]),
			...([
				["", "/"],
				["GE T", "/"],
				["GET\n", "/"],
				["(", "/"],
			] as [string, string][]),
		];
		for (const [method, target] of odd) {
			expect(addon.send(backend, method, target, "", 0, 0), `${method} ${target}`).toBe(-1);
		}
	});

	it("takes heads of any length", () => {
		const backend = open();
		for (const length of [16_000, 16_383, 16_384, 16_385, 40_000, 200_000, 100]) {
			const started = addon.send(backend, "GET", "/", `a: ${"x".repeat(length)}\r\n`, 2, 0);
			expect(started).toBeGreaterThanOrEqual(0);
			addon.abort(started & NUMBER);
		}
	});

	it("ignores what comes for a call that is over, and refuses a backend that is closed", async () => {
		const backend = open();
		addon.setAddresses(backend, "0 127.0.0.1 1");
		const started = send(backend);
		addon.abort(started);
		addon.abort(started);
		addon.pause(started);
		addon.resume(started);
		addon.finish(started);
		expect(addon.write(started, new Uint8Array(1))).toBe(false);
		addon.closeBackend(backend);
		expect(() => addon.closeBackend(backend)).toThrow(TypeError);
		ends.delete(backend);
		while (ends.get(backend) !== 10) await settle();
		expect(() => send(backend)).toThrow(TypeError);
		expect(() => addon.setAddresses(backend, "")).toThrow(TypeError);
	});

	it("survives anything at all", async () => {
		const anything = fc.constantFrom<unknown>(
			...[undefined, null, true, "", "GET", "/", "a: b\r\n", {}, [], 1n, Symbol("s"), () => {}],
			...[0, -0, 0.5, 1, 2, 3, 7, -1, 60_000, 2 ** 24, 2 ** 30, 2 ** 31, 2 ** 32 + 1, Number.NaN],
			...[new Uint8Array(0), new Uint8Array(4), new Uint16Array(4), new ArrayBuffer(8)],
			...["0 127.0.0.1 1", "1 ::1 1\n2 127.0.0.1 2", new Proxy([], {}), new Date(0)],
		);
		const small = fc.nat(3);
		const bytes = fc.uint8Array({ maxLength: 9 });
		const length = fc.integer({ min: -1, max: 9 });
		const [put, target, lines] = [fc.constant("PUT"), fc.constant("/"), fc.constant("")];
		const tries = fc.oneof(
			fc.tuple(fc.constantFrom<Name>("send"), fc.tuple(small, put, target, lines, small, length)),
			fc.tuple(fc.constantFrom<Name>("write"), fc.tuple(small, bytes)),
			fc.tuple(fc.constantFrom<Name>("finish", "pause", "resume", "abort"), fc.tuple(small)),
			fc.tuple(fc.constantFrom(...NAMES), fc.array(anything, { maxLength: 7 })),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(tries, { maxLength: 30 }), fc.boolean(), async (list, wait) => {
				for (const [name, values] of list) {
					try {
						call(name)(...values);
					} catch (error) {
						expect((error as NodeJS.ErrnoException).code).toBe("ERR_INVALID_ARG_VALUE");
					}
				}
				if (wait) await settle();
			}),
			{ numRuns: 500 },
		);
		const backend = open();
		const started = send(backend);
		addon.failWaiting(backend, "all is as before");
		ends.delete(started);
		while (ends.get(started) !== 5) await settle();
	});
});
