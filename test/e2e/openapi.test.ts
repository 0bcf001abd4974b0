/**
 * Calls every operation of `/openapi.json` on a real server, well and in each way in which it can be refused, and holds
 * every answer to what is described: status, code, fields, body. A new operation needs a row in `CASES`.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "./commands.ts";
import { Described, type Operation, statusOf } from "./described.ts";
import { type Answer, KEY, type Server, send, sendRaw, startServer } from "./harness.ts";

const EDGE = "/edges/https/{edge_id}";
const ROUTE = `${EDGE}/routes/{id}`;
const BUCKET = `${ROUTE}/rate-limits/{limit}/keys`;
const LIMIT = `${BUCKET}/{key}`;

const edge = (...hostports: string[]) => ({ hostports, description: "one", metadata: "" });
const route = (match: string) => ({
	...{ match_type: "path_prefix", match },
	backend: { urls: ["http://127.0.0.1:9"], connect_timeout_ms: 5, tls: undefined },
});
const LIMITED = {
	inbound: [
		{
			name: "limit",
			actions: [
				{
					type: "rate-limit",
					config: { capacity: 5, rate: "60s", bucket_key: ["conn.client_ip"] },
				},
				{ type: "rate-limit", config: { capacity: 5, rate: "60s" } },
				{ type: "restrict-ips", config: { lists: ["!l"] } },
			],
		},
	],
	outbound: [{ actions: [{ type: "log" }] }],
};
const UNTRUE = { tests: [{ name: "untrue", request: {}, expect: { status: 404 } }] };
const ENVELOPED = { value: JSON.stringify(UNTRUE) };
const ENVELOPE = { enabled: false, value: JSON.stringify(LIMITED) };

interface Case {
	/** `{edge_id}` and so on filled in; what it asks for is there */
	readonly path: string;
	/** what is sent, if something is */
	readonly body?: unknown;
	/** a path where the same body makes something new */
	readonly creates?: readonly [path: string, body: unknown];
	/** what is wrong with a body is what it answers */
	readonly judges?: boolean;
	/** it succeeds in a fleet alone: test/management/fleet */
	readonly needsFleet?: boolean;
	/** refusals of this operation alone, by code: what is sent */
	readonly refused?: Readonly<Record<string, readonly [path: string, body?: unknown]>>;
}

const ASKED = { request: { url: "http://e.example/x" } };

const e = "/edges/https/e";
const r = `${e}/routes/r`;

