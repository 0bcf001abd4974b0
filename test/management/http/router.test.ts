/** Paths, ids and methods (contract 2). */

import { describe, expect, it } from "vitest";
import { Router } from "../../../src/management/http/router.ts";
import { edge, expectError, FRONT, header, headerEnd, raw, startApi } from "../api.ts";

describe("paths and methods", () => {
	it.each([
		"/",
		"/edges",
		"/edges/http",
		"/edges/https/e/routes/r/policy/more",
		"/edges/https/e/route/r",
		"//edges/https",
		"/edges//https",
		"/edges/https/e//routes",
		"/EDGES/https",
		"/healthz/",
		`/${"a/".repeat(500)}`,
		"/edges/https/e/routes/r/%E0%A4%A",
	])("nothing at %s", async (path) => {
		const api = await startApi();
		expectError(await api.send("GET", path), 404, "ERR_NOT_FOUND");
	});

	it.each([
		["/edges/https/a%20b", 400],
		["/edges/https/a%2Fb", 400],
		["/edges/https/%00", 400],
		["/edges/https/%ff", 400],
		["/edges/https/%E2%82%AC", 400],
		["/edges/https/a+b", 400],
		["/edges/https/a:b", 400],
		["/edges/https/~", 400],
		["/edges/https/...", 404],
		["/edges/https/", 400],
		[`/edges/https/${"a".repeat(129)}`, 400],
		["/edges/https/e/routes/b@d/policy", 400],
		["/edges/https//routes/r/policy", 400],
		[`/edges/https/${"a".repeat(128)}`, 404],
		["/edges/https/A-z_0.9", 404],
		["/edges/https/%41%2d%7A", 404],
		["/edges/https/__proto__", 404],
		["/edges/https/constructor/routes/toString/policy", 404],
	])("id in %s: %d", async (path, status) => {
		const api = await startApi();
		const answer = await api.send("GET", path);
		expectError(answer, status, status === 400 ? "ERR_INVALID_ID" : answer.json.error_code);
		expect(answer.json.error_code).toMatch(/INVALID_ID|_NOT_FOUND/);
	});

	it("an encoded id is the id", async () => {
		const api = await startApi();
		expect(
			(await api.send("PUT", "/edges/https/%61b", { body: edge("example.com") })).json.id,
		).toBe("ab");
		expect((await api.send("GET", "/edges/https/ab")).status).toBe(200);
	});

	it.each([
		["POST", "/edges/https", "GET, HEAD"],
		["PATCH", "/edges/https/e", "GET, HEAD, PUT, DELETE"],
		["POST", "/edges/https/e/routes/r/policy", "GET, HEAD, PUT, DELETE"],
		["OPTIONS", "/edges/https/e", "GET, HEAD, PUT, DELETE"],
		["DELETE", "/readyz", "GET, HEAD"],
		["PUT", "/openapi.json", "GET, HEAD"],
	])("%s %s is 405", async (method, path, allow) => {
		const api = await startApi();
		const answer = expectError(await api.send(method, path), 405, "ERR_METHOD_NOT_ALLOWED");
		expect(answer.headers.get("allow")).toBe(allow);
	});

	it("what clients take out of a path is no id; what once had such a one can be deleted", async () => {
		const api = await startApi();
		const paths = ["/edges/https/.", "/edges/https/..", "/edges/https/e/routes/%2e%2E"];
		for (const path of [...paths, "/edges/https/e/routes/../policy"]) {
			const [asked, deleted] = await Promise.all(
				["GET", "DELETE"].map((method) =>
					raw(api.port, header(api.key, `${method} ${path}`, "connection: close"), headerEnd),
				),
			);
			expect(asked?.text).toMatch(/^HTTP\/1.1 400 [\s\S]*ERR_INVALID_ID/);
			expect(deleted?.text).toMatch(/^HTTP\/1.1 404 [\s\S]*_NOT_FOUND/);
		}
	});

	it("methods that every object has are no methods", async () => {
		const api = await startApi();
		const request = header(api.key, "constructor /edges/https", "connection: close");
		expect((await raw(api.port, request)).text).toMatch(/^HTTP\/1.1 (405|400|505) /);
	});

	it("CONNECT is no method of any path, and the answer says which are", async () => {
		const api = await startApi({ frontSettings: FRONT });
		const { text } = await raw(api.port, "CONNECT h:443 HTTP/1.1\r\nhost: h:443\r\n\r\n");
		expect(text).toMatch(/^HTTP\/1.1 405 /);
		expect(text).toContain("allow: GET, HEAD, POST, PUT, DELETE\r\n");
		expect(text).toContain("CONNECT is not supported");
	});

	it("HEAD is GET without the body", async () => {
		const api = await startApi();
		await api.send("PUT", "/edges/https/e", { body: edge("example.com") });
		const get = await api.send("GET", "/edges/https/e");
		const { text } = await raw(api.port, header(api.key, "HEAD /edges/https/e"), headerEnd);
		expect(text).toContain(`etag: ${get.headers.get("etag")}`);
		expect(text.toLowerCase()).toContain(`content-length: ${get.text.length}`);
		expect(text).toMatch(/\r\n\r\n$/);
	});
});

describe("what a request is about", () => {
	const run = () => ({ status: 204, headers: {}, body: undefined });
	const router = new Router([
		{
			pattern: "/edges/{edge_id}/routes/{id}",
			methods: {
				PUT: { operation: "putRoute", role: "admin", takesBody: true, run },
				GET: { role: "read", takesBody: false, run },
			},
		},
	]);

	it.each([
		["PUT", "/edges/e/routes/r", ["putRoute", "e", "r", true]],
		["PUT", "/edges/%65/routes/r", ["putRoute", "e", "r", true]],
		["GET", "/edges/e/routes/r", [undefined, "e", "r", true]],
		["POST", "/edges/e/routes/r", [undefined, "e", "r", true]],
		["constructor", "/edges/e/routes/r", [undefined, "e", "r", true]],
		["PUT", "/edges/e/routes/a b", ["putRoute", "e", undefined, false]],
		["PUT", "/edges/%ff/routes/r", ["putRoute", undefined, "r", false]],
		["PUT", "/edges//routes/r", ["putRoute", undefined, "r", false]],
		["PUT", "/other", [undefined, undefined, undefined, true]],
	])("%s %s", (method, path, [operation, edgeId, routeId, hasIds]) => {
		expect(router.subjectOf(method, path)).toEqual({ operation, edgeId, routeId, hasIds });
	});
});
