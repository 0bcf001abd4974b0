/** `/healthz` and its siblings (contract 2). */

import { describe, expect, it } from "vitest";
import { expectError, FRONT, startApi } from "./api.ts";

describe("operations", () => {
	it("tells whether it is ready, and why not", async () => {
		let state: boolean | string = true;
		const api = await startApi({ ready: () => state });
		expect((await api.send("GET", "/readyz")).json).toEqual({ status: "ready" });
		state = "Workers are starting.";
		const answer = expectError(await api.send("GET", "/readyz"), 503, "ERR_NOT_READY");
		expect(answer.json.msg).toBe(state);
		state = false;
		expectError(await api.send("GET", "/readyz"), 503, "ERR_NOT_READY");
	});

	it.each([
		["on", FRONT],
		["off", undefined],
	])("tells who reads the clients of the data path, and of itself: %s", async (state, front) => {
		const api = await startApi({ front: () => "unavailable", frontSettings: front });
		const { json } = await api.send("GET", "/healthz", { key: null });
		expect(json).toEqual({ status: "ok", front: "unavailable", management_front: state });
	});

	it("shows metrics as Prometheus text, the rest as JSON", async () => {
		const api = await startApi();
		const metrics = await api.send("GET", "/metrics");
		expect(metrics.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
		expect(metrics.text).toBe("# HELP weir_test x\n");
		const openApi = await api.send("GET", "/openapi.json");
		expect(openApi.json.openapi).toBe("3.1.0");
		const policy = openApi.json.paths["/edges/https/{edge_id}/routes/{id}/policy"];
		expect(Object.keys(policy)).toEqual(["parameters", "get", "put", "delete"]);
		const names = [...openApi.text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
			([, name]) => name,
		);
		expect(names.length).toBeGreaterThan(10);
		for (const name of names)
			expect(openApi.json.components.schemas).toHaveProperty([String(name)]);
		const schema = await api.send("GET", "/schemas/policy.json");
		expect(schema.json.properties).toHaveProperty("inbound");
		expect(schema.headers.get("content-type")).toBe("application/json");
	});
});
