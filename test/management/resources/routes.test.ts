/** Routes through the API (contract 2). */

import { describe, expect, it } from "vitest";
import { type Api, backend, edge, expectError, problemsOf, route, startApi } from "../api.ts";

describe("routes", () => {
	async function withEdge(): Promise<Api> {
		const api = await startApi();
		await api.send("PUT", "/edges/https/e", { body: edge("a.example") });
		return api;
	}

	it("are created, replaced, read and deleted; what is read may be put back", async () => {
		const api = await withEdge();
		const path = "/edges/https/e/routes/r";
		const created = await api.send("PUT", path, { body: route("/api") });
		expect(created).toMatchObject({
			status: 201,
			json: { id: "r", edge_id: "e", uri: path, match_type: "path_prefix", match: "/api", backend },
		});
		const read = await api.send("GET", path);
		expect((await api.send("PUT", path, { body: read.json })).status).toBe(200);
		const elsewhere = await api.send("PUT", "/edges/https/e/routes/q", { body: read.json });
		expect(problemsOf(elsewhere).map(([pointer]) => pointer)).toEqual(["/id", "/uri"]);
		expect((await api.send("DELETE", path)).status).toBe(204);
		expectError(await api.send("GET", path), 404, "ERR_ROUTE_NOT_FOUND");
	});

	it("say in their answer what a match takes that may not be meant", async () => {
		const api = await withEdge();
		const path = "/edges/https/e/routes/r";
		for (const status of [201, 200]) {
			const put = await api.send("PUT", path, { body: route("/api") });
			expect(put.status).toBe(status);
			expect(put.headers.get("route-warnings")).toBe("1");
			expect(put.headers.get("route-warning")).toMatch(/^\/match: also takes "\/apixyz"/);
		}
		expect((await api.send("GET", path)).headers.get("route-warnings")).toBeNull();
		const clean = await api.send("PUT", path, { body: route("/api/") });
		expect(clean.headers.get("route-warnings")).toBeNull();
		expect(clean.headers.get("route-warning")).toBeNull();
	});

	it("need their edge, go with it, and share no match within it", async () => {
		const api = await withEdge();
		const body = route("/api");
		expectError(
			await api.send("PUT", "/edges/https/x/routes/r", { body }),
			404,
			"ERR_EDGE_NOT_FOUND",
		);
		expectError(await api.send("GET", "/edges/https/x/routes/r"), 404, "ERR_EDGE_NOT_FOUND");
		expectError(await api.send("GET", "/edges/https/x/routes"), 404, "ERR_EDGE_NOT_FOUND");
		expectError(await api.send("DELETE", "/edges/https/x/routes/r"), 404, "ERR_EDGE_NOT_FOUND");
		await api.send("PUT", "/edges/https/e/routes/r", { body });
		const conflict = await api.send("PUT", "/edges/https/e/routes/q", { body });
		expect(expectError(conflict, 409, "ERR_MATCH_CONFLICT").json.msg).toContain('"r"');
		await api.send("PUT", "/edges/https/e/routes/r", { body: route("/other") });
		expect((await api.send("PUT", "/edges/https/e/routes/q", { body })).status).toBe(201);
		await api.send("DELETE", "/edges/https/e");
		await api.send("PUT", "/edges/https/e", { body: edge("a.example") });
		expect((await api.send("GET", "/edges/https/e/routes")).json.routes).toEqual([]);
	});

	it.each([
		[{}, "/match_type", "required"],
		[{ ...route("/"), match_type: "regex" }, "/match_type", '"exact_path", "path_prefix"'],
		[route("api"), "/match", 'start with "/"'],
		[route("/a/../b", "exact_path"), "/match", 'normal form it is "/b"'],
		[route("/%61", "exact_path"), "/match", '"/a"'],
		[route("/a%2f"), "/match", '"/a%2F"'],
		[route("/a?b=1"), "/match", "query"],
		[route("/a%zz"), "/match", "broken percent-encoding"],
		[route("/a b"), "/match", "no request"],
		[route(`/${"a".repeat(1024)}`), "/match", "at most 1024"],
		[{ ...route("/"), backend: {} }, "/backend/urls", "required"],
		[{ ...route("/"), backend: { urls: [] } }, "/backend/urls", "at least 1"],
		[{ ...route("/"), backend: { urls: ["127.0.0.1:9000"] } }, "/backend/urls/0", "http://"],
		[{ ...route("/"), backend: { urls: ["ftp://a"] } }, "/backend/urls/0", "http://"],
		[{ ...route("/"), backend: { urls: ["http://a/path"] } }, "/backend/urls/0", "path or query"],
		[{ ...route("/"), backend: { urls: ["http://a?x"] } }, "/backend/urls/0", "path or query"],
		[{ ...route("/"), backend: { urls: ["http://u:p@a"] } }, "/backend/urls/0", "user name"],
		[{ ...route("/"), backend: { urls: ["http://a:99999"] } }, "/backend/urls/0", "port"],
		[{ ...route("/"), backend: { urls: ["http://"] } }, "/backend/urls/0", "no host"],
		[{ ...route("/"), backend: { urls: ["http://a b"] } }, "/backend/urls/0", "no host"],
		[
			{ ...route("/"), backend: { ...backend, host_header: "a\r\nb" } },
			"/backend/host_header",
			"host",
		],
		[{ ...route("/"), backend: { ...backend, host_header: "" } }, "/backend/host_header", "host"],
		[
			{ ...route("/"), backend: { ...backend, connect_timeout_ms: 0 } },
			"/backend/connect_timeout_ms",
			"at least 1",
		],
		[
			{ ...route("/"), backend: { ...backend, response_timeout_ms: "5" } },
			"/backend/response_timeout_ms",
			"number",
		],
		[{ ...route("/"), backend: { ...backend, retries: 5 } }, "/backend/retries", "unknown field"],
		[{ ...route("/"), edge_id: "x" }, "/edge_id", '"e"'],
	])("%#: $1 is refused: $2", async (body, pointer, words) => {
		const api = await withEdge();
		const problems = new Map(
			problemsOf(await api.send("PUT", "/edges/https/e/routes/r", { body })),
		);
		expect(problems.get(pointer)).toContain(words);
		expect(api.store.counts().routes).toBe(0);
	});

	it.each([
		route("/"),
		route("/a/."),
		route("/a%2F"),
		route("/a//b", "exact_path"),
		{
			...route("/"),
			backend: { urls: ["http://[::1]:9000", "https://a.example/"], host_header: "a:1" },
		},
		{
			...route("/"),
			backend: { ...backend, connect_timeout_ms: 1, response_timeout_ms: 86_400_000 },
		},
	])("%j is accepted", async (body) => {
		const api = await withEdge();
		const answer = await api.send("PUT", "/edges/https/e/routes/r", { body });
		expect(answer).toMatchObject({ status: 201, json: body });
	});
});
