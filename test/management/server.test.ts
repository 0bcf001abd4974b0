/** What holds for every request of the management API (contract 2): auth, versions, paths, bodies, framing. */
import { connect } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { createApiKey } from "../../src/management/api-keys.ts";
import { openKeyStore } from "../../src/store/open.ts";
import { temporaryFolder } from "../store/folder.ts";
import { expectError, header, raw, startApi } from "./api.ts";

const edge = { hostports: ["example.com"] };
const headerEnd = (text: string) => text.includes("\r\n\r\n");
const complete = (text: string) => text.includes("\r\n\r\n") && text.endsWith("}");

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
		const { openStore } = await import("../../src/store/open.ts");
		const api = await startApi({ store: openStore(folder) });
		const beside = openKeyStore(folder);
		const { id, key } = await createApiKey(beside, "from the command line");
		expect((await api.send("GET", "/edges/https", { key })).status).toBe(200);
		expect(await beside.revokeKey(id)).toBe(true);
		expect((await api.send("GET", "/edges/https", { key })).status).toBe(403);
		await beside.close();
	});

	it("healthz is open to all", async () => {
		const api = await startApi();
		const answer = await api.send("GET", "/healthz", { key: null });
		expect(answer).toMatchObject({ status: 200, json: { status: "ok" } });
		expect((await api.send("HEAD", "/healthz", { key: null })).status).toBe(200);
		expectError(await api.send("DELETE", "/healthz", { key: null }), 401, "ERR_UNAUTHORIZED");
	});
});

describe("versions", () => {
	it.each(["1", "3", "2.0", "02", "latest", "", "2, 2"])("%j is not supported", async (version) => {
		const api = await startApi();
		const headers = { "service-version": version };
		const answer = await api.send("GET", "/edges/https", { headers });
		expect(expectError(answer, 400, "ERR_UNSUPPORTED_VERSION").json.msg).toContain("supported: 2");
	});

	it("2 is", async () => {
		const api = await startApi();
		const headers = { "service-version": "2" };
		expect((await api.send("GET", "/edges/https", { headers })).status).toBe(200);
	});
});

describe("paths and methods", () => {
	it.each([
		"/",
		"/edges",
		"/edges/http",
		"/edges/https/e/routes/r/policy/more",
		"/edges/https/e/route/r",
		"//edges/https",
		"/edges//https",
		"/edges/https/e//routes",
		"/EDGES/https",
		"/healthz/",
		`/${"a/".repeat(500)}`,
		"/edges/https/e/routes/r/%E0%A4%A",
	])("nothing at %s", async (path) => {
		const api = await startApi();
		expectError(await api.send("GET", path), 404, "ERR_NOT_FOUND");
	});

	it.each([
		["/edges/https/a%20b", 400],
		["/edges/https/a%2Fb", 400],
		["/edges/https/%00", 400],
		["/edges/https/%ff", 400],
		["/edges/https/%E2%82%AC", 400],
		["/edges/https/a+b", 400],
		["/edges/https/a:b", 400],
		["/edges/https/~", 400],
		["/edges/https/", 400],
		[`/edges/https/${"a".repeat(129)}`, 400],
		["/edges/https/e/routes/b@d/policy", 400],
		["/edges/https//routes/r/policy", 400],
		[`/edges/https/${"a".repeat(128)}`, 404],
		["/edges/https/A-z_0.9", 404],
		["/edges/https/%41%2d%7A", 404],
		["/edges/https/__proto__", 404],
		["/edges/https/constructor/routes/toString/policy", 404],
	])("id in %s: %d", async (path, status) => {
		const api = await startApi();
		const answer = await api.send("GET", path);
		expectError(answer, status, status === 400 ? "ERR_INVALID_ID" : answer.json.error_code);
		expect(answer.json.error_code).toMatch(/INVALID_ID|_NOT_FOUND/);
	});

	it("an encoded id is the id", async () => {
		const api = await startApi();
		expect((await api.send("PUT", "/edges/https/%61b", { body: edge })).json.id).toBe("ab");
		expect((await api.send("GET", "/edges/https/ab")).status).toBe(200);
	});

	it.each([
		["POST", "/edges/https", "GET, HEAD"],
		["PATCH", "/edges/https/e", "GET, HEAD, PUT, DELETE"],
		["POST", "/edges/https/e/routes/r/policy", "GET, HEAD, PUT, DELETE"],
		["OPTIONS", "/edges/https/e", "GET, HEAD, PUT, DELETE"],
		["DELETE", "/readyz", "GET, HEAD"],
		["PUT", "/openapi.json", "GET, HEAD"],
	])("%s %s is 405", async (method, path, allow) => {
		const api = await startApi();
		const answer = expectError(await api.send(method, path), 405, "ERR_METHOD_NOT_ALLOWED");
		expect(answer.headers.get("allow")).toBe(allow);
	});

	it("methods that every object has are no methods", async () => {
		const api = await startApi();
		const request = header(api.key, "constructor /edges/https", "connection: close");
		expect((await raw(api.port, request)).text).toMatch(/^HTTP\/1.1 (405|400|505) /);
	});

	it("HEAD is GET without the body", async () => {
		const api = await startApi();
		await api.send("PUT", "/edges/https/e", { body: edge });
		const get = await api.send("GET", "/edges/https/e");
		const { text } = await raw(api.port, header(api.key, "HEAD /edges/https/e"), headerEnd);
		expect(text).toContain(`etag: ${get.headers.get("etag")}`);
		expect(text.toLowerCase()).toContain(`content-length: ${get.text.length}`);
		expect(text).toMatch(/\r\n\r\n$/);
	});
});

