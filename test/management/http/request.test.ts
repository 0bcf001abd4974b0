/** A request is copied whole, because the library's own object is gone after the synchronous part. */
import { expect, it } from "vitest";
import type { HttpRequest } from "../../../src/http/uws.ts";
import { ApiRequest } from "../../../src/management/http/request.ts";

it("keeps method, path, query and every line of every field", () => {
	const lines = [
		["host", "a"],
		["accept", "x"],
		["accept", "y"],
	] as const;
	const request = new ApiRequest({
		getCaseSensitiveMethod: () => "PUT",
		getUrl: () => "/a%20b",
		getQuery: () => "limit=1",
		forEach: (each: (name: string, value: string) => void) => {
			for (const [name, value] of lines) each(name, value);
		},
	} as HttpRequest);
	expect(request).toMatchObject({ method: "PUT", path: "/a%20b", query: "limit=1" });
	expect(request.fields).toEqual(["host", "a", "accept", "x", "accept", "y"]);
	expect(request.headers("accept")).toEqual(["x", "y"]);
	expect(request.headers("x")).toEqual([]);
	expect(request.id).toMatch(/^[0-9a-f]{24}$/);
});
