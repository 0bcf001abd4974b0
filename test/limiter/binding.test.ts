/**
 * The addon as JS sees it: what it refuses, instead of touching memory that is not its own; how a key is
 * read from the buffer; what opening a file may say.
 */
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Counters, CountersError } from "../../src/limiter/binding.ts";
import { LIMITS } from "../../src/limits/limits.ts";
import { addon, type CountersAddon, type LimiterBounds } from "../../src/native-addon.ts";
import { admitText, changeHeader, clockAt, temporaryFolder } from "./support.ts";

const MEMORY_BYTES = 1 << 24;
const START = 1_000_000;

type Call = (...values: unknown[]) => unknown;

/** Functions of the addon, called with whatever a mistake could bring. */
const call = (name: keyof CountersAddon): Call => addon[name] as Call;
const NAMES: readonly (keyof CountersAddon)[] = [
	...(["openCounters", "closeCounters", "setClock", "openLimiter", "closeLimiter"] as const),
	...(["admit", "touch", "collect", "statistics", "growthError"] as const),
];

const BOUNDS: LimiterBounds = {
	...{ capacityMax: LIMITS.capacityMax, windowMaxMs: LIMITS.rateMaxMs },
	...{ keysMax: LIMITS.keysPerRateLimitMax, keyPartsMax: LIMITS.bucketKeyElements },
};
const CLOCK = { bootMs: START, wallMs: START, boot: 1 };

const openMemory = (bounds = BOUNDS): number =>
	addon.openCounters("", true, MEMORY_BYTES, bounds, CLOCK);