describe("bodies", () => {
	const path = "/edges/https/e/routes/r/policy";

	it.each([
		[undefined, 415],
		["text/plain", 415],
		["application/jsonx", 415],
		["application/json, text/plain", 415],
		["application/json", 201],
		["Application/JSON; charset=utf-8", 201],
		["application/json ;x=1", 201],
	])("content-type %s gives %d", async (type, status) => {
		const api = await startApi();
		const body = JSON.stringify(edge);
		const lines = [
			`content-length: ${body.length}`,
			...(type === undefined ? [] : [`content-type: ${type}`]),
		];
		const request = header(api.key, "PUT /edges/https/e", ...lines, "connection: close");
		expect((await raw(api.port, request + body)).text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
	});

	it("a compressed body is refused, a content-type on GET and DELETE ignored", async () => {
		const api = await startApi();
		const headers = { "content-encoding": "gzip" };
		const answer = await api.send("PUT", "/edges/https/e", { body: edge, headers });
		expectError(answer, 415, "ERR_UNSUPPORTED_MEDIA_TYPE");
		const type = { headers: { "content-type": "text/plain" } };
		expect((await api.send("GET", "/edges/https", type)).status).toBe(200);
		expectError(await api.send("DELETE", path, type), 404, "ERR_POLICY_NOT_FOUND");
	});

	it.each([
		["", "empty"],
		["{", "line 1, column 2"],
		['{"enabled": tru}', "line 1"],
		['{\n  "enabled": true,\n}', "line 3"],
		['{"enabled":true,"enabled":false}', "duplicate"],
		['{"__proto__":{"enabled":true}}', "__proto__"],
		['{"enabled":1e999}', "too large"],
		['{"enabled":NaN}', "line 1"],
		["[".repeat(100_000), "nested"],
		['\ufeff{"enabled":true}', "byte order mark"],
		["{} {}", "line 1, column 4"],
	])("%.30j is no JSON", async (body, words) => {
		const api = await startApi();
		const answer = expectError(await api.send("PUT", path, { body }), 400, "ERR_INVALID_JSON");
		expect(answer.json.msg).toContain(words);
		expect(api.store.policy("e", "r")).toBeUndefined();
	});

	it("invalid UTF-8 is no JSON", async () => {
		const api = await startApi();
		const body = Buffer.concat([
			Buffer.from('{"name":"'),
			Buffer.from([0xff, 0xfe]),
			Buffer.from('"}'),
		]);
		expectError(await api.send("PUT", path, { body }), 400, "ERR_INVALID_JSON");
	});

	it("1 MiB passes, one byte more is 413 and closes, with a length and chunked", async () => {
		const api = await startApi();
		const small = JSON.stringify({ enabled: true });
		const exact = small + " ".repeat(1_048_576 - small.length);
		expectError(
			await api.send("PUT", "/edges/https/e", { body: exact }),
			400,
			"ERR_INVALID_DOCUMENT",
		);
		const withLength = header(
			api.key,
			`PUT ${path}`,
			"content-type: application/json",
			"content-length: 1048577",
		);
		const told = await raw(api.port, [withLength, `${exact} `]);
		expect(told.text).toMatch(/^HTTP\/1.1 413 /);
		expect(told.text).toContain("request-id: req_");
		expect(told.text).toContain("ERR_BODY_TOO_LARGE");
		expect(told.closed).toBe(true);
		const chunked = header(
			api.key,
			`PUT ${path}`,
			"content-type: application/json",
			"transfer-encoding: chunked",
		);
		const chunks = Array.from({ length: 17 }, () => `10000\r\n${" ".repeat(65_536)}\r\n`);
		const grown = await raw(api.port, [chunked, ...chunks, "0\r\n\r\n"]);
		expect(grown.text).toMatch(/^HTTP\/1.1 413 /);
		expect(grown.closed).toBe(true);
		expect((await api.send("PUT", path, { body: `${exact} ` })).status).toBe(413);
	});

	it("announcing too much is refused without waiting for it", async () => {
		const api = await startApi();
		const request = header(
			api.key,
			`PUT ${path}`,
			"content-type: application/json",
			"content-length: 99999999999",
		);
		const answer = await raw(api.port, request);
		expect(answer.text).toMatch(/^HTTP\/1.1 413 /);
		expect(answer.closed).toBe(true);
	});

	it("a chunked body is a body", async () => {
		const api = await startApi();
		const request = header(
			api.key,
			"PUT /edges/https/e",
			"content-type: application/json",
			"transfer-encoding: chunked",
			"connection: close",
		);
		const text = JSON.stringify(edge);
		const half = (from: number, to?: number) => {
			const part = text.slice(from, to);
			return `${part.length.toString(16)}\r\n${part}\r\n`;
		};
		const answer = await raw(api.port, [request, half(0, 9), half(9), "0\r\n\r\n"]);
		expect(answer.text).toMatch(/^HTTP\/1.1 201 /);
	});

	it("a body that does not arrive is 408 and closes", async () => {
		const api = await startApi();
		const request = header(
			api.key,
			`PUT ${path}`,
			"content-type: application/json",
			"content-length: 20",
		);
		const answer = await raw(api.port, [request, "{"]);
		expect(answer.text).toMatch(/^HTTP\/1.1 408 /);
		expect(answer.closed).toBe(true);
	}, 20_000);

	it("an upload that breaks off stores nothing and harms nobody", async () => {
		const api = await startApi();
		const request = header(
			api.key,
			"PUT /edges/https/e",
			"content-type: application/json",
			"content-length: 200000",
		);
		for (let index = 0; index < 50; index++) {
			const socket = connect(api.port, "127.0.0.1");
			await new Promise<void>((resolve) =>
				socket.write(`${request}{"hostports":[`, () => resolve()),
			);
			socket.resetAndDestroy();
		}
		expect((await api.send("GET", "/edges/https")).json.edges).toEqual([]);
	});

	it("keeps the connection after a refusal whose body it skipped", async () => {
		const api = await startApi();
		const refused = [
			"PUT /edges/https/e HTTP/1.1",
			"host: x",
			"content-type: application/json",
			"content-length: 10",
			"",
			"GET / HTTP",
		].join("\r\n");
		const follow = header(api.key, "GET /edges/https", "connection: close");
		const { text } = await raw(api.port, [refused, follow]);
		expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 401", "HTTP/1.1 200"]);
	});
});

describe("framing", () => {
	it.each([
		["two lengths", ["content-length: 5", "content-length: 6"], 400],
		["the same length twice", ["content-length: 5", "content-length: 5"], 400],
		["an empty length", ["content-length: "], 400],
		["length and coding", ["content-length: 5", "transfer-encoding: chunked"], 400],
		["two hosts", ["host: y"], 400],
	])("%s", async (_name, lines, status) => {
		const api = await startApi();
		const request = header(
			api.key,
			"PUT /edges/https/e",
			"content-type: application/json",
			...lines,
		);
		const answer = await raw(api.port, `${request}{"a":1}GET /edges/https HTTP/1.1\r\n\r\n`);
		expect(answer.text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
		expect(answer.text.match(/HTTP\/1.1 /g)).toHaveLength(1);
		expect(answer.closed).toBe(true);
	});

	it.each(["xchunked", "gzip, chunked", "chunked, chunked", "identity"])(
		"coding %s",
		async (coding) => {
			const api = await startApi();
			const request = header(api.key, "PUT /edges/https/e", `transfer-encoding: ${coding}`);
			const answer = await raw(api.port, `${request}0\r\n\r\n`);
			expect(answer.text).toMatch(/^HTTP\/1.1 501 /);
			expect(answer.closed).toBe(true);
		},
	);

	it("an empty host", async () => {
		const api = await startApi();
		const answer = await raw(api.port, "GET /healthz HTTP/1.1\r\nhost:\r\n\r\n");
		expect(answer.text).toMatch(/^HTTP\/1.1 400 /);
		expect(answer.text).toContain("request-id: req_");
		expect(answer.closed).toBe(true);
	});
});

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

	it("refuses an address in use", async () => {
		const api = await startApi();
		await expect(startApi({ port: api.port })).rejects.toThrow(/can't listen on 127.0.0.1/);
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
		const put = api.send("PUT", "/edges/https/e", { body: edge });
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
