/** Values as text. */
import { celList, celMap, celUint } from "@bufbuild/cel";
import { expect, test } from "vitest";
import { startSteps } from "../../src/cel/steps.ts";
import { textOf } from "../../src/cel/text.ts";

test.each([
	["a", "a"],
	[1n, "1"],
	[celUint(2n), "2"],
	[1.5, "1.5"],
	[1e21, "1e+21"],
	[Number.NaN, "NaN"],
	[Number.POSITIVE_INFINITY, "+Inf"],
	[true, "true"],
	[null, ""],
	[Uint8Array.of(0xc3, 0xa9), "é"],
])("%s", (value, text) => {
	expect(textOf(value)).toBe(text);
});

test("lists and maps are JSON", () => {
	startSteps(100);
	const map = celMap(
		new Map<string | bigint, unknown>([
			["a", [null, Number.NaN]],
			[1n, 2n ** 60n],
		]) as never,
	);
	expect(textOf(map)).toBe('{"1":"1152921504606846976","a":[null,"NaN"]}');
	expect(textOf(celList([celMap(new Map([["__proto__", true]]))]))).toBe('[{"__proto__":true}]');
});

test("what has no text fails", () => {
	expect(() => textOf(Uint8Array.of(0xff))).toThrow();
	startSteps(1000);
	let deep = celList([]);
	for (let depth = 0; depth < 100; depth++) deep = celList([deep]);
	expect(() => textOf(deep)).toThrow("nested too deeply");
});
