/** Addresses of pages: from a link to the page that it names, and what nobody has linked to. */
import { expect, it } from "vitest";
import { linkTo, type Place, placeOf } from "../../ui/location.ts";

it.each<Place>([
	{ page: "overview" },
	{ page: "routes", query: {} },
	{ page: "routes", query: { q: "a&b=c #d", page: "3" } },
	{ page: "policy", edgeId: "e.1", routeId: "a-b_c" },
	{ page: "policy", edgeId: "e", routeId: "50%/ü" },
	{ page: "policy", edgeId: "e", routeId: "r", tried: { method: "GET", url: "http://a/?b=1&c" } },
	{ page: "refusals" },
	{ page: "limits" },
	{ page: "fleet" },
])("a link to %j leads there", (place) => {
	expect(placeOf(linkTo(place))).toEqual(place);
});

it("nothing is the overview, and the unknown is said to be unknown", () => {
	expect([placeOf(""), placeOf("#"), placeOf("#/")]).toEqual(Array(3).fill({ page: "overview" }));
	expect(placeOf("#/nothing").page).toBe("unknown");
	expect(placeOf("#/routes/%/x")).toEqual({ page: "policy", edgeId: "%", routeId: "x" });
	expect(linkTo({ page: "unknown" })).toBe("#/");
});
