/** A change is stored, then published, then answered (contract 2). */

import { connect } from "node:net";
import { describe, expect, it, vi } from "vitest";
import type { Change } from "../../src/store/store.ts";
import { edge, header, POLICY, route, startApi } from "./api.ts";

describe("publishing", () => {
	it("every change is announced once, after it is stored and before the answer", async () => {
		const seen: [Change[], number][] = [];
		let release: (() => void) | undefined;
		const publish = (changes: readonly Change[]) => {
			seen.push([[...changes], api.store.counts().policies]);
			return new Promise<void>((resolve) => {
				release = resolve;
			});
		};
		const api = await startApi({ publisher: { publish } });
		let answered = false;
		const put = api.send("PUT", POLICY, { body: {} }).then((answer) => {
			answered = true;
			return answer;
		});
		await vi.waitUntil(() => release !== undefined);
		expect(seen).toEqual([[[{ kind: "policy", edgeId: "e", routeId: "r" }], 1]]);
		expect((await api.send("GET", POLICY)).status).toBe(200);
		expect(answered).toBe(false);
		release?.();
		expect((await put).status).toBe(200);
	});

	it("names what changed", async () => {
		const api = await startApi();
		await api.send("PUT", "/edges/https/e", { body: edge("a.example") });
		await api.send("PUT", "/edges/https/e/routes/r", { body: route("/") });
		await api.send("PUT", POLICY, { body: {} });
		await api.send("DELETE", POLICY);
		await api.send("PUT", POLICY, { body: {} });
		await api.send("DELETE", "/edges/https/e/routes/r");
		await api.send("DELETE", "/edges/https/e");
		await api.send("DELETE", "/edges/https/e");
		const routeChange = { kind: "route", edgeId: "e", routeId: "r" };
		const policyChange = { kind: "policy", edgeId: "e", routeId: "r" };
		const edgeChange = { kind: "edge", edgeId: "e" };
		expect(api.published).toEqual([
			edgeChange,
			routeChange,
			policyChange,
			policyChange,
			policyChange,
			routeChange,
			policyChange,
			edgeChange,
			{ kind: "policies", edgeId: "e" },
		]);
	});

	it("a client that leaves does not stop its change", async () => {
		const api = await startApi();
		const body = JSON.stringify({ enabled: false });
		const request = header(
			api.key,
			`PUT ${POLICY}`,
			"content-type: application/json",
			`content-length: ${body.length}`,
		);
		const socket = connect(api.port, "127.0.0.1");
		socket.end(request + body, () => socket.destroy());
		await vi.waitUntil(() => api.published.length === 1, { timeout: 10_000 });
		expect((await api.send("GET", POLICY)).json.enabled).toBe(false);
	});
});
