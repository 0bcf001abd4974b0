/** Who may use the API (contract 2, "Auth"): every malformed form, keys that come and go beside the server. */

import { describe, expect, it, onTestFinished } from "vitest";
import { createApiKey } from "../../../src/management/api-keys.ts";
import { Authenticator } from "../../../src/management/http/auth.ts";
import type { ApiRequest } from "../../../src/management/http/request.ts";
import { openKeyStore, openStore } from "../../../src/store/open.ts";
import { temporaryFolder } from "../../store/folder.ts";
import { expectError, header, raw, startApi } from "../api.ts";

describe("auth", () => {
	it.each(["/edges/https", "/nothing/here", "/readyz", "/metrics", "/", "//", "/openapi.json"])(
		"%s needs a key",
		async (path) => {
			const api = await startApi();
			const missing = expectError(
				await api.send("GET", path, { key: null }),
				401,
				"ERR_UNAUTHORIZED",
			);
			expect(missing.headers.get("www-authenticate")).toBe("Bearer");
			expectError(await api.send("GET", path, { key: "wrong" }), 403, "ERR_FORBIDDEN");
		},
	);

	it.each(["", "Bearer", "Bearer ", "Basic dTpw", "Bearer a b", "KEY", "Bearer  KEY extra"])(
		"%j is malformed",
		async (value) => {
			const api = await startApi();
			const headers = { authorization: value.replace("KEY", api.key) };
			expectError(
				await api.send("GET", "/edges/https", { key: null, headers }),
				403,
				"ERR_FORBIDDEN",
			);
		},
	);

	it("two authorization fields are malformed, even with a valid key in one", async () => {
		const api = await startApi();
		const request = header(
			api.key,
			"GET /edges/https",
			"authorization: Bearer x",
			"connection: close",
		);
		expect((await raw(api.port, request)).text).toMatch(/^HTTP\/1.1 403 /);
	});

	it("takes the scheme in any case, the configured key, and nobody's hash", async () => {
		const api = await startApi({ configuredKey: "s3cret!" });
		const status = async (authorization: string) =>
			(await api.send("GET", "/edges/https", { key: null, headers: { authorization } })).status;
		expect(await status(`bearer ${api.key}`)).toBe(200);
		expect(await status(`BEARER ${api.key}`)).toBe(200);
		expect(await status("Bearer s3cret!")).toBe(200);
		expect(await status(`Bearer ${api.store.keys()[0]?.hash}`)).toBe(403);
		expect(await status(`Bearer ${api.key.slice(0, -1)}`)).toBe(403);
	});

	it("sees keys that another opener of the store adds and revokes", async () => {
		const folder = temporaryFolder();
		const api = await startApi({ store: openStore(folder) });
		const beside = openKeyStore(folder);
		const { id, key } = await createApiKey(beside, "from the command line");
		expect((await api.send("GET", "/edges/https", { key })).status).toBe(200);
		expect(await beside.revokeKey(id)).toBe(true);
		expect((await api.send("GET", "/edges/https", { key })).status).toBe(403);
		await beside.close();
	});

	it("tells whose key it is", async () => {
		const store = openStore(temporaryFolder());
		onTestFinished(() => store.close());
		const { id, key } = await createApiKey(store, "dashboards", { role: "read" });
		const authenticator = new Authenticator(store, "s3cret!");
		const identityOf = (presented: string) => {
			const headers = (name: string) => (name === "authorization" ? [`Bearer ${presented}`] : []);
			return authenticator.check({ headers } as unknown as ApiRequest);
		};
		expect(identityOf(key)).toEqual({ id, name: "dashboards", role: "read" });
		expect(identityOf("s3cret!")).toEqual({
			id: "configured",
			name: "WEIR_API_KEY",
			role: "admin",
		});
	});

	it("a key counts until it expires, to the millisecond", async () => {
		const store = openStore(temporaryFolder());
		const clock = { nowMs: Date.parse("2026-12-31T23:59:59.999Z") };
		const api = await startApi({ store, now: () => clock.nowMs });
		const expiresAt = "2027-01-01T00:00:00.000Z";
		const { id, key } = await createApiKey(store, "for a quarter", { expiresAt });
		expect((await api.send("GET", "/edges/https", { key })).status).toBe(200);
		clock.nowMs += 1;
		const refused = await api.send("GET", "/edges/https", { key });
		expect(expectError(refused, 403, "ERR_KEY_EXPIRED").json.msg).toBe(
			`The API key ${id} expired at ${expiresAt}; create another with weir keys create.`,
		);
		expect((await api.send("GET", "/healthz", { key })).status).toBe(200);
		expect((await api.send("GET", "/edges/https")).status).toBe(200);
	});

	it("healthz is open to all", async () => {
		const api = await startApi();
		const answer = await api.send("GET", "/healthz", { key: null });
		expect(answer).toMatchObject({ status: 200, json: { status: "ok" } });
		expect((await api.send("HEAD", "/healthz", { key: null })).status).toBe(200);
		expectError(await api.send("DELETE", "/healthz", { key: null }), 401, "ERR_UNAUTHORIZED");
	});
});
