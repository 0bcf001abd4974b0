/** Edges, routes and policies through the API (contract 2, 3): answers, refusals, etags, lists, publishing. */
import { describe, expect, it, vi } from "vitest";
import type { Change } from "../../src/store/store.ts";
import { type Answer, type Api, expectError, header, raw, startApi } from "./api.ts";

const edge = (...hostports: string[]) => ({ hostports });
const backend = { urls: ["http://127.0.0.1:9000"] };
const route = (match: string, match_type = "path_prefix") => ({ match_type, match, backend });
const POLICY = "/edges/https/e/routes/r/policy";

const headerEnd = (text: string) => text.includes("\r\n\r\n");

const problemsOf = (answer: Answer): [string, string][] =>
	expectError(answer, 400, "ERR_INVALID_DOCUMENT").json.problems.map(
		({ pointer, message }: { pointer: string; message: string }) => [pointer, message],
	);

describe("policies", () => {
	it("are stored with every default filled in, and answered bare", async () => {
		const api = await startApi();
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

	it("may come before their edge and route, and outlive both", async () => {
		const api = await startApi();
		expect((await api.send("PUT", POLICY, { body: {} })).status).toBe(200);
		await api.send("PUT", "/edges/https/e", { body: edge("a.example") });
		await api.send("PUT", "/edges/https/e/routes/r", { body: route("/") });
		expect((await api.send("DELETE", "/edges/https/e/routes/r")).status).toBe(204);
		expect((await api.send("DELETE", "/edges/https/e")).status).toBe(204);
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

describe("edges", () => {
	it("are created, replaced, read and deleted; what is read may be put back", async () => {
		const api = await startApi();
		const path = "/edges/https/shop";
		const created = await api.send("PUT", path, { body: edge("Example.com:443", "*.example.com") });
		expect(created).toMatchObject({
			status: 201,
			json: {
				id: "shop",
				uri: path,
				hostports: ["Example.com:443", "*.example.com"],
				description: "",
				metadata: "",
			},
		});
		const read = await api.send("GET", path);
		expect(read.text).toBe(created.text);
		const again = await api.send("PUT", path, { body: read.json });
		expect(again.status).toBe(200);
		expect(again.headers.get("etag")).toBe(created.headers.get("etag"));
		expect((await api.send("DELETE", path)).status).toBe(204);
		expectError(await api.send("GET", path), 404, "ERR_EDGE_NOT_FOUND");
		expectError(await api.send("DELETE", path), 404, "ERR_EDGE_NOT_FOUND");
	});

	it("own their hostports in every spelling", async () => {
		const api = await startApi();
		await api.send("PUT", "/edges/https/a", { body: edge("example.com", "[2001:db8::1]") });
		for (const spelling of ["EXAMPLE.com", "example.com.", "[2001:DB8:0::1]"]) {
			const answer = await api.send("PUT", "/edges/https/b", { body: edge("b.example", spelling) });
			expect(expectError(answer, 409, "ERR_HOSTPORT_CONFLICT").json.msg).toContain('edge "a"');
		}
		expect(
			(await api.send("PUT", "/edges/https/b", { body: edge("example.com:443") })).status,
		).toBe(201);
		await api.send("PUT", "/edges/https/a", { body: edge("other.example") });
		expect((await api.send("PUT", "/edges/https/b", { body: edge("example.com") })).status).toBe(
			200,
		);
		await api.send("DELETE", "/edges/https/b");
		expect((await api.send("PUT", "/edges/https/c", { body: edge("example.com") })).status).toBe(
			201,
		);
	});

	it.each([
		[{}, "/hostports", "required"],
		[{ hostports: [] }, "/hostports", "at least 1"],
		[{ hostports: "example.com" }, "/hostports", "a list"],
		[{ hostports: ["a.example", 5] }, "/hostports/1", "a string"],
		[{ hostports: ["http://a.example"] }, "/hostports/0", "scheme"],
		[{ hostports: ["a.example", "A.example."] }, "/hostports/1", "the same hostport"],
		[{ hostports: Array(101).fill("a.example") }, "/hostports", "at most 100"],
		[{ hostports: ["a.example"], description: "é".repeat(128) }, "/description", "255 bytes"],
		[{ hostports: ["a.example"], metadata: "x".repeat(4097) }, "/metadata", "4096 bytes"],
		[{ hostports: ["a.example"], metadata: {} }, "/metadata", "a string"],
		[{ hostports: ["a.example"], descripton: "" }, "/descripton", '"description"'],
		[{ hostports: ["a.example"], id: "other" }, "/id", '"e"'],
		[{ hostports: ["a.example"], uri: 5 }, "/uri", "/edges/https/e"],
	])("%.60j is refused", async (body, pointer, words) => {
		const api = await startApi();
		const problems = new Map(problemsOf(await api.send("PUT", "/edges/https/e", { body })));
		expect(problems.get(pointer)).toContain(words);
		expect(api.store.counts().edges).toBe(0);
	});
});

describe("routes", () => {
	async function withEdge(): Promise<Api> {
		const api = await startApi();
		await api.send("PUT", "/edges/https/e", { body: edge("a.example") });
		return api;
	}

	it("are created, replaced, read and deleted; what is read may be put back", async () => {
		const api = await withEdge();
		const path = "/edges/https/e/routes/r";
		const created = await api.send("PUT", path, { body: route("/api") });
		expect(created).toMatchObject({
			status: 201,
			json: { id: "r", edge_id: "e", uri: path, match_type: "path_prefix", match: "/api", backend },
		});
		const read = await api.send("GET", path);
		expect((await api.send("PUT", path, { body: read.json })).status).toBe(200);
		const elsewhere = await api.send("PUT", "/edges/https/e/routes/q", { body: read.json });
		expect(problemsOf(elsewhere).map(([pointer]) => pointer)).toEqual(["/id", "/uri"]);
		expect((await api.send("DELETE", path)).status).toBe(204);
		expectError(await api.send("GET", path), 404, "ERR_ROUTE_NOT_FOUND");
	});

	it("need their edge, go with it, and share no match within it", async () => {
		const api = await withEdge();
		const body = route("/api");
		expectError(
			await api.send("PUT", "/edges/https/x/routes/r", { body }),
			404,
			"ERR_EDGE_NOT_FOUND",
		);
		expectError(await api.send("GET", "/edges/https/x/routes/r"), 404, "ERR_EDGE_NOT_FOUND");
		expectError(await api.send("GET", "/edges/https/x/routes"), 404, "ERR_EDGE_NOT_FOUND");
		expectError(await api.send("DELETE", "/edges/https/x/routes/r"), 404, "ERR_EDGE_NOT_FOUND");
		await api.send("PUT", "/edges/https/e/routes/r", { body });
		const conflict = await api.send("PUT", "/edges/https/e/routes/q", { body });
		expect(expectError(conflict, 409, "ERR_MATCH_CONFLICT").json.msg).toContain('"r"');
		await api.send("PUT", "/edges/https/e/routes/r", { body: route("/other") });
		expect((await api.send("PUT", "/edges/https/e/routes/q", { body })).status).toBe(201);
		await api.send("DELETE", "/edges/https/e");
		await api.send("PUT", "/edges/https/e", { body: edge("a.example") });
		expect((await api.send("GET", "/edges/https/e/routes")).json.routes).toEqual([]);
	});

	it.each([
		[{}, "/match_type", "required"],
		[{ ...route("/"), match_type: "regex" }, "/match_type", '"exact_path", "path_prefix"'],
		[route("api"), "/match", 'start with "/"'],
		[route("/a/../b", "exact_path"), "/match", 'normal form it is "/b"'],
		[route("/%61", "exact_path"), "/match", '"/a"'],
		[route("/a%2f"), "/match", '"/a%2F"'],
		[route("/a?b=1"), "/match", "query"],
		[route("/a%zz"), "/match", "broken percent-encoding"],
		[route("/a b"), "/match", "no request"],
		[route(`/${"a".repeat(1024)}`), "/match", "at most 1024"],
		[{ ...route("/"), backend: {} }, "/backend/urls", "required"],
		[{ ...route("/"), backend: { urls: [] } }, "/backend/urls", "at least 1"],
		[{ ...route("/"), backend: { urls: ["127.0.0.1:9000"] } }, "/backend/urls/0", "http://"],
		[{ ...route("/"), backend: { urls: ["ftp://a"] } }, "/backend/urls/0", "http://"],
		[{ ...route("/"), backend: { urls: ["http://a/path"] } }, "/backend/urls/0", "path or query"],
		[{ ...route("/"), backend: { urls: ["http://a?x"] } }, "/backend/urls/0", "path or query"],
		[{ ...route("/"), backend: { urls: ["http://u:p@a"] } }, "/backend/urls/0", "user name"],
		[{ ...route("/"), backend: { urls: ["http://a:99999"] } }, "/backend/urls/0", "port"],
		[{ ...route("/"), backend: { urls: ["http://"] } }, "/backend/urls/0", "no host"],
		[{ ...route("/"), backend: { urls: ["http://a b"] } }, "/backend/urls/0", "no host"],
		[
			{ ...route("/"), backend: { ...backend, host_header: "a\r\nb" } },
			"/backend/host_header",
			"host",
		],
		[{ ...route("/"), backend: { ...backend, host_header: "" } }, "/backend/host_header", "host"],
		[
			{ ...route("/"), backend: { ...backend, connect_timeout_ms: 0 } },
			"/backend/connect_timeout_ms",
			"at least 1",
		],
		[
			{ ...route("/"), backend: { ...backend, response_timeout_ms: "5" } },
			"/backend/response_timeout_ms",
			"number",
		],
		[{ ...route("/"), backend: { ...backend, retries: 5 } }, "/backend/retries", "unknown field"],
		[{ ...route("/"), edge_id: "x" }, "/edge_id", '"e"'],
	])("%.90j is refused", async (body, pointer, words) => {
		const api = await withEdge();
		const problems = new Map(
			problemsOf(await api.send("PUT", "/edges/https/e/routes/r", { body })),
		);
		expect(problems.get(pointer)).toContain(words);
		expect(api.store.counts().routes).toBe(0);
	});

	it.each([
		route("/"),
		route("/a/."),
		route("/a%2F"),
		route("/a//b", "exact_path"),
		{
			...route("/"),
			backend: { urls: ["http://[::1]:9000", "https://a.example/"], host_header: "a:1" },
		},
		{
			...route("/"),
			backend: { ...backend, connect_timeout_ms: 1, response_timeout_ms: 86_400_000 },
		},
	])("%.90j is accepted", async (body) => {
		const api = await withEdge();
		const answer = await api.send("PUT", "/edges/https/e/routes/r", { body });
		expect(answer).toMatchObject({ status: 201, json: body });
	});
});

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

describe("lists", () => {
	it("go through all pages, highest id first", async () => {
		const api = await startApi();
		const ids = ["a", "A", "b-1", "b.1", "b_1", "z"];
		for (const id of ids) {
			await api.send("PUT", `/edges/https/${id}`, {
				body: edge(
					`${id.codePointAt(0)}-${id.length}${id.charCodeAt(1)}.example`.replace("NaN", "0"),
				),
			});
		}
		const found: string[] = [];
		let path = "/edges/https?limit=2";
		while (path) {
			const { json } = await api.send("GET", path);
			expect(Object.keys(json)).toEqual(["edges", "next_page_uri"]);
			expect(json.edges.length).toBe(2);
			found.push(...json.edges.map(({ id }: { id: string }) => id));
			path = json.next_page_uri;
		}
		expect(path).toBeNull();
		expect(found).toEqual([...ids].sort().reverse());
		const below = await api.send("GET", "/edges/https?before_id=b-1");
		expect(below.json.edges.map(({ id }: { id: string }) => id)).toEqual(["a", "A"]);
		await api.send("PUT", "/edges/https/a/routes/r1", { body: route("/1") });
		await api.send("PUT", "/edges/https/a/routes/r2", { body: route("/2") });
		const routes = await api.send("GET", "/edges/https/a/routes?limit=1");
		expect(routes.json).toMatchObject({
			routes: [{ id: "r2", edge_id: "a", match: "/2" }],
			next_page_uri: "/edges/https/a/routes?limit=1&before_id=r2",
		});
		expect((await api.send("GET", routes.json.next_page_uri)).json.next_page_uri).toBeNull();
	});

	it.each([
		"limit=0",
		"limit=101",
		"limit=-1",
		"limit=x",
		"limit=",
		"limit=1.5",
		"limit=1&limit=2",
		"before_id=",
		"before_id=a%20b",
		`before_id=${"a".repeat(129)}`,
	])("?%.30s is refused", async (query) => {
		const api = await startApi();
		expectError(await api.send("GET", `/edges/https?${query}`), 400, "ERR_INVALID_QUERY");
	});
});

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
			routeChange,
			edgeChange,
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
		const { connect } = await import("node:net");
		const socket = connect(api.port, "127.0.0.1");
		socket.end(request + body, () => socket.destroy());
		await vi.waitUntil(() => api.published.length === 1, { timeout: 10_000 });
		expect((await api.send("GET", POLICY)).json.enabled).toBe(false);
	});
});
