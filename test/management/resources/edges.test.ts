/** Edges through the API (contract 2). */

import { describe, expect, it } from "vitest";
import { edge, expectError, problemsOf, startApi } from "../api.ts";

describe("edges", () => {
	it("are created, replaced, read and deleted; what is read may be put back", async () => {
		const api = await startApi();
		const path = "/edges/https/shop";
		const created = await api.send("PUT", path, { body: edge("Example.com:443", "*.example.com") });
		expect(created).toMatchObject({
			status: 201,
			json: {
				id: "shop",
				uri: path,
				hostports: ["Example.com:443", "*.example.com"],
				description: "",
				metadata: "",
			},
		});
		const read = await api.send("GET", path);
		expect(read.text).toBe(created.text);
		const again = await api.send("PUT", path, { body: read.json });
		expect(again.status).toBe(200);
		expect(again.headers.get("etag")).toBe(created.headers.get("etag"));
		expect((await api.send("DELETE", path)).status).toBe(204);
		expectError(await api.send("GET", path), 404, "ERR_EDGE_NOT_FOUND");
		expectError(await api.send("DELETE", path), 404, "ERR_EDGE_NOT_FOUND");
	});

	it("own their hostports in every spelling", async () => {
		const api = await startApi();
		await api.send("PUT", "/edges/https/a", { body: edge("example.com", "[2001:db8::1]") });
		for (const spelling of ["EXAMPLE.com", "example.com.", "[2001:DB8:0::1]"]) {
			const answer = await api.send("PUT", "/edges/https/b", { body: edge("b.example", spelling) });
			expect(expectError(answer, 409, "ERR_HOSTPORT_CONFLICT").json.msg).toContain('edge "a"');
		}
		expect(
			(await api.send("PUT", "/edges/https/b", { body: edge("example.com:443") })).status,
		).toBe(201);
		await api.send("PUT", "/edges/https/a", { body: edge("other.example") });
		expect((await api.send("PUT", "/edges/https/b", { body: edge("example.com") })).status).toBe(
			200,
		);
		await api.send("DELETE", "/edges/https/b");
		expect((await api.send("PUT", "/edges/https/c", { body: edge("example.com") })).status).toBe(
			201,
		);
	});

	it.each([
		[{}, "/hostports", "required"],
		[{ hostports: [] }, "/hostports", "at least 1"],
		[{ hostports: "example.com" }, "/hostports", "a list"],
		[{ hostports: ["a.example", 5] }, "/hostports/1", "a string"],
		[{ hostports: ["http://a.example"] }, "/hostports/0", "scheme"],
		[{ hostports: ["a.example", "A.example."] }, "/hostports/1", "the same hostport"],
		[{ hostports: Array(101).fill("a.example") }, "/hostports", "at most 100"],
		[{ hostports: ["a.example"], description: "é".repeat(128) }, "/description", "255 bytes"],
		[{ hostports: ["a.example"], metadata: "x".repeat(4097) }, "/metadata", "4096 bytes"],
		[{ hostports: ["a.example"], metadata: {} }, "/metadata", "a string"],
		[{ hostports: ["a.example"], descripton: "" }, "/descripton", '"description"'],
		[{ hostports: ["a.example"], id: "other" }, "/id", '"e"'],
		[{ hostports: ["a.example"], uri: 5 }, "/uri", "/edges/https/e"],
	])("%#: $1 is refused: $2", async (body, pointer, words) => {
		const api = await startApi();
		const problems = new Map(problemsOf(await api.send("PUT", "/edges/https/e", { body })));
		expect(problems.get(pointer)).toContain(words);
		expect(api.store.counts().edges).toBe(0);
	});
});
