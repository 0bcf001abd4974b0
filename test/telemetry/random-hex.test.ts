/** Ids of random digits: as long as asked for, and never the same twice. */
import { expect, it } from "vitest";
import { randomHex } from "../../src/telemetry/random-hex.ts";

it("has as many digits as asked for, however pieces fit what was had at once", () => {
	const lengths = [32, 16, 2, 30, 32, 14];
	const ids = Array.from({ length: 5000 }, (_, at) => randomHex(lengths[at % 6] ?? 32));
	for (const [at, id] of ids.entries()) {
		expect(id).toHaveLength(lengths[at % 6] ?? 32);
		expect(id).toMatch(/^[0-9a-f]+$/);
	}
	const long = ids.filter(({ length }) => length >= 14);
	expect(new Set(long).size).toBe(long.length);
});
