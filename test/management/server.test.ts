/** The server as a whole: failures inside, connections that stay open, an orderly end. */

import { describe, expect, it, vi } from "vitest";
import { complete, edge, expectError, header, raw, startApi } from "./api.ts";

describe("server", () => {
	it("says nothing about the inside when something breaks", async () => {
		const api = await startApi({
			metrics: () => Promise.reject(new Error("secret /etc/passwd")),
		});
		const answer = expectError(await api.send("GET", "/metrics"), 500, "ERR_INTERNAL");
		expect(answer.text).not.toContain("secret");
		expect(api.logged).toMatchObject([
			{ operation_id: answer.json.details.operation_id, path: "/metrics" },
		]);
	});

	it("finishes what is in flight before it closes", async () => {
		let release: () => void = () => undefined;
		const publish = vi.fn(
			() =>
				new Promise<void>((resolve) => {
					release = resolve;
				}),
		);
		const api = await startApi({ publisher: { publish } });
		const put = api.send("PUT", "/edges/https/e", { body: edge("example.com") });
		await vi.waitUntil(() => publish.mock.calls.length === 1);
		const closed = api.close();
		release();
		expect((await put).status).toBe(201);
		await closed;
		await expect(api.send("GET", "/healthz")).rejects.toThrow();
	});

	it("answers many clients and both ends of a connection that stays open", async () => {
		const api = await startApi();
		const { text } = await raw(api.port, header(api.key, "GET /edges/https"), (answer) =>
			complete(answer),
		);
		expect(text).toMatch(/^HTTP\/1.1 200 /);
	});
});
