/** Address lists over the API: all operations, all refusals, YAML, etags, audit lines. */
import { describe, expect, it } from "vitest";
import { expectError, startApi } from "../api.ts";

const LIST = "/ip-lists/office";
const POLICY = "/edges/https/e/routes/r/policy";
const naming = (...lists: string[]) => ({
	inbound: [{ actions: [{ type: "restrict-ips", config: { lists } }] }],
});

describe("address lists", () => {
	it("are put, got, put again as they were got, and deleted", async () => {
		const api = await startApi();
		expectError(await api.send("GET", LIST), 404, "ERR_IP_LIST_NOT_FOUND");
		const created = await api.send("PUT", LIST, {
			body: { entries: ["10.0.0.0/8", "::1", "10.0.0.0/8"], description: "us" },
		});
		const stored = {
			id: "office",
			uri: LIST,
			description: "us",
			entries: ["10.0.0.0/8", "::1"],
		};
		expect([created.status, created.json]).toEqual([201, stored]);
		const got = await api.send("GET", LIST);
		expect([got.status, got.json, got.headers.get("etag")]).toEqual([
			200,
			stored,
			created.headers.get("etag"),
		]);
		const again = await api.send("PUT", LIST, { body: got.json });
		expect([again.status, again.headers.get("etag")]).toEqual([200, got.headers.get("etag")]);
		const known = { "if-none-match": got.headers.get("etag") ?? "" };
		expect((await api.send("GET", LIST, { headers: known })).status).toBe(304);
		expect((await api.send("DELETE", LIST)).status).toBe(204);
		expectError(await api.send("DELETE", LIST), 404, "ERR_IP_LIST_NOT_FOUND");
		expect(api.published).toEqual([1, 2, 3].map(() => ({ kind: "ip_list", listId: "office" })));
		expect(
			api.audited.map(({ operation, ip_list, result }) => [operation, ip_list, result]),
		).toEqual([
			["putIpList", "office", "created"],
			["putIpList", "office", "unchanged"],
			["deleteIpList", "office", "deleted"],
			["deleteIpList", "office", "refused"],
		]);
	});

	it("may be YAML", async () => {
		const api = await startApi();
		const yaml = { "content-type": "application/yaml" };
		const body = "description: us\nentries:\n- 10.0.0.0/8\n- '::1'\n";
		expect((await api.send("PUT", LIST, { body, headers: yaml })).json.entries).toEqual([
			"10.0.0.0/8",
			"::1",
		]);
		const change = await api.send("POST", `${LIST}/entries`, {
			body: "remove: ['::1']",
			headers: yaml,
		});
		expect(change.json.entry_count).toBe(1);
		const broken = await api.send("PUT", LIST, { body: "entries: [", headers: yaml });
		expect(expectError(broken, 400, "ERR_INVALID_JSON").json.msg).toContain("not valid YAML");
	});

	it("are changed by some entries, under a precondition or none", async () => {
		const api = await startApi();
		const change = (body: object, headers = {}) =>
			api.send("POST", `${LIST}/entries`, { body, headers });
		expectError(await change({ add: ["::1"] }), 404, "ERR_IP_LIST_NOT_FOUND");
		const put = await api.send("PUT", LIST, { body: { entries: ["::1", "::2"] } });
		const done = await change({ add: ["10.0.0.1/32", "::2"], remove: ["::1", "::9"] });
		expect([done.status, done.json]).toEqual([
			200,
			{ id: "office", uri: LIST, description: "", entry_count: 2 },
		]);
		const got = await api.send("GET", LIST);
		expect([got.json.entries, got.headers.get("etag")]).toEqual([
			["10.0.0.1", "::2"],
			done.headers.get("etag"),
		]);
		const stale = { "if-match": put.headers.get("etag") ?? "" };
		expectError(await change({ add: ["::3"] }, stale), 412, "ERR_PRECONDITION_FAILED");
		const both = expectError(
			await change({ add: ["::3"], remove: ["0::3"] }),
			400,
			"ERR_INVALID_DOCUMENT",
		);
		expect(both.json.problems[0]).toMatchObject({ pointer: "/remove", code: "contradiction" });
	});

	it("every problem has its place", async () => {
		const api = await startApi();
		const body = { entries: ["::1", "10.1.2.3/8", 7], id: "other", size: 3 };
		const { json } = expectError(
			await api.send("PUT", LIST, { body }),
			400,
			"ERR_INVALID_DOCUMENT",
		);
		expect(json.msg).toBe("The address list has 3 problems.");
		expect(json.problems.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
			"/entries/2",
			"/id",
			"/size",
		]);
		const wrong = { entries: ["::1", "10.1.2.3/8"] };
		const told = expectError(
			await api.send("PUT", LIST, { body: wrong }),
			400,
			"ERR_INVALID_DOCUMENT",
		);
		expect(told.json.problems).toEqual([
			{
				pointer: "/entries/1",
				code: "invalid_address",
				message: '"10.1.2.3/8" has bits set behind its prefix; the range is "10.0.0.0/8"',
			},
		]);
		expectError(
			await api.send("PUT", "/ip-lists/a%20b", { body: { entries: [] } }),
			400,
			"ERR_INVALID_ID",
		);
		expectError(await api.send("POST", LIST, { body: {} }), 405, "ERR_METHOD_NOT_ALLOWED");
	});

	it("100,000 entries are taken, one more is not, and a body has a bound of its own", async () => {
		const api = await startApi();
		const entries = Array.from(
			{ length: 100_000 },
			(_, n) =>
				`2001:db8:${(n >> 8).toString(16)}:${(n & 255).toString(16)}:ffff:ffff:ffff:fff0/128`,
		);
		const put = await api.send("PUT", LIST, { body: JSON.stringify({ entries }, null, "\t") });
		expect([put.status, put.json.entries.length]).toEqual([201, 100_000]);
		const one = await api.send("POST", `${LIST}/entries`, { body: { add: ["10.0.0.1"] } });
		expect(expectError(one, 409, "ERR_IP_LIST_FULL").json.msg).toBe(
			"The list would have 100001 entries; 100000 are allowed.",
		);
		expectError(
			await api.send("PUT", LIST, { body: { entries: [...entries, "::1"] } }),
			400,
			"ERR_INVALID_DOCUMENT",
		);
		const long = await api.send("PUT", LIST, { body: " ".repeat(8_388_609) });
		expectError(long, 413, "ERR_BODY_TOO_LARGE");
		expectError(
			await api.send("PUT", POLICY, { body: " ".repeat(1_048_577) }),
			413,
			"ERR_BODY_TOO_LARGE",
		);
	});

	it("their list tells how many entries they have", async () => {
		const api = await startApi();
		for (const id of ["a", "b", "c"])
			await api.send("PUT", `/ip-lists/${id}`, { body: { entries: ["::1"], description: id } });
		const page = await api.send("GET", "/ip-lists?limit=2");
		expect(page.json).toEqual({
			ip_lists: ["c", "b"].map((id) => ({
				id,
				uri: `/ip-lists/${id}`,
				description: id,
				entry_count: 1,
			})),
			next_page_uri: "/ip-lists?limit=2&before_id=b",
		});
		const last = await api.send("GET", page.json.next_page_uri);
		expect([last.json.ip_lists.length, last.json.next_page_uri]).toEqual([1, null]);
	});
});

