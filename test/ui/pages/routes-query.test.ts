/** What the page of routes asks for, from addresses as people leave and edit them. */
import { expect, it } from "vitest";
import { askedOf, pathOf, queryOf } from "../../../ui/pages/routes-query.ts";

it("nothing said means the busiest first", () => {
	const asked = askedOf({});
	expect(asked).toEqual({ q: "", sort: "requests_per_second", order: "desc", page: 1 });
	expect(queryOf(asked)).toEqual({});
	expect(pathOf(asked)).toBe("/live/routes?sort=requests_per_second&order=desc&page=1&per_page=50");
});

it("what is asked stands in the address, and comes out of it again", () => {
	const asked = { q: "a&b", sort: "name", order: "desc", page: 3 } as const;
	expect(queryOf(asked)).toEqual({ q: "a&b", sort: "name", order: "desc", page: "3" });
	expect(askedOf(queryOf(asked))).toEqual(asked);
	expect(pathOf(asked)).toContain("q=a%26b");
});

it("what can't be understood is left out", () => {
	const asked = askedOf({ sort: "toString", order: "up", page: "-1" });
	expect(asked).toEqual(askedOf({}));
	expect(askedOf({ page: "12345678" }).page).toBe(1);
	expect(askedOf({ sort: "name" }).order).toBe("asc");
});
