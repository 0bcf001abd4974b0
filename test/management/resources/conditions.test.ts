/** Conditional requests (contract 2, `etag`). */

import { describe, expect, it } from "vitest";
import { expectError, header, headerEnd, POLICY, raw, startApi } from "../api.ts";

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
