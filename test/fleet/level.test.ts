/** Today's documents need the level of today's build at most. */
import { expect, it } from "vitest";
import { LEVEL, levelOf } from "../../src/fleet/level.ts";
import { encode } from "../../src/store/layout.ts";
import { edgeOf, policyOf, routeOf } from "../store/documents.ts";
import { naming } from "./databases.ts";

it("is that of the newest element", () => {
	const levels = Object.entries({
		"e/a": edgeOf("a.example"),
		"r/a/b": routeOf("/"),
		"p/a/b": policyOf("x"),
		"p/a/c": naming("l"),
		"x/l": "10.0.0.0/8",
		"k/key_1": {},
		"v/a/b/000000000001": {},
	}).map(([key, document]) => levelOf(key, encode(document).value));
	expect(levels).toEqual([1, 1, 1, 1, 1, 1, 2]);
	expect(Math.max(...levels)).toBeLessThanOrEqual(LEVEL);
});