describe("the addon's guard", () => {
	it("refuses arguments of other types and numbers out of bounds", () => {
		const counters = openMemory();
		const limiter = addon.openLimiter(counters, "name", 2, 60_000, 8);
		const wrong: Readonly<Record<keyof CountersAddon, readonly unknown[][]>> = {
			openCounters: [
				[],
				[""],
				["", true],
				["", true, MEMORY_BYTES],
				[1, true, MEMORY_BYTES, BOUNDS],
				["", 1, MEMORY_BYTES, BOUNDS],
				["", true, "1", BOUNDS],
				["", true, -1, BOUNDS],
				["", true, Number.NaN, BOUNDS],
				["", true, 2 ** 53, BOUNDS],
				["", true, MEMORY_BYTES, null],
				["", true, MEMORY_BYTES, {}],
				["", true, MEMORY_BYTES, { ...BOUNDS, keyPartsMax: "10" }],
				["", true, MEMORY_BYTES, { ...BOUNDS, capacityMax: 2 ** 32 }],
				["", true, MEMORY_BYTES, { ...BOUNDS, windowMaxMs: 2 ** 31 }],
				["", true, MEMORY_BYTES, { ...BOUNDS, keysMax: 2 ** 32 }],
				["", true, MEMORY_BYTES, BOUNDS, 1],
				["", true, MEMORY_BYTES, BOUNDS, { ...CLOCK, bootMs: -1 }],
				["", true, MEMORY_BYTES, BOUNDS, { ...CLOCK, wallMs: "0" }],
				["", true, MEMORY_BYTES, BOUNDS, { ...CLOCK, boot: null }],
			],
			closeCounters: [[], ["0"], [null], [-1], [counters + 1], [2 ** 32 - 1]],
			setClock: [[], [counters], [counters, -1], [counters, "1"], [counters + 1, 1]],
			openLimiter: [
				[],
				[counters],
				[counters, "name", 2, 60_000],
				[counters, 1, 2, 60_000, 8],
				[counters, "name", 0, 60_000, 8],
				[counters, "name", LIMITS.capacityMax + 1, 60_000, 8],
				[counters, "name", 2, 0, 8],
				[counters, "name", 2, LIMITS.rateMaxMs + 1, 8],
				[counters, "name", 2, 60_000, 0],
				[counters, "name", 2, 60_000, LIMITS.keysPerRateLimitMax + 1],
				[counters, "name", Number.NaN, 60_000, 8],
				[counters + 1, "name", 2, 60_000, 8],
				[counters, "name", 2, 60_000, 8, 0],
				[counters, "name", 2, 60_000, 8, 3],
				[counters, "name", 2, 60_000, 8, "1"],
				[counters, "name", 2, 60_000, 8, 1, 1],
			],
			closeLimiter: [[], ["0"], [-1], [limiter + 1], [{}]],
			admit: [
				[],
				["0"],
				[-1],
				[limiter + 1],
				[null],
				[limiter, 0],
				[limiter, null],
				[limiter, {}],
				[limiter, "a", Symbol("s")],
				[limiter, ["a", 1]],
				[limiter, ["a", ["b"]]],
				[limiter, ["a", undefined]],
				[limiter, new Uint16Array(1)],
				[limiter, ..."0123456789a"],
			],
			decide: [
				[],
				[limiter],
				[limiter, 0],
				[limiter + 1, 0, 1],
				[limiter, 4, 1],
				[limiter, -1, 1],
				[limiter, "0", 1],
				[limiter, 0, 0],
				[limiter, 0, 2],
				[limiter, 0, "1"],
				[limiter, 0, Number.NaN],
				[limiter, 0, 1, 0],
				[limiter, 0, 1, ["a", 1]],
				[limiter, 0, 1, ..."0123456789a"],
			],
			forgetKey: [[], ["0"], [limiter + 1], [limiter, 0], [limiter, ..."0123456789a"]],
			limiterTotals: [[], ["0"], [-1], [limiter + 1]],
			reportLimiters: [[], ["0"], [-1], [counters + 1]],
			touch: [
				[],
				[-1, 0, 1],
				[counters + 1, 0, 1],
				["0", 0, 1],
				[counters],
				[counters, 0],
				[counters, 0, 0],
				[counters, 1, 1],
				[counters, -1, 1],
				[counters, "0", 1],
			],
			collect: [[], [counters], [counters, 0], [counters, -1], [counters, "1"], [-1, 1]],
			growthError: [[], ["0"], [-1], [counters + 1]],
			statistics: [[], ["0"], [-1], [counters + 1]],
		};
		for (const name of NAMES) {
			for (const list of wrong[name]) {
				const attempt = () => call(name)(...list);
				expect(attempt, `${name}(${list.map(String)})`).toThrow(TypeError);
			}
		}
		expect(addon.admit(limiter), "all is as before").toBe(0);
		addon.closeCounters(counters);
	});

	it("has no bounds of its own but those it is opened with", () => {
		const [less, usual] = [
			{ capacityMax: 5, windowMaxMs: 700, keysMax: 3, keyPartsMax: 1 },
			BOUNDS,
		];
		for (const { capacityMax, windowMaxMs, keysMax, keyPartsMax } of [less, usual]) {
			const counters = openMemory({ capacityMax, windowMaxMs, keysMax, keyPartsMax });
			const open = (...numbers: [number, number, number]) =>
				addon.openLimiter(counters, "name", ...numbers);
			const most = open(capacityMax, windowMaxMs, keysMax);
			expect(() => open(capacityMax + 1, windowMaxMs, keysMax)).toThrow(TypeError);
			expect(() => open(capacityMax, windowMaxMs + 1, keysMax)).toThrow(TypeError);
			expect(() => open(capacityMax, windowMaxMs, keysMax + 1)).toThrow(TypeError);
			const parts = new Array<string>(keyPartsMax).fill("part");
			expect(addon.admit(most, ...parts)).toBe(0);
			expect(() => addon.admit(most, ...parts, "one more")).toThrow(TypeError);
			addon.closeCounters(counters);
		}
	});

	it("counts for longer without a touch than there is between two", () => {
		expect(LIMITS.limiterTouchMs).toBeLessThan(addon.limiterLeaseMs);
	});

	it("survives anything at all", () => {
		const anything = fc.constantFrom<unknown>(
			...[undefined, null, true, "", "/no-such-folder/file", {}, [], 1n, Symbol("s"), () => {}],
			...[0, -0, 0.5, 1, 2, 3, 7, -1, 60_000, 2 ** 24, 2 ** 31, 2 ** 32, 2 ** 32 + 1, Number.NaN],
			...[new Uint16Array(0), new Uint16Array(4), new Uint8Array(4), new Float64Array(5)],
			...[new ArrayBuffer(8), new Proxy([], {}), Number.POSITIVE_INFINITY, new Date(0)],
			...[BOUNDS, CLOCK],
		);
		const names = fc.constantFrom(...NAMES);
		const calls = fc.array(fc.tuple(names, fc.array(anything, { maxLength: 7 })), {
			maxLength: 30,
		});
		fc.assert(
			fc.property(calls, (list) => {
				const opened: number[] = [openMemory()];
				for (const [name, values] of list) {
					try {
						const result = call(name)(...values);
						if (name === "openCounters") opened.push(result as number);
					} catch (error) {
						const { code } = error as NodeJS.ErrnoException;
						expect(code).toMatch(/^ERR_(?:INVALID_ARG_VALUE|COUNTERS_SYSTEM)$/);
					}
				}
				for (const counters of opened) {
					try {
						addon.closeCounters(counters);
					} catch (error) {
						expect(error, "closed by one of the calls").toBeInstanceOf(TypeError);
					}
				}
			}),
			{ numRuns: 500 },
		);
	});

	it("refuses a handle that is closed, and the limiters of closed counters", () => {
		const counters = openMemory();
		const [first, second] = ["first", "second"].map((name) =>
			addon.openLimiter(counters, name, 1, 60_000, 8),
		) as [number, number];
		addon.closeLimiter(first);
		expect(() => addon.admit(first)).toThrow(TypeError);
		expect(() => addon.closeLimiter(first)).toThrow(TypeError);
		expect(addon.admit(second)).toBe(0);
		addon.closeCounters(counters);
		expect(() => addon.admit(second)).toThrow(TypeError);
		expect(() => addon.closeLimiter(second)).toThrow(TypeError);
		expect(() => addon.closeCounters(counters)).toThrow(TypeError);
		expect(() => addon.touch(counters, 0, 1)).toThrow(TypeError);
		expect(() => addon.collect(counters, 1)).toThrow(TypeError);
		expect(() => addon.setClock(counters, 1)).toThrow(TypeError);
		expect(() => addon.openLimiter(counters, "first", 1, 60_000, 8)).toThrow(TypeError);
		expect(() => addon.statistics(counters)).toThrow(TypeError);
		expect(() => addon.growthError(counters)).toThrow(TypeError);
	});

	it("is not misled by a list whose elements open and close limiters", () => {
		const counters = openMemory();
		const limiter = addon.openLimiter(counters, "name", 1, 60_000, 8);
		const opening = Object.defineProperty(["a"], 0, {
			get() {
				for (let n = 0; n < 1000; n++) addon.openLimiter(counters, `other ${n}`, 1, 60_000, 8);
				return "a";
			},
		});
		expect(addon.admit(limiter, opening)).toBe(0);
		const closing = Object.defineProperty(["a"], 0, {
			get() {
				addon.closeLimiter(limiter);
				return "a";
			},
		});
		expect(() => addon.admit(limiter, closing)).toThrow(TypeError);
		addon.closeCounters(counters);
	});
});

