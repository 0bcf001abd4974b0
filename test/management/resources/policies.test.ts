/** Policies through the API (contract 2, 3). */

import { describe, expect, it } from "vitest";
import {
	edge,
	expectError,
	header,
	headerEnd,
	POLICY,
	problemsOf,
	raw,
	route,
	startApi,
} from "../api.ts";

describe("policies", () => {
	it("are stored with every default filled in, and answered bare", async () => {
		const api = await startApi();
		await api.send("PUT", "/edges/https/e", { body: edge("a.example") });
		await api.send("PUT", "/edges/https/e/routes/r", { body: route("/") });
		const sent = { inbound: [{ actions: [{ type: "deny" }] }] };
		const stored = {
			enabled: true,
			inbound: [{ name: "", expressions: [], actions: [{ type: "deny", config: {} }] }],
			outbound: [],
		};
		for (const body of [sent, { module: sent }, { module: sent, edge_id: "e", id: "r" }]) {
			const put = await api.send("PUT", POLICY, { body });
			expect(put).toMatchObject({ status: 200, json: stored });
			expect(put.headers.get("etag")).toMatch(/^"[\w-]{22}"$/);
			expect(put.headers.get("policy-warnings")).toBeNull();
			expect(put.headers.get("content-type")).toBe("application/json");
			const get = await api.send("GET", POLICY);
			expect(get.text).toBe(put.text);
			expect(get.headers.get("etag")).toBe(put.headers.get("etag"));
		}
	});

	it("may come before their edge and route, which the answer says", async () => {
		const api = await startApi();
		const early = await api.send("PUT", POLICY, { body: { inbound: [{ actions: [], x: 1 }] } });
		expect(early.status).toBe(400);
		const put = await api.send("PUT", POLICY, { body: {} });
		expect(put.status).toBe(200);
		expect(put.headers.get("policy-warnings")).toBe("1");
		expect(put.headers.get("policy-warning")).toBe(
			'/: edge "e" has no route "r": the policy takes effect when there is one',
		);
		await api.send("PUT", "/edges/https/e", { body: edge("a.example") });
		await api.send("PUT", "/edges/https/e/routes/r", { body: route("/") });
		const again = await api.send("PUT", POLICY, { body: {} });
		expect(again.headers.get("policy-warnings")).toBeNull();
		expect(again.headers.get("policy-warning")).toBeNull();
	});

	it("go with their route and with its edge", async () => {
		const api = await startApi();
		const setUp = async () => {
			await api.send("PUT", "/edges/https/e", { body: edge("a.example") });
			await api.send("PUT", "/edges/https/e/routes/r", { body: route("/") });
		};
		const policies = async () =>
			(await api.send("GET", "/policies")).json.policies.map(
				({ edge_id, id }: { edge_id: string; id: string }) => `${edge_id}/${id}`,
			);
		await setUp();
		for (const [edgeId, id] of ["er", "es", "fr"]) {
			const path = `/edges/https/${edgeId}/routes/${id}/policy`;
			expect((await api.send("PUT", path, { body: {} })).status).toBe(200);
		}
		expect((await api.send("DELETE", "/edges/https/e/routes/r")).status).toBe(204);
		expectError(await api.send("GET", POLICY), 404, "ERR_POLICY_NOT_FOUND");
		expect(await policies()).toEqual(["f/r", "e/s"]);
		await setUp();
		expectError(await api.send("GET", POLICY), 404, "ERR_POLICY_NOT_FOUND");
		await api.send("PUT", POLICY, { body: {} });
		expect((await api.send("DELETE", "/edges/https/e")).status).toBe(204);
		await setUp();
		expectError(await api.send("GET", POLICY), 404, "ERR_POLICY_NOT_FOUND");
		expect(await policies()).toEqual(["f/r"]);
		expect(api.store.counts()).toEqual({ edges: 1, routes: 1, policies: 1 });
	});

	it("stay if their route's deletion is refused", async () => {
		const api = await startApi();
		await api.send("PUT", "/edges/https/e", { body: edge("a.example") });
		await api.send("PUT", "/edges/https/e/routes/r", { body: route("/") });
		await api.send("PUT", POLICY, { body: {} });
		const headers = { "if-match": '"other"' };
		for (const path of ["/edges/https/e/routes/r", "/edges/https/e"])
			expectError(await api.send("DELETE", path, { headers }), 412, "ERR_PRECONDITION_FAILED");
		expect((await api.send("GET", POLICY)).status).toBe(200);
	});

	it("are deleted without a body or content-type", async () => {
		const api = await startApi();
		expectError(await api.send("DELETE", POLICY), 404, "ERR_POLICY_NOT_FOUND");
		await api.send("PUT", POLICY, { body: {} });
		const { text } = await raw(api.port, header(api.key, `DELETE ${POLICY}`), headerEnd);
		expect(text).toMatch(/^HTTP\/1.1 204 No Content\r\n/);
		expect(text.toLowerCase()).not.toMatch(/content-type|content-length|transfer-encoding/);
		expect(text).toMatch(/\r\n\r\n$/);
		expectError(await api.send("GET", POLICY), 404, "ERR_POLICY_NOT_FOUND");
		expectError(await api.send("DELETE", POLICY), 404, "ERR_POLICY_NOT_FOUND");
	});

	it.each([
		["a list", []],
		["a string", '"x"'],
		["null", "null"],
		["a number", "1"],
		["unknown fields", { enabled: true, inbond: [] }],
		["wrong types", { enabled: "yes", inbound: {}, outbound: 1 }],
		["an empty rule", { inbound: [{}] }],
		["an unknown action", { inbound: [{ actions: [{ type: "deni" }] }] }],
		["a bad wrapped one", { module: { enabled: 1 } }],
		["an unknown field beside the module", { module: {}, other: 1 }],
	])("%s is refused and changes nothing", async (_name, body) => {
		const api = await startApi();
		const before = await api.send("PUT", POLICY, { body: { enabled: false } });
		expect(problemsOf(await api.send("PUT", POLICY, { body })).length).toBeGreaterThan(0);
		expect((await api.send("GET", POLICY)).text).toBe(before.text);
		expect(api.published).toHaveLength(1);
	});

	it("report all problems at once, each with its pointer", async () => {
		const api = await startApi();
		const body = {
			enabled: 1,
			inbound: [
				{ actions: [] },
				{ expressions: [7], actions: [{ type: "deny", config: { status_code: 42 } }] },
			],
			more: true,
		};
		const pointers = problemsOf(await api.send("PUT", POLICY, { body })).map(
			([pointer]) => pointer,
		);
		expect(pointers).toEqual(
			expect.arrayContaining([
				"/enabled",
				"/inbound/0/actions",
				"/inbound/1/expressions/0",
				"/inbound/1/actions/0/config/status_code",
				"/more",
			]),
		);
	});
});
