/** The upstream client as the addon exports it: what it refuses, instead of touching memory that is not its own. */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import {
	addon,
	type UpstreamAddon,
	type UpstreamBackendOptions,
} from "../../../src/native-addon.ts";
import type { UpstreamClientOptions } from "../../../src/native-addon-upstream.ts";
import { settle } from "./support.ts";

const { recordBytes, word, kind, requestFlag, bodyWanted } = addon.upstreamLayout;
const ARENA_BYTES = 512 * 1024;
const OPTIONS: UpstreamClientOptions = {
	...{ headBytes: 65_536, headerLines: 256, interimResponses: 100 },
	...{ idleMs: 4000, idleHintedMs: 60_000, idleMarginMs: 1000, reuseMs: 1000 },
	...{ bodyBufferBytes: 65_536, setAsideFirstMs: 1000, setAsideLastMs: 30_000 },
	...{ pipeliningMax: 64, seed: 1 },
};
const RECORDS_BYTES = (4 * OPTIONS.pipeliningMax + 2) * recordBytes;
const BACKEND: UpstreamBackendOptions = {
	...{ connectTimeoutMs: 50, responseTimeoutMs: 50, idleTimeoutMs: 50 },
	...{ connections: 2, queue: 5, pipelining: 1 },
};
const NUMBER = bodyWanted - 1;

type Call = (...values: unknown[]) => unknown;
type Name = keyof UpstreamAddon;

const NAMES: readonly Name[] = [
	...(["openBackend", "setAddresses", "failWaiting", "closeBackend"] as const),
	...(["send", "write", "finish", "pause", "resume", "abort", "createClient"] as const),
];

/** Functions of the addon, called with whatever a mistake could bring. */
const call = (name: Name): Call => addon[name] as Call;

const ADDRESS = { id: 0, ip: "127.0.0.1", port: 1 };
const records = new ArrayBuffer(RECORDS_BYTES);
const arena = new ArrayBuffer(ARENA_BYTES);
const words = new Int32Array(records);
/** call → kind of its last record */
const ends = new Map<number, number>();
const onBatch = (count: number): void => {
	for (let base = 0; base < (count * recordBytes) / 4; base += recordBytes / 4) {
		ends.set(words[base + word.call] ?? -1, words[base + word.kind] ?? -1);
	}
};

const open = (): number => addon.openBackend(BACKEND);
const send = (backend: number): number =>
	addon.send(backend, "GET", "/", "host: a\r\n", "", requestFlag.idempotent, 0) & NUMBER;

beforeAll(() => {
	const wrong: unknown[][] = [
		[],
		[records, arena],
		[records, arena, onBatch],
		[records, arena, onBatch, 1],
		[new ArrayBuffer(RECORDS_BYTES - 1), arena, onBatch, OPTIONS],
		[records, new ArrayBuffer(ARENA_BYTES - 1), onBatch, OPTIONS],
		[new SharedArrayBuffer(RECORDS_BYTES), arena, onBatch, OPTIONS],
		[new Uint8Array(RECORDS_BYTES), arena, onBatch, OPTIONS],
		[records, arena, {}, OPTIONS],
		[records, arena, onBatch, { ...OPTIONS, pipeliningMax: OPTIONS.pipeliningMax + 1 }],
		...Object.keys(OPTIONS).flatMap((name) =>
			[undefined, "1", -1, Number.NaN, 2 ** 53].map((value) => [
				...[records, arena, onBatch],
				{ ...OPTIONS, [name]: value },
			]),
		),
	];
	for (const values of wrong) {
		expect(() => call("createClient")(...values)).toThrow(TypeError);
		expect(open, "there is no client yet").toThrow(TypeError);
	}
	addon.createClient(records, arena, onBatch, OPTIONS);
	expect(() => addon.createClient(records, arena, onBatch, OPTIONS)).toThrow(TypeError);
});