/** Of each operation: where it succeeds, and how it is refused for reasons that only it has. */
const CASES: Readonly<Record<string, Case>> = {
	"GET /edges/https": { path: "/edges/https?limit=1" },
	[`GET ${EDGE}`]: { path: e, refused: { ERR_EDGE_NOT_FOUND: ["/edges/https/no"] } },
	[`PUT ${EDGE}`]: {
		path: e,
		body: edge("e.example"),
		creates: ["/edges/https/new", edge("new.example")],
		refused: { ERR_HOSTPORT_CONFLICT: ["/edges/https/other", edge("e.example")] },
	},
	[`DELETE ${EDGE}`]: { path: e, refused: { ERR_EDGE_NOT_FOUND: ["/edges/https/no"] } },
	[`GET ${EDGE}/routes`]: {
		path: `${e}/routes`,
		refused: { ERR_EDGE_NOT_FOUND: ["/edges/https/no/routes"] },
	},
	[`GET ${ROUTE}`]: {
		path: r,
		refused: {
			ERR_EDGE_NOT_FOUND: ["/edges/https/no/routes/r"],
			ERR_ROUTE_NOT_FOUND: [`${e}/routes/no`],
		},
	},
	[`PUT ${ROUTE}`]: {
		path: r,
		body: route("/apiv1"),
		creates: [`${e}/routes/new`, route("/new/")],
		refused: {
			ERR_EDGE_NOT_FOUND: ["/edges/https/no/routes/r", route("/")],
			ERR_MATCH_CONFLICT: [`${e}/routes/second`, route("/r/")],
		},
	},
	[`DELETE ${ROUTE}`]: { path: r, refused: { ERR_ROUTE_NOT_FOUND: [`${e}/routes/no`] } },
	...Object.fromEntries(
		(
			[
				["policy", LIMITED],
				["traffic_policy", ENVELOPE],
			] as const
		).flatMap(([name, body]) => [
			[
				`GET ${ROUTE}/${name}`,
				{ path: `${r}/${name}`, refused: { ERR_POLICY_NOT_FOUND: [`${e}/routes/no/${name}`] } },
			],
			[
				`PUT ${ROUTE}/${name}`,
				{
					...{ path: `${r}/${name}`, body },
					refused: { ERR_TESTS_FAILED: [`${r}/${name}`, name === "policy" ? UNTRUE : ENVELOPED] },
				},
			],
			[
				`DELETE ${ROUTE}/${name}`,
				{ path: `${r}/${name}`, refused: { ERR_POLICY_NOT_FOUND: [`${e}/routes/no/${name}`] } },
			],
		]),
	),
	[`GET ${ROUTE}/policy/versions`]: {
		path: `${r}/policy/versions`,
		refused: { ERR_POLICY_NOT_FOUND: [`${e}/routes/no/policy/versions`] },
	},
	[`GET ${ROUTE}/policy/versions/{version}`]: {
		path: `${r}/policy/versions/1`,
		refused: { ERR_POLICY_VERSION_NOT_FOUND: [`${r}/policy/versions/9999`] },
	},
	[`POST ${ROUTE}/policy/rollback`]: {
		...{ path: `${r}/policy/rollback`, body: { to: 1 } },
		refused: {
			ERR_POLICY_VERSION_NOT_FOUND: [`${r}/policy/rollback`, { to: 9999 }],
		},
	},
	[`GET ${ROUTE}/policy`]: {
		path: `${r}/policy`,
		refused: {
			ERR_POLICY_NOT_FOUND: [`${e}/routes/no/policy`],
			ERR_INVALID_QUERY: [`${r}/policy?candidate=maybe`],
			ERR_CANDIDATE_NOT_FOUND: [`${e}/routes/no/policy?candidate=true`],
		},
	},
	[`DELETE ${ROUTE}/policy`]: {
		path: `${r}/policy`,
		refused: {
			ERR_POLICY_NOT_FOUND: [`${e}/routes/no/policy`],
			ERR_CANDIDATE_NOT_FOUND: [`${e}/routes/no/policy?candidate=true`],
		},
	},
	[`GET ${ROUTE}/rate-limits`]: {
		path: `${r}/rate-limits`,
		refused: { ERR_POLICY_NOT_FOUND: [`${e}/routes/no/rate-limits`] },
	},
	...Object.fromEntries(
		["GET", "DELETE"].map((method) => [
			`${method} ${LIMIT}`,
			{
				path: `${r}/rate-limits/0/keys/192.0.2.7`,
				refused: {
					ERR_POLICY_NOT_FOUND: [`${e}/routes/no/rate-limits/0/keys/x`],
					ERR_RATE_LIMIT_NOT_FOUND: [`${r}/rate-limits/7/keys/192.0.2.7`],
					ERR_INVALID_KEY: [`${r}/rate-limits/0/keys/a/b`],
				},
			} as const,
		]),
	),
	...Object.fromEntries(
		["GET", "DELETE"].map((method) => [
			`${method} ${BUCKET}`,
			{
				path: `${r}/rate-limits/1/keys`,
				refused: {
					ERR_POLICY_NOT_FOUND: [`${e}/routes/no/rate-limits/1/keys`],
					ERR_RATE_LIMIT_NOT_FOUND: [`${r}/rate-limits/7/keys`],
					ERR_INVALID_KEY: [`${r}/rate-limits/0/keys`],
				},
			} as const,
		]),
	),
	"POST /transactions": {
		path: "/transactions",
		body: { operations: [{ method: "PUT", path: e, document: edge("e.example") }] },
		refused: {
			ERR_TRANSACTION_REFUSED: [
				"/transactions",
				{ operations: [{ method: "DELETE", path: "/edges/https/no" }] },
			],
			ERR_TESTS_FAILED: [
				"/transactions",
				{ operations: [{ method: "PUT", path: `${r}/policy`, document: UNTRUE }] },
			],
		},
	},
	"GET /policies": { path: "/policies?unattached=false" },
	"GET /ip-lists": { path: "/ip-lists" },
	"GET /ip-lists/{list_id}": {
		path: "/ip-lists/l",
		refused: { ERR_IP_LIST_NOT_FOUND: ["/ip-lists/no"] },
	},
	"PUT /ip-lists/{list_id}": {
		path: "/ip-lists/l",
		body: { entries: ["192.0.2.0/24", "::1"], description: "two" },
		creates: ["/ip-lists/new", { entries: [] }],
	},
	"DELETE /ip-lists/{list_id}": {
		path: "/ip-lists/free",
		refused: {
			ERR_IP_LIST_NOT_FOUND: ["/ip-lists/no"],
			ERR_IP_LIST_IN_USE: ["/ip-lists/l"],
		},
	},
	"POST /ip-lists/{list_id}/entries": {
		path: "/ip-lists/l/entries",
		body: { add: ["192.0.2.9"], remove: [] },
		refused: { ERR_IP_LIST_NOT_FOUND: ["/ip-lists/no/entries", { add: ["::2"] }] },
	},
	"GET /fleet": { path: "/fleet", refused: { ERR_INVALID_QUERY: ["/fleet?state=well"] } },
	"GET /fleet/log": {
		...{ path: "/fleet/log", needsFleet: true },
		refused: { ERR_NO_FLEET: ["/fleet/log"], ERR_INVALID_QUERY: ["/fleet/log?limit=0"] },
	},
	"DELETE /fleet/members/{member_id}": {
		...{ path: "/fleet/members/m_1", needsFleet: true },
		refused: { ERR_NO_FLEET: ["/fleet/members/m_1"] },
	},
	[`GET ${ROUTE}/policy/candidate`]: {
		path: `${r}/policy/candidate`,
		refused: { ERR_CANDIDATE_NOT_FOUND: [`${e}/routes/no/policy/candidate`] },
	},
	[`PUT ${ROUTE}/policy/candidate`]: {
		path: `${r}/policy/candidate`,
		body: LIMITED,
		refused: { ERR_TESTS_FAILED: [`${r}/policy/candidate`, UNTRUE] },
	},
	[`DELETE ${ROUTE}/policy/candidate`]: {
		path: `${r}/policy/candidate`,
		refused: { ERR_CANDIDATE_NOT_FOUND: [`${e}/routes/no/policy/candidate`] },
	},
	[`GET ${ROUTE}/policy/candidate/report`]: {
		path: `${r}/policy/candidate/report`,
		refused: { ERR_CANDIDATE_NOT_FOUND: [`${e}/routes/no/policy/candidate/report`] },
	},
	[`POST ${ROUTE}/policy/candidate/promote`]: {
		path: `${r}/policy/candidate/promote`,
		refused: { ERR_CANDIDATE_NOT_FOUND: [`${e}/routes/no/policy/candidate/promote`] },
	},
	[`GET ${ROUTE}/policy/hits`]: {
		path: `${r}/policy/hits`,
		refused: { ERR_POLICY_NOT_FOUND: [`${e}/routes/no/policy/hits`] },
	},
	"POST /explain": {
		...{ path: "/explain", body: ASKED },
		refused: { ERR_INVALID_DOCUMENT: ["/explain", { ...ASKED, policy: { inbound: [{}] } }] },
	},
	[`POST ${ROUTE}/policy/explain`]: {
		...{ path: `${r}/policy/explain`, body: ASKED },
		refused: { ERR_ROUTE_NOT_FOUND: [`${e}/routes/no/policy/explain`, ASKED] },
	},
	"POST /explain-tokens": {
		...{ path: "/explain-tokens", body: { client_ip: "192.0.2.0/24", ttl_seconds: 1 } },
		refused: { ERR_INVALID_DOCUMENT: ["/explain-tokens", {}] },
	},
	"GET /decisions/{key}": {
		path: "/decisions/a-refused-request",
		refused: { ERR_DECISION_NOT_FOUND: ["/decisions/no"] },
	},
	"POST /policy/check": { path: "/policy/check", body: LIMITED, judges: true },
	"GET /policy/language": { path: "/policy/language" },
	"GET /live/events": { path: "/live/events" },
	"GET /live/routes": {
		path: "/live/routes?q=r",
		refused: { ERR_INVALID_QUERY: ["/live/routes?page=0"] },
	},
	"GET /live/refusals": { path: "/live/refusals" },
	"GET /live/limits": { path: "/live/limits" },
	"GET /ui/{key}": {
		path: "/ui/",
		creates: ["/ui", undefined],
		refused: { ERR_NOT_FOUND: ["/ui/no"], ERR_INVALID_KEY: ["/ui/%zz"] },
	},
	"GET /healthz": { path: "/healthz" },
	"GET /readyz": { path: "/readyz" },
	"GET /metrics": { path: "/metrics" },
	"GET /openapi.json": { path: "/openapi.json" },
	...Object.fromEntries(
		["policy", "edge", "route", "ip-list", "resources", "config"].map((name) => [
			`GET /schemas/${name}.json`,
			{ path: `/schemas/${name}.json` },
		]),
	),
};

