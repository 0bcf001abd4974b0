/**
 * The addon as JS sees it: the hash against a second, naive implementation in BigInt; the clock the same
 * in every thread and process; several environments at once; a clear error where it is missing.
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AddonError, bootClockMs, createKeyHash, loadAddon } from "../../src/limiter/binding.ts";

const addonFile = join(import.meta.dirname, "..", "..", "build", "weir.node");
const MASK = (1n << 64n) - 1n;
const rotate = (word: bigint, bits: bigint): bigint =>
	((word << bits) | (word >> (64n - bits))) & MASK;

/** SipHash-1-3 with 128 bits, word for word from its description. */
function naiveHash(seed: Uint8Array, bytes: Uint8Array): string {
	const view = (from: Uint8Array, at: number) => Buffer.from(from).readBigUInt64LE(at);
	const [k0, k1] = [view(seed, 0), view(seed, 8)];
	let v0 = k0 ^ 0x736f6d6570736575n;
	let v1 = k1 ^ 0x646f72616e646f6dn ^ 0xeen;
	let v2 = k0 ^ 0x6c7967656e657261n;
	let v3 = k1 ^ 0x7465646279746573n;
	const round = () => {
		v0 = (v0 + v1) & MASK;
		v1 = rotate(v1, 13n) ^ v0;
		v0 = rotate(v0, 32n);
		v2 = (v2 + v3) & MASK;
		v3 = rotate(v3, 16n) ^ v2;
		v0 = (v0 + v3) & MASK;
		v3 = rotate(v3, 21n) ^ v0;
		v2 = (v2 + v1) & MASK;
		v1 = rotate(v1, 17n) ^ v2;
		v2 = rotate(v2, 32n);
	};
	const padded = Buffer.alloc(Math.floor(bytes.length / 8) * 8 + 8);
	padded.set(bytes);
	padded[padded.length - 1] = bytes.length % 256;
	for (let at = 0; at < padded.length; at += 8) {
		const word = padded.readBigUInt64LE(at);
		v3 ^= word;
		round();
		v0 ^= word;
	}
	const hash = Buffer.alloc(16);
	v2 ^= 0xeen;
	for (let i = 0; i < 3; i++) round();
	hash.writeBigUInt64LE(v0 ^ v1 ^ v2 ^ v3, 0);
	v1 ^= 0xddn;
	for (let i = 0; i < 3; i++) round();
	hash.writeBigUInt64LE(v0 ^ v1 ^ v2 ^ v3, 8);
	return hash.toString("latin1");
}

const seeds = fc.uint8Array({ minLength: 16, maxLength: 16 });
/** UTF-16 units of every kind: lone surrogates, NUL, one-byte and two-byte strings. */
const keys = fc
	.array(fc.oneof(fc.nat({ max: 0xffff }), fc.nat({ max: 0x7f })), { maxLength: 60 })
	.map((units) => String.fromCharCode(...units));

describe("keyHash", () => {
	it("is SipHash-1-3-128 of the string's UTF-16 units", () => {
		fc.assert(
			fc.property(seeds, keys, (seed, key) => {
				expect(createKeyHash(seed)(key)).toBe(naiveHash(seed, Buffer.from(key, "utf16le")));
			}),
			{ numRuns: 500 },
		);
	});

	it("hashes keys around and beyond the size of its stack buffer", () => {
		const seed = Uint8Array.from({ length: 16 }, (_, index) => index);
		const hash = createKeyHash(seed);
		for (const length of [0, 1, 1021, 1022, 1023, 1024, 1025, 4096, 70_000]) {
			for (const unit of ["a", "é", "€", "\0"]) {
				const key = unit.repeat(length);
				expect(hash(key)).toBe(naiveHash(seed, Buffer.from(key, "utf16le")));
			}
		}
	});

	it("keeps apart what UTF-8 would not", () => {
		const hash = createKeyHash(new Uint8Array(16));
		const alike = ["\ud800", "\udfff", "\ufffd", "\ud800\ud800", ""];
		expect(new Set(alike.map(hash)).size).toBe(alike.length);
	});

	it("depends on the seed, and takes no other than 16 bytes", () => {
		expect(createKeyHash(new Uint8Array(16))("a")).not.toBe(
			createKeyHash(Buffer.alloc(16, 1))("a"),
		);
		for (const length of [0, 15, 17]) {
			expect(() => createKeyHash(new Uint8Array(length))).toThrow(RangeError);
		}
	});
});

describe("the addon's own guard", () => {
	it("refuses arguments that would lead outside a buffer", () => {
		const { keyHash } = loadAddon(addonFile);
		const exchange = new Uint8Array(32);
		const wrong: unknown[][] = [
			[],
			[exchange],
			[exchange, "key", 1],
			[exchange, 1],
			[exchange, null],
			[new Uint8Array(31), "key"],
			[new Float32Array(8), "key"],
			[new ArrayBuffer(32), "key"],
			[null, "key"],
		];
		for (const list of wrong)
			expect(() => Reflect.apply(keyHash, undefined, list)).toThrow(TypeError);
	});

	it("refuses a buffer whose memory was transferred away", () => {
		const { keyHash } = loadAddon(addonFile);
		const exchange = new Uint8Array(32);
		structuredClone(exchange.buffer, { transfer: [exchange.buffer] });
		expect(() => keyHash(exchange, "key")).toThrow(TypeError);
	});
});

describe("bootClockMs", () => {
	it("counts whole milliseconds and never backwards", () => {
		let before = bootClockMs();
		expect(before).toBeGreaterThan(0);
		for (let i = 0; i < 10_000; i++) {
			const now = bootClockMs();
			expect(Number.isSafeInteger(now)).toBe(true);
			expect(now).toBeGreaterThanOrEqual(before);
			before = now;
		}
	});

	const program = `const { bootClockMs, keyHash } = require(${JSON.stringify(addonFile)});
		const exchange = new Uint8Array(32);
		for (let i = 0; i < 20000; i++) keyHash(exchange, "key " + i);
		const answer = { now: bootClockMs(), hash: Buffer.from(exchange.subarray(16)).toString("latin1") };`;
	const expected = createKeyHash(new Uint8Array(16))("key 19999");

	it("has the same origin in another process", async () => {
		const before = bootClockMs();
		const { stdout } = await promisify(execFile)(process.execPath, [
			"-e",
			`${program} console.log(JSON.stringify(answer));`,
		]);
		const { now, hash } = JSON.parse(stdout);
		expect(now).toBeGreaterThanOrEqual(before);
		expect(now).toBeLessThanOrEqual(bootClockMs());
		expect(hash).toBe(expected);
	});

	it("has the same origin in worker threads, which load the addon each for itself and end", async () => {
		const before = bootClockMs();
		const answers = await Promise.all(
			Array.from({ length: 4 }, async () => {
				const source = `${program} require("node:worker_threads").parentPort.postMessage(answer);`;
				const worker = new Worker(source, { eval: true });
				const exit = once(worker, "exit");
				const [answer] = await once(worker, "message");
				await exit;
				return answer;
			}),
		);
		const after = bootClockMs();
		for (const { now, hash } of answers) {
			expect(now).toBeGreaterThanOrEqual(before);
			expect(now).toBeLessThanOrEqual(after);
			expect(hash).toBe(expected);
		}
	});
});

it("a missing addon is an error that says what to do", () => {
	const attempt = () => loadAddon(join(import.meta.dirname, "no-such.node"));
	expect(attempt).toThrow(AddonError);
	expect(attempt).toThrow(/npm install/);
	expect(attempt).toThrow(expect.objectContaining({ code: "ERR_ADDON_UNAVAILABLE" }));
});
