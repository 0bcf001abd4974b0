/** Text that is kept keeps nothing else alive. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { keptText } from "../src/kept-text.ts";

it("is the same text, of whatever characters", () => {
	for (const text of ["", "a", "192.0.2.1", "é😀\u2028"]) expect(keptText(text)).toBe(text);
});

it("lets go of what it was a part of", () => {
	setFlagsFromString("--expose-gc");
	const collect = runInNewContext("gc") as () => void;
	const parts = (keep: (part: string) => string): number => {
		const kept: string[] = [];
		collect();
		const before = process.memoryUsage().heapUsed;
		for (let each = 0; each < 200; each++)
			kept.push(keep(`${each}`.padEnd(100_000, "x").slice(0, 20)));
		collect();
		const used = process.memoryUsage().heapUsed - before;
		expect(kept).toHaveLength(200);
		return used;
	};
	expect(parts((part) => part)).toBeGreaterThan(10_000_000);
	expect(parts(keptText)).toBeLessThan(5_000_000);
});
