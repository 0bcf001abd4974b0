/** Lines of level info: what pino would write of the same fields. */
import fc from "fast-check";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { infoLine } from "../../src/telemetry/json-line.ts";

const NOW = Date.UTC(2026, 10, 22, 17, 22, 7, 965);
beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => void vi.useRealTimers());

function pinoLine(fields: object, message: string): string {
	let written = "";
	const logger = pino(
		{
			level: "info",
			base: { pid: 7 },
			timestamp: pino.stdTimeFunctions.isoTime,
			formatters: { level: (label) => ({ level: label }) },
		},
		{
			write(line) {
				written = line;
			},
		},
	);
	logger.info(fields, message);
	return written;
}

it("is what pino writes", () => {
	const fields = {
		...{
			text: "a",
			quoted: 'a"b\\c',
			control: "\u0000\n\t\u007f",
			beyond: "é😀\u2028",
		},
		...{ number: 1.5, huge: 1e300, zero: -0, yes: true, no: false, nothing: null, empty: "" },
		...{ missing: undefined, nested: { a: [1, "x", null], b: undefined }, list: [1] },
	};
	expect(infoLine(fields, "a message", 7, NOW)).toBe(pinoLine(fields, "a message"));
	expect(infoLine({}, "m", 7, NOW)).toBe(pinoLine({}, "m"));
});

it("is one line of JSON whatever its fields hold", () => {
	const value = fc.oneof(
		...[fc.string({ unit: "binary" }), fc.double(), fc.boolean(), fc.constant(null)],
		fc.jsonValue(),
	);
	fc.assert(
		fc.property(value, value, (a, b) => {
			const line = infoLine({ a, b }, "m", 7, NOW);
			expect(line.indexOf("\n")).toBe(line.length - 1);
			expect(JSON.parse(line)).toMatchObject(JSON.parse(JSON.stringify({ a, b })));
		}),
	);
});

it("escapes what pino lets through: half a character", () => {
	expect(infoLine({ half: "\ud83d" }, "m", 7, NOW)).toContain('"half":"\\ud83d"');
});

it("says the time of each line", () => {
	for (const nowMs of [NOW, NOW, NOW + 1, NOW - 5000]) {
		expect(JSON.parse(infoLine({}, "m", 7, nowMs)).time).toBe(new Date(nowMs).toISOString());
	}
});
