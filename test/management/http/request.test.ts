/** A request is copied whole, because the library's own object is gone after the synchronous part. */
import { expect, it } from "vitest";
import { ApiRequest } from "../../../src/management/http/request.ts";

it("keeps method, path, query and every line of every field", () => {
	const fields = ["host", "a", "accept", "x", "accept", "y"];
	const request = new ApiRequest("PUT", "/a%20b", "limit=1", fields);
	expect(request).toMatchObject({ method: "PUT", path: "/a%20b", query: "limit=1" });
	expect(request.fields).toEqual(["host", "a", "accept", "x", "accept", "y"]);
	expect(request.headers("accept")).toEqual(["x", "y"]);
	expect(request.headers("x")).toEqual([]);
	expect(request.id).toMatch(/^[0-9a-f]{24}$/);
});
