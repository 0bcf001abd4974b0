/** Lines written field by field: what `infoLine` says of the same fields, byte by byte. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { LIMITS } from "../../src/limits/limits.ts";
import { JsonLine } from "../../src/telemetry/json-bytes.ts";
import { infoLine } from "../../src/telemetry/json-line.ts";
import { textOf } from "./encoded.ts";

const NOW = Date.UTC(2026, 10, 22, 17, 22, 7, 965);
const line = new JsonLine();

type Field = readonly [name: string, value: unknown];

function written(fields: readonly Field[], message = "m"): string {
	line.begin(7, NOW);
	for (const [name, value] of fields) {
		if (typeof value === "string") line.text(name, value);
		else if (typeof value === "number") line.number(name, value);
		else line.json(name, value);
	}
	line.end(message);
	return textOf(line);
}
const said = (fields: readonly Field[], message = "m"): string =>
	infoLine(Object.fromEntries(fields), message, 7, NOW);

const names = fc.uniqueArray(fc.stringMatching(/^[a-z_]{1,20}$/), { maxLength: 30 });
const value = fc.oneof(
	...[fc.string({ unit: "binary" }), fc.string({ unit: "grapheme-ascii", maxLength: 300 })],
	...[fc.double(), fc.integer(), fc.maxSafeInteger(), fc.nat(2000), fc.boolean(), fc.jsonValue()],
	...[fc.constant(undefined), fc.constant(null), fc.constant(-0)],
);

it("says what `infoLine` says, whatever the line before was", () => {
	const fields = names.chain((each) =>
		fc.tuple(...each.map((name) => fc.tuple(fc.constant(name), value))),
	);
	fc.assert(
		fc.property(fields, fc.string({ unit: "binary" }), (each, message) => {
			expect(written(each, message)).toBe(said(each, message));
		}),
		{ numRuns: 500 },
	);
});

it("says the time and the process of each line", () => {
	for (const [pid, nowMs] of [
		[7, NOW],
		[7, NOW],
		[8, NOW],
		[8, NOW + 1],
		[8, NOW - 5000],
		[7, NOW - 5000],
	] as const) {
		line.begin(pid, nowMs);
		line.text("a", "x".repeat(nowMs % 7));
		line.end("m");
		expect(textOf(line)).toBe(infoLine({ a: "x".repeat(nowMs % 7) }, "m", pid, nowMs));
	}
});

it("grows with what it is told", () => {
	for (const size of [3000, 4095, 4096, 5000, 20_000, 100_000])
		for (const unit of ["a", '"', "é", "\u2028", "😀", "\ud83d"])
			for (const fields of [[["a", unit.repeat(size)]], [["a", [unit.repeat(size)]]]] as const)
				expect(written(fields)).toBe(said(fields));
});

it("says every byte and every two of them as JSON does", () => {
	for (let code = 0; code < 0x200; code++) {
		const text = String.fromCharCode(code);
		for (const each of [
			text,
			`a${text}`,
			`${"long".repeat(20)}${text}`,
			`${text}a`,
			`${text}\\${text}`,
		])
			expect(written([["a", each]])).toBe(said([["a", each]]));
	}
});

it("lets go of the memory of a line that was very long", () => {
	expect(written([["a", "é".repeat(300_000)]])).toBe(said([["a", "é".repeat(300_000)]]));
	expect(line.bytes.length).toBeGreaterThan(LIMITS.logBatchBytes);
	expect(written([["a", "b"]])).toBe(said([["a", "b"]]));
	expect(line.bytes.length).toBeLessThan(LIMITS.logBatchBytes);
});

it("says whole numbers as JSON does", () => {
	for (let power = 0; power < 20; power++)
		for (const off of [-1, 0, 1])
			for (const sign of [1, -1]) {
				const number = sign * (10 ** power + off);
				expect(written([["a", number]])).toBe(said([["a", number]]));
			}
});

it("says milliseconds to the microsecond, and nothing of what did not happen", () => {
	const milliseconds = (given: number | undefined) => {
		line.begin(7, NOW);
		line.milliseconds("a", given);
		line.end("m");
		return textOf(line);
	};
	const rounded = (given: number) => said([["a", Math.round(given * 1000) / 1000]]);
	expect(milliseconds(-1)).toBe(said([]));
	expect(milliseconds(undefined)).toBe(said([]));
	for (const given of [0, 0.0004, 0.0005, 0.001, 0.01, 0.1, 0.12, 0.102, 1, 9.9996, 10.05, 999.999])
		expect(milliseconds(given)).toBe(rounded(given));
	const any = fc.oneof(fc.double({ min: 0 }), fc.double({ min: 0, max: 1e7 }));
	fc.assert(
		fc.property(any, (given) => {
			if (Number.isNaN(given) || Object.is(given, -0)) return;
			expect(milliseconds(given)).toBe(rounded(given));
		}),
		{ numRuns: 2000 },
	);
});

it("refuses what JSON can't hold, and is of use afterwards", () => {
	const circle: unknown[] = [];
	circle.push(circle);
	for (const each of [circle, 1n]) expect(() => written([["a", each]])).toThrow(TypeError);
	expect(written([["a", () => 1]])).toBe(said([]));
	expect(written([["a", [1]]])).toBe(said([["a", [1]]]));
});
