/** Ids are what a path can name. */
import { expect, it } from "vitest";
import { ID_PATTERN, isFormerId, isId } from "../../src/store/ids.ts";

it.each(["a", "...", ".a", "a..", "..a", "A-z_0.9", "__proto__", "x".repeat(128)])(
	"%s is an id",
	(id) => {
		expect([isId(id), isFormerId(id)]).toEqual([true, false]);
		expect(new RegExp(`^${ID_PATTERN}/${ID_PATTERN}$`).test(`${id}/${id}`)).toBe(true);
	},
);

it.each(["", ".", "..", "a/b", "a b", "ä", "a\n", "x".repeat(129)])("%j is none", (id) => {
	expect([isId(id), isFormerId(id)]).toEqual([false, id === "." || id === ".."]);
	const pair = new RegExp(`^${ID_PATTERN}/${ID_PATTERN}$`);
	expect([pair.test(`${id}/a`), pair.test(`a/${id}`)]).toEqual([false, false]);
});