describe("the addon's guard", () => {
	it("refuses arguments of other types and numbers out of bounds", async () => {
		const backend = open();
		const started = send(backend);
		const other = 2 ** 20;
		const bad = [[], ["0"], [-1], [other], [null], [{}], [2 ** 32 - 1]];
		const wrong: Readonly<Record<Exclude<Name, "createClient">, unknown[][]>> = {
			openBackend: [
				[],
				[1],
				[{ ...BACKEND, connections: 0 }],
				[{ ...BACKEND, pipelining: 0 }],
				...Object.keys(BACKEND).flatMap((name) =>
					[undefined, "1", -1, 2 ** 31].map((value) => [{ ...BACKEND, [name]: value }]),
				),
			],
			setAddresses: [
				...[...bad, ...bad.map((list) => [...list, []]), [backend], [backend, 1]],
				[backend, {}],
				[backend, [1]],
				[backend, [{ id: 0, ip: "127.0.0.1" }]],
				[backend, [{ ip: "127.0.0.1", port: 80 }]],
				[backend, [{ id: 0, ip: "", port: 80 }]],
				[backend, [{ id: "x", ip: "127.0.0.1", port: 80 }]],
				[backend, [{ id: 0, ip: "127.0.0.1", port: 65_536 }]],
				[backend, [{ id: 0, ip: "127.0.0.1", port: -1 }]],
				[backend, [{ id: 0, ip: "localhost", port: 80 }]],
				[backend, [{ id: 0, ip: "127.0.0.1", port: 80 }, null]],
				[backend, [ADDRESS, { id: 1, ip: ":: :1", port: 80 }]],
				[backend, [{ id: 2 ** 31, ip: "127.0.0.1", port: 80 }]],
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
			...{ bodyBytes: bad, pressed: bad, occupancy: bad, takeStates: bad },
		};
		for (const [name, lists] of Object.entries(wrong)) {
			for (const list of lists) {
				const attempt = () => call(name as Name)(...list);
				expect(attempt, `${name}(${list.map(String)})`).toThrow(TypeError);
			}
		}
		addon.failWaiting(backend, "all is as before");
		await settle();
		expect(ends.get(started)).toBe(kind.failed);
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
			expect(addon.send(backend, method, target, "", "", 0, 0), `${method} ${target}`).toBe(-1);
		}
	});

	it("takes heads of any length", () => {
		const backend = open();
		for (const length of [16_000, 16_383, 16_384, 16_385, 40_000, 200_000, 100]) {
			const long = `a: ${"x".repeat(length)}\r\n`;
			for (const [lines, more] of [
				[long, ""],
				["b: c\r\n", long],
			] as const) {
				const started = addon.send(backend, "GET", "/", lines, more, 2, 0);
				expect(started).toBeGreaterThanOrEqual(0);
				addon.abort(started & NUMBER);
			}
		}
	});

	it("ignores what comes for a call that is over, and refuses a backend that is closed", async () => {
		const backend = open();
		addon.setAddresses(backend, [ADDRESS]);
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
		while (ends.get(backend) !== kind.backendClosed) await settle();
		expect(() => send(backend)).toThrow(TypeError);
		expect(() => addon.setAddresses(backend, [])).toThrow(TypeError);
	});

	it("survives anything at all", async () => {
		const anything = fc.constantFrom<unknown>(
			...[undefined, null, true, "", "GET", "/", "a: b\r\n", {}, [], 1n, Symbol("s"), () => {}],
			...[0, -0, 0.5, 1, 2, 3, 7, -1, 60_000, 2 ** 24, 2 ** 30, 2 ** 31, 2 ** 32 + 1, Number.NaN],
			...[new Uint8Array(0), new Uint8Array(4), new Uint16Array(4), new ArrayBuffer(8)],
			...[[ADDRESS], [{ ...ADDRESS, ip: "::1" }, ADDRESS], new Proxy([], {}), new Date(0)],
			...[BACKEND, OPTIONS],
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
		while (ends.get(started) !== kind.failed) await settle();
	});
});
