/** Which fields `connection` takes off; what a whole request goes upstream as, `proxying.test.ts` proves. */
import { expect, it } from "vitest";
import { namedInConnection } from "../../src/edge/forward.ts";

it.each<[string[], string[] | undefined]>([
	[[], undefined],
	[["keep-alive"], undefined],
	[["close"], undefined],
	[["X-One, x-two"], ["x-one", "x-two"]],
	[
		["keep-alive, X-One", "x-two"],
		["keep-alive", "x-one", "x-two"],
	],
	[["host, x"], ["x"]],
])("connection: %j names %j", (lines, names) => {
	const named = namedInConnection(lines);
	expect(named === undefined ? undefined : [...named]).toEqual(names);
});