describe("a limiter", () => {
	it("is known by its name and its numbers, all of them", () => {
		const counters = new Counters({ clock: clockAt(START) });
		const all: [string, number, number, number][] = [
			["name", 1, 60_000, 8],
			["name", 2, 60_000, 8],
			["name", 1, 60_001, 8],
			["name", 1, 60_000, 9],
			["name\u0001", 1, 60_000, 8],
			["", 1, 60_000, 8],
		];
		for (const one of all) expect(counters.open(...one)?.admit([])).toBe(0);
		expect(counters.statistics()).toMatchObject({ limiters: all.length, live: all.length });
		expect(counters.open("name", 1, 60_000, 8)?.admit([]), "the first again").toBe(60_000);
		counters.close();
	});
});

describe("a closed limiter", () => {
	it("counts for nobody else, although its handle is used again", () => {
		const counters = new Counters({ clock: clockAt(START) });
		const closed = counters.open("closed", 1, 60_000, 8);
		closed?.close();
		const other = counters.open("other", 1, 60_000, 8);
		expect(() => closed?.admit([])).toThrow(TypeError);
		expect(() => closed?.close()).toThrow(TypeError);
		expect(other?.admit([])).toBe(0);
		counters.close();
	});
});

describe("keys", () => {
	/** @returns for each text, in order, whether it was seen for the first time */
	function areNew(texts: readonly string[]): boolean[] {
		const counters = new Counters({ clock: clockAt(START) });
		const limiter = counters.open("name", 1, 60_000, 1024);
		if (limiter === undefined) throw new Error("no room");
		const seen = texts.map((text) => admitText(limiter, text) === 0);
		counters.close();
		return seen;
	}

	it("are told apart by every unit: lone surrogates, NUL, U+FFFD, prefixes", () => {
		const texts = ["", "a", "aa", "a\0", "\0", "\0\0", "\0a", "b", "A", "á", "a\u0301"];
		texts.push("\ud800", "\udfff", "\udc00", "\ufffd", "\ud800\ud800", "\ud800\udc00", "\uffff");
		expect(areNew(texts)).toEqual(texts.map(() => true));
		expect(areNew([...texts, ...texts]).slice(texts.length)).toEqual(texts.map(() => false));
	});

	it("are the same exactly where all units are, whatever they are", () => {
		const unit = fc.oneof(fc.nat({ max: 0xffff }), fc.nat({ max: 2 }));
		const text = fc.array(unit, { maxLength: 20 }).map((units) => String.fromCharCode(...units));
		fc.assert(
			fc.property(fc.array(text, { minLength: 1, maxLength: 60 }), (texts) => {
				expect(areNew(texts)).toEqual(texts.map((one, index) => texts.indexOf(one) === index));
			}),
		);
	});

	it("may be long, and differ only in their last unit or their length", () => {
		const long = "€".repeat(100_000);
		const texts = [long, `${long}x`, `${long.slice(1)}x`, `x${long.slice(1)}`, long.slice(1)];
		expect(areNew([...texts, ...texts])).toEqual([
			...texts.map(() => true),
			...texts.map(() => false),
		]);
	});

	const part = fc.oneof(
		fc.string({ maxLength: 3 }),
		fc.constant(undefined),
		fc.array(fc.string({ maxLength: 2 }), { maxLength: 3 }),
	);

	it.each([0, 1, 2, 3, 4, 5, 10])(
		"of %i parts are the same exactly where all parts are",
		(count) => {
			const key = fc.array(part, { minLength: count, maxLength: count });
			fc.assert(
				fc.property(fc.array(key, { minLength: 1, maxLength: 40 }), (keys) => {
					const counters = new Counters({ clock: clockAt(START) });
					const limiter = counters.open("name", 1, 60_000, 1024);
					const texts = keys.map((one) => JSON.stringify(one.map((value) => value ?? null)));
					const isNew = keys.map((one) => limiter?.admit(one) === 0);
					counters.close();
					expect(isNew).toEqual(texts.map((text, index) => texts.indexOf(text) === index));
				}),
			);
		},
	);
});

