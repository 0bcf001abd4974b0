/** An explanation from a question to its answer, in this thread: routes, refusals, responses, address lists. */
import { describe, expect, it } from "vitest";
import { type Config, configSchema } from "../../src/config.ts";
import run, { type ExplainTask } from "../../src/explain/explain-task.ts";
import { type Explanation, explainSchema } from "../../src/explain/shapes.ts";
import { policySchema } from "../../src/policy/document/schema.ts";

const file = configSchema.parse({});
const CONFIG = {
	listen: [{ host: "127.0.0.1", port: 8080, tls: [], proxyProtocol: false }],
	...{ trustedProxies: ["10.0.0.1"], underscoresInHeaders: "drop", allowTrace: false },
	...{ expressionErrors: "reject", rateLimits: { ipv6Prefix: 64 }, geoDatabase: null },
	...{ requestId: file.request_id, tracing: { endpoint: null }, log: {} },
} as unknown as Config;

const ROUTE = {
	...{
		edge_id: "e",
		route_id: "r",
		hostport: "*",
		match_type: "path_prefix",
		match: "/",
		why: "",
		reached: true,
	},
	document: {
		match_type: "path_prefix" as const,
		match: "/",
		backend: { urls: ["http://127.0.0.1:9"], host_header: "backend.example" },
	},
};

async function explained(
	request: object,
	rest: { policy?: object; response?: object } = {},
	more: Partial<ExplainTask> = {},
) {
	const { policy, response } = rest;
	const question = explainSchema.parse({ request, ...(response && { response }) });
	const answer = await run({
		...{ question, config: CONFIG, route: ROUTE, near: [], source: "stored", etag: "x" },
		...{ lists: [], limits: [], nowMs: Date.UTC(2026, 0, 2) },
		policy: policy && { document: policySchema.parse(policy), key: JSON.stringify(policy) },
		...more,
	});
	if ("explanation" in answer) return answer.explanation;
	throw new Error(JSON.stringify(answer));
}

const url = "http://a.example/x?y=1";

describe("what goes upstream", () => {
	it("has the header that the data path makes", async () => {
		const { upstream, answer, outbound } = await explained({
			url,
			headers: { "X-A": ["1", "2"], Connection: "x-b", "x-b": "3" },
		});
		expect(upstream).toEqual({
			urls: ["http://127.0.0.1:9"],
			...{ method: "GET", target: "/x?y=1" },
			headers: [
				["host", "backend.example"],
				["x-a", "1"],
				["x-a", "2"],
				["x-forwarded-for", "127.0.0.1"],
				["x-forwarded-proto", "http"],
				["x-forwarded-host", "a.example"],
				["via", "1.1 weir"],
			],
		});
		expect([answer, outbound.outcome]).toEqual([null, "not_run"]);
	});

	it("is about the client that a trusted proxy names", async () => {
		const { request } = await explained({
			url,
			client_ip: "10.0.0.1",
			headers: { "x-forwarded-for": "192.0.2.9" },
		});
		expect(request.client_ip).toBe("192.0.2.9");
	});

	it("tells the changes of rules", async () => {
		const { inbound, upstream } = await explained(
			{ url },
			{
				policy: {
					inbound: [
						{ actions: [{ type: "url-rewrite", config: { from: "/x", to: "/z" } }] },
						{ actions: [{ type: "add-headers", config: { headers: { "x-now": "${time.now}" } } }] },
						{
							actions: [
								{ type: "remove-headers", config: { headers: ["x-gone"] } },
								{ type: "log", config: { metadata: { a: 1 } } },
							],
						},
					],
				},
			},
		);
		expect(
			inbound.rules.flatMap(({ actions }) => actions.flatMap(({ effects }) => effects)),
		).toEqual([
			{ kind: "rewrite_url", before: url, after: "http://a.example/z?y=1" },
			{ kind: "add_headers", lines: [["x-now", "2026-01-02T00:00:00Z"]] },
			{ kind: "remove_headers", names: [] },
			{ kind: "log", metadata: { a: 1 } },
		]);
		expect(upstream?.target).toBe("/z?y=1");
	});
});

