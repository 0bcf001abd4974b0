/** The API over a store whose files are lost: nothing is acknowledged, keys stay valid, the rest answers. */
import { rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openStore } from "../../src/store/open.ts";
import { temporaryFolder } from "../store/folder.ts";
import { edge, expectError, POLICY, startApi } from "./api.ts";

it("knows the keys that it read, and answers what needs no store", async () => {
	const folder = temporaryFolder();
	const api = await startApi({ store: openStore(folder) });
	await api.send("PUT", "/edges/https/e", { body: edge("a.example") });
	truncateSync(join(folder, "data.mdb"), 0);
	expect((await api.send("GET", "/healthz", { key: null })).status).toBe(200);
	expect((await api.send("GET", "/readyz")).status).toBe(200);
	expect((await api.send("GET", "/metrics")).status).toBe(200);
	expect((await api.send("GET", "/openapi.json")).status).toBe(200);
	expectError(await api.send("GET", "/edges/https", { key: "other" }), 403, "ERR_FORBIDDEN");
	for (const path of ["/edges/https", "/edges/https/e", POLICY]) {
		expectError(await api.send("GET", path), 503, "ERR_STORE_LOST");
	}
	const put = await api.send("PUT", "/edges/https/e", { body: edge("b.example") });
	expect(expectError(put, 503, "ERR_STORE_LOST").text).not.toContain(folder);
	expectError(await api.send("DELETE", "/edges/https/e"), 503, "ERR_STORE_LOST");
	expect(api.published).toHaveLength(1);
	expect(api.logged).toEqual([]);
});

it("does not acknowledge what workers may not have been able to read any more", async () => {
	const folder = temporaryFolder();
	const publish = async () => rmSync(folder, { recursive: true });
	const api = await startApi({ store: openStore(folder), publisher: { publish } });
	const put = await api.send("PUT", "/edges/https/e", { body: edge("a.example") });
	expectError(put, 503, "ERR_STORE_LOST");
});
