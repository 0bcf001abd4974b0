/** Conditional requests (contract 2, `etag`). */

import { describe, expect, it } from "vitest";
import { edge, expectError, header, headerEnd, POLICY, raw, route, startApi } from "../api.ts";

describe("etags", () => {
	it("guard every write", async () => {
		const api = await startApi();
		const put = (headers: Record<string, string>, body: object = {}) =>
			api.send("PUT", POLICY, { body, headers });
		expectError(await put({ "if-match": "*" }), 412, "ERR_PRECONDITION_FAILED");
		expectError(await put({ "if-match": '"x"' }), 412, "ERR_PRECONDITION_FAILED");
		const created = await put({ "if-none-match": "*" });
		expect(created.status).toBe(200);
		const etag = created.headers.get("etag") ?? "";
		expectError(await put({ "if-none-match": "*" }), 412, "ERR_PRECONDITION_FAILED");
		expectError(await put({ "if-none-match": etag }), 412, "ERR_PRECONDITION_FAILED");
		expectError(await put({ "if-match": `W/${etag}` }), 412, "ERR_PRECONDITION_FAILED");
		const changed = await put({ "if-match": `"other", ${etag}` }, { enabled: false });
		expect(changed.status).toBe(200);
		expect(changed.headers.get("etag")).not.toBe(etag);
		expectError(await put({ "if-match": etag }), 412, "ERR_PRECONDITION_FAILED");
		const remove = (headers: Record<string, string>) => api.send("DELETE", POLICY, { headers });
		expectError(await remove({ "if-match": etag }), 412, "ERR_PRECONDITION_FAILED");
		expect((await remove({ "if-match": changed.headers.get("etag") ?? "" })).status).toBe(204);
		expectError(await remove({ "if-match": "*" }), 404, "ERR_POLICY_NOT_FOUND");
	});

	it.each(["x", '"a', 'a"', '"a" "b"', "", '"a",*', 'w/"a"', '"a b"'])(
		"if-match %j is malformed",
		async (value) => {
			const api = await startApi();
			const answer = await api.send("PUT", POLICY, { body: {}, headers: { "if-match": value } });
			expectError(answer, 400, "ERR_BAD_REQUEST");
			expect(api.store.counts().policies).toBe(0);
		},
	);

	it.each([
		"/edges/https",
		"/edges/https/e/routes",
		"/policies",
		"/ip-lists",
		`${POLICY}/versions`,
	])("of a list changes with what is answered: %s", async (path) => {
		const api = await startApi();
		const put = async (place: string, body: object): Promise<void> => {
			expect((await api.send("PUT", place, { body })).status).toBeLessThan(300);
		};
		await put("/edges/https/e", edge("e.test"));
		await put("/edges/https/e/routes/r", route("/"));
		await put(POLICY, {});
		const list = (headers: Record<string, string> = {}) => api.send("GET", path, { headers });
		const first = await list();
		expect(first.status).toBe(200);
		const etag = first.headers.get("etag") ?? "";
		expect(etag).toMatch(/^"[\w-]{22}"$/);
		expect((await list()).headers.get("etag")).toBe(etag);
		const known = await list({ "if-none-match": etag });
		expect([known.status, known.headers.get("etag"), known.text]).toEqual([304, etag, ""]);
		expectError(await list({ "if-match": '"x"' }), 412, "ERR_PRECONDITION_FAILED");
		expectError(await list({ "if-none-match": "x" }), 400, "ERR_BAD_REQUEST");
		await put("/edges/https/f", edge("f.test"));
		await put("/edges/https/e/routes/more", route("/more"));
		await put("/edges/https/e/routes/more/policy", {});
		await put("/ip-lists/l", { entries: ["192.0.2.1"] });
		await put(POLICY, { enabled: false });
		const changed = await list({ "if-none-match": etag });
		expect(changed.status).toBe(200);
		expect(changed.headers.get("etag")).not.toBe(etag);
	});

	it("spare clients what they have", async () => {
		const api = await startApi();
		const etag = (await api.send("PUT", POLICY, { body: {} })).headers.get("etag") ?? "";
		const { text } = await raw(
			api.port,
			header(api.key, `GET ${POLICY}`, `if-none-match: W/${etag}`),
			headerEnd,
		);
		expect(text).toMatch(/^HTTP\/1.1 304 /);
		expect(text).toContain(`etag: ${etag}`);
		expect(text).toMatch(/\r\n\r\n$/);
		const headers = { "if-none-match": '"x"' };
		expect((await api.send("GET", POLICY, { headers })).status).toBe(200);
	});
});