describe("opening a counters file", () => {
	const folder = temporaryFolder();
	let files = 0;
	const fresh = (): string => join(folder, `counters-${files++}`);

	/** @returns the path of a file that was counted in and closed */
	function made(): string {
		const path = fresh();
		const counters = new Counters({ path, owner: true });
		const limiter = counters.open("name", 1, 60_000, 8);
		if (limiter) admitText(limiter, "key");
		counters.close();
		return path;
	}

	function errorOf(path: string, owner: boolean, bytesMax?: number): CountersError {
		try {
			new Counters({ path, owner, ...(bytesMax === undefined ? {} : { bytesMax }) }).close();
		} catch (error) {
			if (error instanceof CountersError) return error;
			throw error;
		}
		throw new Error(`${path} was opened`);
	}

	it("says why it can't, as a code and in words", () => {
		const missing = errorOf(join(folder, "no-such", "file"), true);
		expect(missing).toMatchObject({ code: "ERR_COUNTERS_SYSTEM", name: "CountersError" });
		expect(missing.message).toMatch(/No such file/);
		expect(errorOf(fresh(), false).message, "only an owner makes it").toMatch(/No such file/);
		const directory = fresh();
		mkdirSync(directory);
		expect(errorOf(directory, true).code).toBe("ERR_COUNTERS_SYSTEM");
		expect(errorOf("/dev/null", true).code).toBe("ERR_COUNTERS_SYSTEM");

		const foreign = fresh();
		writeFileSync(foreign, "not this");
		expect(errorOf(foreign, true).code).toBe("ERR_COUNTERS_FOREIGN");
		writeFileSync(foreign, Buffer.alloc(100_000, "not this either"));
		expect(errorOf(foreign, true).code).toBe("ERR_COUNTERS_FOREIGN");
		writeFileSync(foreign, "");
		expect(errorOf(foreign, false).code, "empty, and not the owner").toBe("ERR_COUNTERS_FOREIGN");

		const layout = made();
		changeHeader(layout, "layout", (version) => version + 1n);
		expect(errorOf(layout, true).code).toBe("ERR_COUNTERS_LAYOUT");

		for (const word of ["checksum", "seed"] as const) {
			const damaged = made();
			changeHeader(damaged, word, (value) => value ^ 1n);
			expect(errorOf(damaged, true).code, word).toBe("ERR_COUNTERS_DAMAGED");
		}
		for (const segments of [0n, 2n, 2n ** 40n, 2n ** 64n - 1n]) {
			const damaged = made();
			changeHeader(damaged, "segments", () => segments);
			expect(errorOf(damaged, true).code, `${segments} segments`).toBe("ERR_COUNTERS_DAMAGED");
		}
		for (const bytes of [8192, 100_000, 2 * 1024 * 1024 - 1]) {
			const short = made();
			truncateSync(short, bytes);
			expect(errorOf(short, true).code, `${bytes} bytes`).toBe("ERR_COUNTERS_DAMAGED");
		}
	});

	it("refuses less room than a segment, and less than the others have", () => {
		expect(errorOf(fresh(), true, 1_000_000).code).toBe("ERR_COUNTERS_SYSTEM");
		const path = fresh();
		const counters = new Counters({ path, owner: true });
		expect(errorOf(path, false, 1 << 21).code).toBe("ERR_COUNTERS_SYSTEM");
		counters.close();
	});

	it("lets errors of the caller through as they are", () => {
		expect(() => new Counters({ path: fresh(), bytesMax: -1 })).toThrow(TypeError);
	});
});
