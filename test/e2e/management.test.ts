/**
 * Every refusal of contract 2 and 3 over the real server: status, code, the one error shape, and that
 * nothing was stored, no worker noticed, and the policy in force still is.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
	type Answer,
	KEY,
	type Server,
	send,
	sendRaw,
	startServer,
	startUpstream,
	type TestUpstream,
} from "./harness.ts";

const POLICY = "/edges/https/e/routes/r/policy";
const ROUTE = "/edges/https/e/routes/r";
const MIB = 1_048_576;
const KEPT = {
	inbound: [{ actions: [{ type: "custom-response", config: { content: "kept" } }] }],
};

let server: Server;
let upstream: TestUpstream;
let workers: number[] = [];
let etag = "";
beforeAll(async () => {
	upstream = await startUpstream();
	server = await startServer({ workers: 2 });
	await server.route(upstream.port);
	await server.must(server.api("PUT", "/edges/https/other", { hostports: ["taken.example"] }));
	etag = String((await server.policy(KEPT)).headers.etag);
	workers = server.workerPids();
});
afterEach(async () => {
	expect((await server.api("GET", POLICY)).headers.etag).toBe(etag);
	expect((await server.get("/")).body).toBe("kept");
	const lists = await server.api("GET", "/edges/https");
	expect(JSON.parse(lists.body).edges.map(({ id }: { id: string }) => id)).toEqual(["other", "e"]);
	expect(server.workerPids()).toEqual(workers);
});
afterAll(async () => {
	await server?.cleanUp();
	await upstream?.close();
});

/** Asserts the published shape. @returns pointer → message of each problem */
function refusal(answer: Answer, status: number, code: string): Map<string, string> {
	const body = JSON.parse(answer.body);
	expect([answer.status, body.error_code, body.status_code]).toEqual([status, code, status]);
	expect(answer.headers["content-type"]).toBe("application/json");
	expect(answer.headers["request-id"]).toMatch(/^req_/);
	expect(Object.keys(body)).toEqual(["error_code", "status_code", "msg", "details", "problems"]);
	expect(body.details.operation_id).toMatch(/^op_/);
	expect(answer.body).not.toMatch(/\bat .*\.[jt]s|node_modules|weir_|\/tmp\//);
	expect(answer.body).not.toContain(KEY);
	for (const { pointer, code: kind, message } of body.problems) {
		expect(kind).toMatch(/^[a-z_]+$/);
		expect(body.details[pointer]).toContain(message);
	}
	return new Map(
		body.problems.map((each: { pointer: string; message: string }) => [each.pointer, each.message]),
	);
}

describe("who may ask", () => {
	const ask = (path: string, headers: Record<string, string>, method = "GET") =>
		send(server.managementPort, path, { method, headers });

	it.each(["/edges/https", POLICY, "/readyz", "/metrics", "/openapi.json", "/nothing/here"])(
		"%s needs a key",
		async (path) => {
			const missing = await ask(path, {});
			refusal(missing, 401, "ERR_UNAUTHORIZED");
			expect(missing.headers["www-authenticate"]).toBe("Bearer");
			for (const authorization of ["Bearer wrong", "Bearer", `Basic ${KEY}`, KEY, "Bearer a b"])
				refusal(await ask(path, { authorization }), 403, "ERR_FORBIDDEN");
		},
	);

	it("the health check needs none, nor a version", async () => {
		expect((await ask("/healthz", { "service-version": "9" })).status).toBe(200);
	});

	it.each(["1", "3", "2.0", ""])(
		"version %j is 400 and names those that exist",
		async (version) => {
			const answer = await server.api("GET", POLICY, undefined, { "service-version": version });
			refusal(answer, 400, "ERR_UNSUPPORTED_VERSION");
			expect(JSON.parse(answer.body).msg).toContain("supported: 2");
		},
	);

	it("an absent version is 2", async () => {
		expect((await ask(POLICY, { authorization: `Bearer ${KEY}` })).status).toBe(200);
	});
});

describe("what is asked for", () => {
	it.each(["/", "/edges", "/edges/https/e/routes/r/policy/more", "//edges/https"])(
		"nothing at %s",
		async (path) => {
			refusal(await server.api("GET", path), 404, "ERR_NOT_FOUND");
		},
	);

	it.each([
		["a%20b", "/edges/https/a%20b"],
		["129 characters", `/edges/https/${"a".repeat(129)}`],
		["a slash", "/edges/https/a%2Fb/routes/r/policy"],
		["nothing", "/edges/https/e/routes//policy"],
	])("%s is no id", async (_name, path) => {
		refusal(await server.api("GET", path), 400, "ERR_INVALID_ID");
		refusal(await server.api("PUT", path, KEPT), 400, "ERR_INVALID_ID");
	});

	it.each([
		["POST", POLICY, "GET, HEAD, PUT, DELETE"],
		["PATCH", ROUTE, "GET, HEAD, PUT, DELETE"],
		["DELETE", "/edges/https", "GET, HEAD"],
		["PUT", "/healthz", "GET, HEAD"],
	])("%s %s is 405", async (method, path, allow) => {
		const answer = await server.api(method, path);
		refusal(answer, 405, "ERR_METHOD_NOT_ALLOWED");
		expect(answer.headers.allow).toBe(allow);
	});

	it.each([
		["/edges/https/e/routes/none/policy", "ERR_POLICY_NOT_FOUND"],
		["/edges/https/none", "ERR_EDGE_NOT_FOUND"],
		["/edges/https/e/routes/none", "ERR_ROUTE_NOT_FOUND"],
		["/edges/https/none/routes/r", "ERR_EDGE_NOT_FOUND"],
	])("%s is 404, to GET and DELETE", async (path, code) => {
		refusal(await server.api("GET", path), 404, code);
		refusal(await server.api("DELETE", path), 404, code);
	});

	it("a content-type on GET and DELETE is ignored", async () => {
		const type = { "content-type": "text/plain" };
		expect((await server.api("GET", POLICY, undefined, type)).status).toBe(200);
		const gone = await server.api("DELETE", `${ROUTE}x/policy`, undefined, type);
		refusal(gone, 404, "ERR_POLICY_NOT_FOUND");
	});

	it.each(["limit=0", "limit=101", "limit=x", "before_id=a%20b"])("?%s is 400", async (query) => {
		refusal(await server.api("GET", `/edges/https?${query}`), 400, "ERR_INVALID_QUERY");
	});
});

describe("bodies", () => {
	it.each([undefined, "text/plain", "application/json-patch+json", "application/jsonx"])(
		"content-type %s is 415",
		async (type) => {
			const answer = await send(server.managementPort, POLICY, {
				method: "PUT",
				headers: {
					authorization: `Bearer ${KEY}`,
					...(type === undefined ? {} : { "content-type": type }),
				},
				body: JSON.stringify(KEPT),
			});
			refusal(answer, 415, "ERR_UNSUPPORTED_MEDIA_TYPE");
		},
	);

	it.each<[string, string | Buffer, RegExp]>([
		["nothing", "", /empty/],
		["half a document", '{"inbound":\n [', /line 2, column 3/],
		["a trailing comma", '{\n"enabled": true,\n}', /line 3, column 1/],
		["two documents", "{}{}", /line 1, column 3/],
		["a key twice", '{"enabled":true,\n"enabled":false}', /line 2, column 1: duplicate/],
		["__proto__", '{"inbound":[{"__proto__":{"actions":[]}}]}', /__proto__/],
		["a number beyond all", '{"enabled":1e999}', /line 1, column 12/],
		["NaN", '{"enabled":NaN}', /line 1, column 12/],
		["a nest of lists", "[".repeat(500_000), /nested/],
		["invalid UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), /UTF-8/],
		["a lone surrogate's bytes", Buffer.from('{"\xed\xa0\x80":1}', "latin1"), /UTF-8/],
	])("%s is no JSON", async (_name, body, words) => {
		const answer = await server.api("PUT", POLICY, body);
		refusal(answer, 400, "ERR_INVALID_JSON");
		expect(JSON.parse(answer.body).msg).toMatch(words);
	});

	it("1 MiB is read; one byte more is 413 and the connection closed, sized or chunked", async () => {
		const padded = (bytes: number) => {
			const text = JSON.stringify({ ...KEPT, enabled: "yes" });
			return text + " ".repeat(bytes - text.length);
		};
		refusal(await server.api("PUT", POLICY, padded(MIB)), 400, "ERR_INVALID_DOCUMENT");
		const head = [
			`PUT ${POLICY} HTTP/1.1`,
			"host: localhost",
			`authorization: Bearer ${KEY}`,
			"content-type: application/json",
		].join("\r\n");
		const sized = `${head}\r\ncontent-length: ${MIB + 1}\r\n\r\n${padded(MIB + 1)}`;
		const chunk = `${(MIB + 1).toString(16)}\r\n${padded(MIB + 1)}\r\n0\r\n\r\n`;
		for (const bytes of [sized, `${head}\r\ntransfer-encoding: chunked\r\n\r\n${chunk}`]) {
			const { received, closed } = await sendRaw(server.managementPort, bytes);
			expect(received).toMatch(/^HTTP\/1\.1 413 /);
			expect(received).toContain("ERR_BODY_TOO_LARGE");
			expect(closed).toBe(true);
		}
	});

	it.each([
		["content-length: 2\r\ncontent-length: 3", 400],
		["content-length: ", 400],
		["content-length: 2\r\ntransfer-encoding: chunked", 400],
		["transfer-encoding: xchunked", 501],
	])("framing by %j is refused and closes", async (lines, status) => {
		const head = `PUT ${POLICY} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${KEY}`;
		const bytes = `${head}\r\ncontent-type: application/json\r\n${lines}\r\n\r\n0\r\n\r\n`;
		const { received, closed } = await sendRaw(server.managementPort, bytes);
		expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
		expect(received.match(/HTTP\/1\.1 /g)).toHaveLength(1);
		expect(closed).toBe(true);
	});
});

describe("conflicts", () => {
	it("a hostport of another edge is 409, in any spelling", async () => {
		for (const hostport of ["taken.example", "TAKEN.example."]) {
			const answer = await server.api("PUT", "/edges/https/e", { hostports: ["*", hostport] });
			refusal(answer, 409, "ERR_HOSTPORT_CONFLICT");
			expect(JSON.parse(answer.body).msg).toContain('"other"');
		}
	});

	it("a match of another route of the edge is 409; a route without its edge 404", async () => {
		const route = {
			match_type: "path_prefix",
			match: "/",
			backend: { urls: ["http://127.0.0.1:9"] },
		};
		refusal(await server.api("PUT", `${ROUTE}2`, route), 409, "ERR_MATCH_CONFLICT");
		const orphan = await server.api("PUT", "/edges/https/none/routes/r", route);
		refusal(orphan, 404, "ERR_EDGE_NOT_FOUND");
	});

	it("a condition that doesn't hold is 412, a malformed one 400", async () => {
		const put = (headers: object) => server.api("PUT", POLICY, { enabled: false }, headers);
		for (const headers of [{ "if-match": '"other"' }, { "if-none-match": "*" }])
			refusal(await put(headers), 412, "ERR_PRECONDITION_FAILED");
		const remove = await server.api("DELETE", POLICY, undefined, { "if-match": '"other"' });
		refusal(remove, 412, "ERR_PRECONDITION_FAILED");
		refusal(await put({ "if-match": "x" }), 400, "ERR_BAD_REQUEST");
	});
});

describe("edges and routes that are none", () => {
	it.each<[string, object, string]>([
		["/edges/https/e", {}, "/hostports"],
		["/edges/https/e", { hostports: ["http://a"] }, "/hostports/0"],
		["/edges/https/e", { hostports: ["*"], description: "é".repeat(128) }, "/description"],
		["/edges/https/e", { hostports: ["*"], metadata: "x".repeat(4097) }, "/metadata"],
		["/edges/https/e", { hostports: ["*"], hostport: [] }, "/hostport"],
		[ROUTE, { match_type: "regex", match: "/", backend: { urls: ["http://a"] } }, "/match_type"],
		[ROUTE, { match_type: "exact_path", match: "x", backend: { urls: ["http://a"] } }, "/match"],
		[ROUTE, { match_type: "exact_path", match: "/", backend: { urls: [] } }, "/backend/urls"],
		[ROUTE, { match_type: "exact_path", match: "/", backend: { urls: ["a"] } }, "/backend/urls/0"],
	])("%#: %s: $2", async (path, document, pointer) => {
		const problems = refusal(await server.api("PUT", path, document), 400, "ERR_INVALID_DOCUMENT");
		expect([...problems.keys()]).toContain(pointer);
	});
});

describe("policies that are none", () => {
	const rules = (count: number) => Array(count).fill({ actions: [{ type: "log" }] });
	const expression = (...expressions: unknown[]) => ({
		inbound: [{ expressions, actions: [{ type: "deny" }] }],
	});
	const action = (type: string, config?: object) => ({
		inbound: [{ actions: [{ type, config }] }],
	});
	const limit = (config: object) => action("rate-limit", { capacity: 1, rate: "60s", ...config });
	const entries = (count: number) =>
		Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, "1"]));
	const E0 = "/inbound/0/expressions/0";
	const A0 = "/inbound/0/actions/0";

	it.each<[string, unknown, string, RegExp]>([
		["a list", [], "", /object/],
		["an unknown field", { inbond: [] }, "/inbond", /"inbound"/],
		["a phase of connections", { on_tcp_connect: [] }, "/on_tcp_connect", /carry no policy/],
		["one phase twice", { inbound: [], on_http_request: [] }, "/on_http_request", /inbound/],
		["a wrong type", { enabled: "true" }, "/enabled", /true or false/],
		["a rule without actions", { inbound: [{}] }, "/inbound/0/actions", /required/],
		["no actions", { inbound: [{ actions: [] }] }, "/inbound/0/actions", /at least one/],
		["an unknown action", action("denny"), `${A0}/type`, /did you mean "deny"/],
		[
			"a phase",
			{ outbound: [{ actions: [{ type: "deny" }] }] },
			"/outbound/0/actions/0/type",
			/in/,
		],
		[
			"an action that can't run",
			{ inbound: [{ actions: [{ type: "deny" }, { type: "log" }] }] },
			"/inbound/0/actions/1",
			/never run/,
		],
		["501 rules", { inbound: rules(501) }, "/inbound", /at most 500/],
		["33 expressions", expression(...Array(33).fill("true")), "/inbound/0/expressions", /32/],
		["16 KiB and a byte", expression(`true${" ".repeat(16_381)}`), E0, /16384/],
		[
			"33 actions",
			{ inbound: [{ actions: Array(33).fill({ type: "log" }) }] },
			"/inbound/0/actions",
			/32/,
		],
		[
			"a long name",
			{ inbound: [{ name: "n".repeat(1024), ...rules(1)[0] }] },
			"/inbound/0/name",
			/1023/,
		],
		[
			"65 headers",
			action("custom-response", { headers: entries(65) }),
			`${A0}/config/headers`,
			/64/,
		],
		[
			"64 KiB and a byte",
			action("custom-response", { content: "x".repeat(65_537) }),
			`${A0}/config/content`,
			/65536/,
		],
		["a syntax error", expression("req.method =="), E0, /line 1, column \d+[\s\S]*\n *\^/],
		["an unknown variable", expression("req.metod == 'GET'"), E0, /"req\.method"/],
		["an old variable", expression("conn.ClientIP == ''"), E0, /"conn\.client_ip"/],
		["a comparison of two types", expression("req.content_length > '1'"), E0, /line 1, column/],
		["an expression that is no bool", expression("req.method"), E0, /bool/],
		["a response read inbound", expression("res.status_code == 200"), E0, /res/],
		[
			"a bad literal network",
			expression("inCidrRange(conn.client_ip, '10.0.0.0/99')"),
			E0,
			/10\.0/,
		],
		["a bad literal pattern", expression("req.method.matches('(')"), E0, /line 1, column/],
		[
			"body beside content",
			action("custom-response", { body: "", content: "" }),
			`${A0}/config/body`,
			/content/,
		],
		["a status", action("deny", { status_code: 199 }), `${A0}/config/status_code`, /200/],
		[
			"a status",
			action("custom-response", { status_code: 600 }),
			`${A0}/config/status_code`,
			/599/,
		],
		[
			"a line break",
			action("custom-response", { headers: { a: "1\r\nb: 2" } }),
			`${A0}/config/headers/a`,
			/line break/,
		],
		[
			"a framing field",
			action("custom-response", { headers: { "content-length": "1" } }),
			`${A0}/config/headers/content-length`,
			/frames/,
		],
		[
			"a broken template",
			action("custom-response", { content: "${req." }),
			`${A0}/config/content`,
			/line 1/,
		],
		[
			"a back-reference",
			action("url-rewrite", { from: "(a)\\1", to: "" }),
			`${A0}/config/from`,
			/./,
		],
		[
			"an unknown format",
			action("url-rewrite", { from: "a", to: "b", format: "x" }),
			`${A0}/config/format`,
			/"nginx"/,
		],
		["a group too many", action("url-rewrite", { from: "a", to: "$2" }), `${A0}/config/to`, /\$2/],
		["metadata", action("log", { metadata: { a: null } }), `${A0}/config/metadata/a`, /null/],
		["no capacity", action("rate-limit", { rate: "60s" }), `${A0}/config/capacity`, /required/],
		["no rate", action("rate-limit", { capacity: 1 }), `${A0}/config/rate`, /required/],
		["capacity 0", limit({ capacity: 0 }), `${A0}/config/capacity`, /at least 1/],
		["capacity", limit({ capacity: 2_000_000_001 }), `${A0}/config/capacity`, /2000000000/],
		["50s", limit({ rate: "50s" }), `${A0}/config/rate`, /at least 1m/],
		["65s", limit({ rate: "65s" }), `${A0}/config/rate`, /10s/],
		["25h", limit({ rate: "25h" }), `${A0}/config/rate`, /24h/],
		[
			"an algorithm",
			limit({ algorithm: "token_bucket" }),
			`${A0}/config/algorithm`,
			/sliding_window/,
		],
		[
			"a key element",
			limit({ bucket_key: ["req.hots"] }),
			`${A0}/config/bucket_key/0`,
			/"req\.host"/,
		],
		[
			"one element twice",
			limit({ bucket_key: ["req.headers['x']", 'getReqHeader("X")'] }),
			`${A0}/config/bucket_key/1`,
			/same/,
		],
		[
			"11 elements",
			limit({ bucket_key: Array.from({ length: 11 }, (_, n) => `req.headers['h${n}']`) }),
			`${A0}/config/bucket_key`,
			/10/,
		],
	])("%s", async (_name, document, pointer, words) => {
		const problems = refusal(
			await server.api("PUT", POLICY, document),
			400,
			"ERR_INVALID_DOCUMENT",
		);
		expect([...problems.keys()]).toContain(pointer);
		expect(problems.get(pointer)).toMatch(words);
	});

	it("all problems of a document come at once", async () => {
		const document = {
			enabled: 1,
			inbound: [{ expressions: ["("], actions: [{ type: "x" }] }],
			outbound: [{ nme: "", actions: [{ type: "rate-limit" }] }],
		};
		const answer = await server.api("PUT", POLICY, document);
		expect([...refusal(answer, 400, "ERR_INVALID_DOCUMENT").keys()].sort()).toEqual([
			"/enabled",
			"/inbound/0/actions/0/type",
			"/inbound/0/expressions/0",
			"/outbound/0/actions/0/type",
			"/outbound/0/nme",
		]);
	});

	it("inside the wrapper that published clients send, too", async () => {
		const answer = await server.api("PUT", POLICY, { module: { enabled: 1 }, edge_id: "e" });
		const problems = refusal(answer, 400, "ERR_INVALID_DOCUMENT");
		expect([...problems.keys()]).toEqual(["/module/enabled"]);
	});
});

describe("what is not refused", () => {
	it("a wrapped policy is stored bare; operations answer", async () => {
		const wrapped = await server.must(
			server.api("PUT", POLICY, { module: KEPT, edge_id: "e", id: "r" }),
		);
		expect(Object.keys(JSON.parse(wrapped.body))).toEqual(["enabled", "inbound", "outbound"]);
		expect((await server.api("GET", "/readyz")).status).toBe(200);
		expect((await server.api("GET", "/metrics")).body).toMatch(/^weir_workers 2$/m);
		for (const path of ["/openapi.json", "/schemas/policy.json"])
			expect(JSON.parse((await server.must(server.api("GET", path))).body)).toBeTypeOf("object");
	});
});