/** What the server can't be brought to here, and which tests bring it to it. */
const ELSEWHERE: Readonly<Record<string, string>> = {
	ERR_REQUEST_TIMEOUT: "test/e2e/management-front: a client that sends a byte now and then",
	[`POST ${ROUTE}/policy/rollback, ERR_TESTS_FAILED`]:
		"test/management/resources/policy-versions: tests that held when the version was stored",
	ERR_KEY_EXPIRED: "test/e2e/api-keys: a key that runs out",
	ERR_STORE_LOST: "test/e2e/store-lost: the files are removed",
	ERR_STORE_FULL: "test/e2e/full-disk",
	ERR_INTERNAL: "test/management/server: a handler that throws",
	ERR_TOO_MANY_EXPLAIN_TOKENS: "test/e2e/explain-live: as many tokens as there may be",
	ERR_TOO_MANY_STREAMS: "test/management/resources/live: as many streams as there may be",
	ERR_NOT_READY: "test/management/operations, resources/policies and resources/rate-limits",
	ERR_FLEET_MEMBER_NOT_FOUND: "test/management/fleet/fleet-members",
	ERR_FLEET_READ_ONLY: "test/management/fleet/fleet-door, as the others of a fleet",
	ERR_FLEET_LEVEL: "test/management/fleet/fleet-door",
	ERR_FLEET_UNAVAILABLE: "test/management/fleet/fleet-door",
	ERR_FLEET_UNCERTAIN: "test/management/fleet/fleet-door",
	ERR_IP_LIST_FULL: "test/management/resources/ip-lists: as many lists and entries as there may be",
};

