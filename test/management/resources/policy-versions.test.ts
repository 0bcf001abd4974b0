/** Versions of a policy through the API (contract 2, "Versions of a policy"). */
import { expect, it } from "vitest";
import { checkPolicy } from "../../../src/threads/policy-check.ts";
import { type Api, edge, expectError, POLICY, route, startApi } from "../api.ts";

const policy = (status: number) => ({
	inbound: [{ actions: [{ type: "deny", config: { status_code: status } }] }],
});

async function begun(): Promise<Api> {
	const api = await startApi();
	await api.send("PUT", "/edges/https/e", { body: edge("a.example") });
	await api.send("PUT", "/edges/https/e/routes/r", { body: route("/") });
	return api;
}

const rollback = (api: Api, to: unknown, headers = {}) =>
	api.send("POST", `${POLICY}/rollback`, { body: { to }, headers });

it("are listed newest first, in pages", async () => {
	const api = await begun();
	expectError(await api.send("GET", `${POLICY}/versions`), 404, "ERR_POLICY_NOT_FOUND");
	for (const status of [401, 402, 403]) await api.send("PUT", POLICY, { body: policy(status) });
	const put = await api.send("PUT", POLICY, { body: policy(404) });
	await api.send("PUT", POLICY, { body: policy(404) });
	const page = await api.send("GET", `${POLICY}/versions?limit=3`);
	expect(page.status).toBe(200);
	expect(page.json.next_page_uri).toBe(`${POLICY}/versions?limit=3&before_id=2`);
	expect(page.json.versions).toMatchObject([{ version: 4 }, { version: 3 }, { version: 2 }]);
	const [newest] = page.json.versions;
	expect(newest).toEqual({
		...{ version: 4, uri: `${POLICY}/versions/4`, etag: put.headers.get("etag") },
		...{ size: expect.any(Number), in_force: true, rolled_back_to: null },
		created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
		...{ key_id: expect.stringMatching(/^key_/), key_name: "test" },
		request_id: put.headers.get("request-id"),
	});
	const rest = await api.send("GET", page.json.next_page_uri);
	expect(rest.json).toMatchObject({
		versions: [{ version: 1, in_force: false }],
		next_page_uri: null,
	});
	expectError(await api.send("GET", `${POLICY}/versions?before_id=x`), 400, "ERR_INVALID_QUERY");
});

it("are read as they were stored", async () => {
	const api = await begun();
	const put = await api.send("PUT", POLICY, { body: policy(401) });
	await api.send("PUT", POLICY, { body: policy(402) });
	const one = await api.send("GET", `${POLICY}/versions/1`);
	expect(one).toMatchObject({ status: 200, text: put.text });
	const etag = put.headers.get("etag") ?? "";
	expect(one.headers.get("etag")).toBe(etag);
	const again = await api.send("GET", `${POLICY}/versions/1`, {
		headers: { "if-none-match": etag },
	});
	expect(again.status).toBe(304);
	for (const number of ["3", "0", "x", "1e0", "01"]) {
		const missing = await api.send("GET", `${POLICY}/versions/${number}`);
		expectError(missing, 404, "ERR_POLICY_VERSION_NOT_FOUND");
		expect(missing.json.msg).toContain("1 to 2 are kept");
	}
});

it("can be rolled back to, under conditions, and that is a version too", async () => {
	const api = await begun();
	const first = await api.send("PUT", POLICY, { body: policy(401) });
	const second = await api.send("PUT", POLICY, { body: policy(402) });
	const etag = first.headers.get("etag") ?? "";
	const stale = await rollback(api, 1, { "if-match": etag });
	expectError(stale, 412, "ERR_PRECONDITION_FAILED");
	api.published.length = 0;
	const back = await rollback(api, 1, { "if-match": second.headers.get("etag") ?? "" });
	expect(back).toMatchObject({ status: 200, text: first.text });
	expect(back.headers.get("etag")).toBe(etag);
	expect(back.headers.get("policy-version")).toBe("3");
	expect(back.headers.get("policy-changed")).toBe("true");
	expect(api.published).toEqual([{ kind: "policy", edgeId: "e", routeId: "r" }]);
	expect(api.audited.at(-1)).toMatchObject({ operation: "rollbackPolicy", result: "changed" });
	const { versions } = (await api.send("GET", `${POLICY}/versions`)).json;
	expect(versions[0]).toMatchObject({ version: 3, rolled_back_to: 1, etag, in_force: true });
	const same = await rollback(api, 3);
	expect(same.status).toBe(200);
	expect(same.headers.get("policy-version")).toBe("3");
	expect(same.headers.get("policy-changed")).toBe("false");
});

it("are refused where their tests don't hold any more", async () => {
	let areTested = false;
	const api = await startApi({
		policyChecker: {
			check: async (submitted, format, places, tests) => {
				const bytes = "json" in submitted ? Buffer.from(submitted.json) : submitted;
				const checked = checkPolicy(bytes, { rulesPerPhase: 500 }, format, places, tests);
				if (!areTested || tests !== "run") return checked;
				const problem = { pointer: "/tests/0/expect", code: "test_failed", message: "another" };
				return { outcome: "tests_failed", problems: [problem] };
			},
		},
	});
	await api.send("PUT", POLICY, { body: policy(401) });
	await api.send("PUT", POLICY, { body: policy(402) });
	areTested = true;
	expectError(await rollback(api, 1), 422, "ERR_TESTS_FAILED");
	expect((await api.send("GET", POLICY)).text).toContain("402");
});

it("bring a deleted policy back", async () => {
	const api = await begun();
	const put = await api.send("PUT", POLICY, { body: policy(401) });
	await api.send("DELETE", POLICY);
	const { versions } = (await api.send("GET", `${POLICY}/versions`)).json;
	expect(versions).toMatchObject([{ version: 1, in_force: false }]);
	expect(await rollback(api, 1)).toMatchObject({ status: 200, text: put.text });
	expect((await api.send("GET", POLICY)).text).toBe(put.text);
});

it("that there are not are refused, and bodies that say nothing", async () => {
	const api = await begun();
	const none = await rollback(api, 1);
	expectError(none, 404, "ERR_POLICY_VERSION_NOT_FOUND");
	expect(none.json.msg).toContain("none is kept");
	await api.send("PUT", POLICY, { body: policy(401) });
	expect((await rollback(api, 2)).json.msg).toContain("1 is the only one kept");
	for (const to of [0, "1", 1.5, null])
		expectError(await rollback(api, to), 400, "ERR_INVALID_DOCUMENT");
});

it("are judged by the rules of today", async () => {
	const api = await begun();
	await api.send("PUT", "/ip-lists/l", { body: { entries: ["192.0.2.1"] } });
	const naming = { inbound: [{ actions: [{ type: "restrict-ips", config: { lists: ["l"] } }] }] };
	expect((await api.send("PUT", POLICY, { body: naming })).status).toBe(200);
	await api.send("PUT", POLICY, { body: policy(401) });
	await api.send("DELETE", "/ip-lists/l");
	const refused = await rollback(api, 1);
	expectError(refused, 400, "ERR_INVALID_DOCUMENT");
	expect(refused.json.problems).toMatchObject([{ code: "unknown_ip_list" }]);
});