describe("policies and the lists that they name", () => {
	it("a list that there is not is a problem of the policy", async () => {
		const api = await startApi();
		const body = naming("office", "!blocked");
		const { json } = expectError(
			await api.send("PUT", POLICY, { body }),
			400,
			"ERR_INVALID_DOCUMENT",
		);
		expect(json.problems).toEqual([
			{
				pointer: "/inbound/0/actions/0/config/lists/0",
				code: "unknown_ip_list",
				message: 'there is no address list "office"; PUT /ip-lists/office first',
			},
			{
				pointer: "/inbound/0/actions/0/config/lists/1",
				code: "unknown_ip_list",
				message: 'there is no address list "blocked"; PUT /ip-lists/blocked first',
			},
		]);
	});

	it("a list that is named stays, and who names it is told", async () => {
		const api = await startApi();
		await api.send("PUT", LIST, { body: { entries: [] } });
		for (let n = 0; n < 12; n++) {
			const path = `/edges/https/e/routes/r${n}/policy`;
			expect((await api.send("PUT", path, { body: naming("office") })).status).toBe(200);
		}
		const { json } = expectError(await api.send("DELETE", LIST), 409, "ERR_IP_LIST_IN_USE");
		expect(json.msg).toMatch(
			/^Policies name this list: \/edges\/https\/e\/routes\/r0\/policy, .* and 2 more\. Change them first\.$/,
		);
	});
});