describe("answers of weir's own", () => {
	it.each<[request: object, by: string, status: number]>([
		[{ url, method: "get" }, "refused", 400],
		[{ url: "http://a.example/a%00b" }, "refused", 400],
		[{ url, headers: { "content-length": "1", "transfer-encoding": "chunked" } }, "refused", 400],
		[{ url, headers: { via: Array.from({ length: 10 }, () => "1.1 weir") } }, "loop", 508],
	])("%o", async (request, by, status) => {
		expect((await explained(request)).answer).toMatchObject({ by, status });
	});

	it("where there is no route", async () => {
		const { answer, route } = await explained({ url }, {}, { route: undefined });
		expect([answer?.status, route]).toEqual([404, null]);
	});

	it("closes the connection", async () => {
		const { answer } = await explained(
			{ url },
			{ policy: { inbound: [{ actions: [{ type: "close-connection", config: {} }] }] } },
		);
		expect(answer).toMatchObject({ by: "closed", status: 0 });
	});

	it("shows a custom-response to outbound rules", async () => {
		const told = await explained(
			{ url },
			{
				policy: {
					inbound: [
						{
							actions: [
								{
									type: "custom-response",
									config: { status_code: 418, content: "${req.url.path}" },
								},
							],
						},
					],
					outbound: [
						{
							expressions: ["res.status_code == 418"],
							actions: [{ type: "add-headers", config: { headers: { "x-o": "1" } } }],
						},
					],
				},
			},
		);
		expect(told.outbound.rules[0]?.state).toBe("applied");
		expect(told.answer).toMatchObject({ status: 418, content: "/x", by: "respond" });
		expect(told.answer?.headers).toContainEqual(["x-o", "1"]);
	});
});

describe("a response", () => {
	const outbound = [
		{
			expressions: ["res.status_code == 500"],
			actions: [{ type: "custom-response", config: { status_code: 503 } }],
		},
		{
			expressions: ["res.content_length == 7"],
			actions: [{ type: "remove-headers", config: { headers: ["x-b"] } }],
		},
	];
	const headers = { "X-B": "1", "X-C": "2", connection: "close" };

	it("passes, changed", async () => {
		const { answer } = await explained(
			{ url },
			{ policy: { outbound }, response: { headers, body_length: 7 } },
		);
		expect(answer).toEqual({ by: "backend", status: 200, headers: [["x-c", "2"]], content: null });
	});
	it("has no length where it can have no body, however it was framed", async () => {
		const deny = { type: "custom-response", config: { status_code: 418 } };
		const rule = { expressions: ["res.content_length == 0"], actions: [deny] };
		const answered = async (method: string, status: number) => {
			const response = { status, body_length: "chunked" };
			const told = await explained({ url, method }, { policy: { outbound: [rule] }, response });
			return told.answer?.status;
		};
		expect([await answered("HEAD", 200), await answered("GET", 204)]).toEqual([418, 418]);
		expect(await answered("GET", 200)).toBe(200);
	});
	it("is replaced", async () => {
		const { answer } = await explained(
			{ url },
			{ policy: { outbound }, response: { status: 500, headers } },
		);
		expect(answer).toMatchObject({ by: "respond", status: 503 });
	});
});

describe("address lists", () => {
	it("are asked for once, and kept", async () => {
		const policy = { inbound: [{ actions: [{ type: "restrict-ips", config: { lists: ["l"] } }] }] };
		const task = { lists: [{ name: "l", key: "l 1" }] };
		await expect(explained({ url }, { policy }, task)).rejects.toThrow('{"lists":["l"]}');
		const answers: Explanation["answer"][] = [];
		const given = { lists: [{ name: "l", key: "l 1", entries: "192.0.2.0/24 2001:db8::/32" }] };
		answers.push((await explained({ url }, { policy }, given)).answer);
		answers.push((await explained({ url, client_ip: "192.0.2.1" }, { policy }, task)).answer);
		expect(answers.map((each) => each?.status)).toEqual([403, undefined]);
	});
});

describe("questions", () => {
	it.each([
		[{ url, headers: { "a b": "x" } }, "must be the name of a header field"],
		[{ url, headers: { a: "x\r\ny" } }, "no line ends"],
		[{ url, client_ip: "1.2.3" }, "IPv4 or IPv6"],
	])("refuse %o", (request, sentence) => {
		expect(explainSchema.safeParse({ request }).error?.message).toContain(sentence);
	});
});