let server: Server;
let described: Described;
let lesserKey = "";
beforeAll(async () => {
	// so that a request may say its id
	server = await startServer({ workers: 1, config: { trusted_proxies: ["127.0.0.1"] } });
	await send(server.port, "/", { headers: { "x-request-id": "a-refused-request" } });
	const keys = ["keys", "create", "--role", "metrics", "--json", "--data-dir"];
	lesserKey = JSON.parse((await run(...keys, `${server.folder}/data`)).stdout).key;
	described = new Described(JSON.parse((await server.api("GET", "/openapi.json")).body));
});
afterAll(() => server?.cleanUp());

/** Everything that a case asks for is there, whatever an operation before has done. */
async function layOut(): Promise<void> {
	for (const [path, body] of [
		[e, edge("e.example")],
		["/ip-lists/l", { entries: ["192.0.2.1"] }],
		["/ip-lists/free", { entries: [] }],
		[r, route("/r/")],
		[`${r}/policy`, LIMITED],
		[`${r}/policy/candidate`, LIMITED],
	] as const)
		await server.must(server.api("PUT", path, body));
}

/** A whole answer as it came over the wire. */
function parsed(received: string): Answer {
	const [head = "", ...rest] = received.split("\r\n\r\n");
	const [line = "", ...fields] = head.split("\r\n");
	const headers = fields.map((field) => [
		field.slice(0, field.indexOf(":")).toLowerCase(),
		field.slice(field.indexOf(":") + 1).trim(),
	]);
	const body = rest.join("\r\n\r\n").trimEnd();
	return {
		status: Number(line.split(" ")[1]),
		headers: Object.fromEntries(headers),
		rawHeaders: [],
		body,
	};
}

const raw = async (lines: readonly string[]): Promise<Answer> =>
	parsed(
		(
			await sendRaw(server.managementPort, `${lines.join("\r\n")}\r\n\r\n`, (text) =>
				/\}\s*$/.test(text),
			)
		).received,
	);

/** The header of an answer that does not end by itself. */
const begun = async (path: string): Promise<Answer> => {
	const lines = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${KEY}\r\n\r\n`;
	const isBegun = (text: string) => text.includes("\r\n\r\n");
	return parsed((await sendRaw(server.managementPort, lines, isBegun)).received);
};

/** Every way in which an operation can be refused, whatever it does: by code, what asks for it. */
function usualRefusals(
	{ method, pattern, parameters, role, takesBody }: Operation,
	{ path, body, judges = false }: Case,
): [code: string, () => Promise<Answer>][] {
	const api =
		(headers: Record<string, string>, to = path, sent = body) =>
		() =>
			server.api(method, to, sent, headers);
	const line = (version: string) => `${method} ${path} HTTP/${version}`;
	const fields = ["Host: localhost", `Authorization: Bearer ${KEY}`];
	const isPaged = parameters.some((each) => each.in === "query" && each.name === "limit");
	const hasId = parameters.some((parameter) => parameter.in === "path" && parameter.name !== "key");
	const has = (name: string) => parameters.some((parameter) => parameter.name === name);
	const withoutKey = () => send(server.managementPort, path, { method });
	const noId = pattern.replace(/\{\w+\}/, "%20").replaceAll(/\{\w+\}/g, "0");
	const list: [boolean, string, () => Promise<Answer>][] = [
		[true, "ERR_BAD_REQUEST", () => raw([line("1.1"), ...fields, "Content-Length: x"])],
		[true, "ERR_CROSS_ORIGIN", api({ origin: "http://evil.example" })],
		[
			true,
			"ERR_URI_TOO_LONG",
			() => raw([`${method} ${path}?${"x".repeat(70_000)} HTTP/1.1`, ...fields]),
		],
		[true, "ERR_EXPECTATION_FAILED", () => raw([line("1.1"), ...fields, "Expect: x"])],
		[true, "ERR_UNKNOWN_HOST", api({ host: "evil.example" })],
		[true, "ERR_HEADER_TOO_LARGE", () => raw([line("1.1"), ...fields, `X: ${"x".repeat(70_000)}`])],
		[
			true,
			"ERR_UNSUPPORTED_TRANSFER_ENCODING",
			() => raw([line("1.1"), ...fields, "Transfer-Encoding: gzip, chunked"]),
		],
		[true, "ERR_VERSION_NOT_SUPPORTED", () => raw([line("2.7"), ...fields])],
		[role !== undefined, "ERR_UNAUTHORIZED", withoutKey],
		[role !== undefined, "ERR_FORBIDDEN", api({ authorization: "Bearer wrong" })],
		[
			role !== undefined && role !== "metrics",
			"ERR_ROLE_REQUIRED",
			api({ authorization: `Bearer ${lesserKey}` }),
		],
		[role !== undefined, "ERR_UNSUPPORTED_VERSION", api({ "service-version": "1" })],
		[hasId, "ERR_INVALID_ID", api({}, noId)],
		[method !== "GET", "ERR_INVALID_QUERY", api({}, `${path}?wait=fleet`)],
		[isPaged, "ERR_INVALID_QUERY", api({}, `${path.split("?")[0]}?limit=0`)],
		[takesBody && !judges, "ERR_INVALID_JSON", api({}, path, "{")],
		[takesBody && !judges, "ERR_INVALID_DOCUMENT", api({}, path, { surprise: 1 })],
		[takesBody, "ERR_UNSUPPORTED_MEDIA_TYPE", api({ "content-type": "text/plain" })],
		[
			takesBody,
			"ERR_BODY_TOO_LARGE",
			() =>
				raw([line("1.1"), ...fields, "Content-Type: application/json", "Content-Length: 99999999"]),
		],
		[has("If-Match"), "ERR_PRECONDITION_FAILED", api({ "if-match": '"x"' })],
	];
	return list.filter(([holds]) => holds).map(([, code, ask]) => [code, ask]);
}

describe("every operation", () => {
	it("has a case here, and no other has one", () => {
		for (const { name } of described.operations)
			expect(
				CASES[name],
				`/openapi.json has ${name}: add a row to CASES in test/e2e/openapi.test.ts, with a path (and a body) for which it succeeds, and one path for each code that only it answers with`,
			).toBeDefined();
		const names = described.operations.map(({ name }) => name);
		expect(Object.keys(CASES).filter((name) => !names.includes(name))).toEqual([]);
	});

	it("succeeds as it is described", async () => {
		for (const operation of described.operations) {
			const { path, body, creates, needsFleet } = CASES[operation.name] as Case;
			if (needsFleet === true) continue;
			await layOut();
			const answers = [
				operation.streams ? await begun(path) : await server.api(operation.method, path, body),
			];
			if (creates !== undefined) answers.push(await server.api(operation.method, ...creates));
			const { etag } = answers[0]?.headers ?? {};
			if (operation.method === "GET" && etag !== undefined) {
				answers.push(await server.api("GET", path, undefined, { "if-none-match": etag }));
			}
			if (operation.takesYaml) {
				await layOut();
				const yaml = { "content-type": "application/yaml" };
				answers.push(await server.api(operation.method, path, JSON.stringify(body), yaml));
			}
			expect(answers.flatMap((answer) => described.complaints(operation, answer))).toEqual([]);
			const statuses = new Set(answers.map(({ status }) => String(status)));
			expect([operation.name, ...[...statuses].sort()]).toEqual([
				operation.name,
				// 202 is said in a fleet alone, test/management/fleet
				...operation.successes.filter((status) => status !== "202"),
			]);
		}
	});

	it("is refused as it is described, in every way that is", async () => {
		await layOut();
		for (const operation of described.operations) {
			const own = CASES[operation.name] as Case;
			const asked = [
				...usualRefusals(operation, own),
				...Object.entries(own.refused ?? {}).map(
					([code, [path, body]]) => [code, () => server.api(operation.method, path, body)] as const,
				),
			];
			for (const [code, ask] of asked) {
				const answer = await ask();
				const said = answer.body.startsWith("{") ? JSON.parse(answer.body).error_code : answer.body;
				const what = `${operation.name}, ${code}`;
				expect([what, answer.status, said]).toEqual([what, statusOf(code), code]);
				expect(described.complaints(operation, answer)).toEqual([]);
			}
			const seen = new Set(asked.map(([code]) => code));
			const isElsewhere = (code: string) =>
				code in ELSEWHERE || `${operation.name}, ${code}` in ELSEWHERE;
			const unseen = operation.codes.filter((code) => !seen.has(code) && !isElsewhere(code));
			expect(
				unseen,
				`${operation.name} may answer with these, says /openapi.json: bring it to it, by "refused" of its row in CASES`,
			).toEqual([]);
		}
	});
});
