/**
 * Contract 6: other spellings of hosts, field names, methods and codings don't slip past a policy. Raw bytes through
 * a real server, once for each setting.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	type Server,
	sendRaw,
	startServer,
	startUpstream,
	type TestUpstream,
	until,
} from "./harness.ts";

interface Got {
	readonly status: number;
	readonly body: string;
	readonly allow: string | undefined;
}

/** One request on a connection of its own. @param lines without their ends; bytes as latin1 */
async function ask(server: Server, requestLine: string, ...lines: string[]): Promise<Got> {
	const text = [`${requestLine} HTTP/1.1`, ...lines, "connection: close", "", ""].join("\r\n");
	const { received } = await sendRaw(server.port, Buffer.from(text, "latin1"));
	const [head = "", body = ""] = received.split("\r\n\r\n");
	return {
		status: Number(head.split(" ")[1]),
		body,
		allow: /^allow: (.*)$/im.exec(head)?.[1]?.trim(),
	};
}

let upstream: TestUpstream;
beforeAll(async () => {
	upstream = await startUpstream();
});
afterAll(() => upstream.close());

/** What the upstream got of the last request, as `name: value`. */
const lastLines = (): string[] => {
	const raw = upstream.seen.at(-1)?.rawHeaders ?? [];
	return raw.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${raw[at + 1]}`] : []));
};

async function serving(
	config: Record<string, unknown>,
	policy: object | undefined,
	use: (server: Server) => Promise<void>,
): Promise<void> {
	const server = await startServer({ workers: 1, config });
	try {
		await server.route(upstream.port);
		if (policy !== undefined) await server.policy(policy);
		await use(server);
	} finally {
		await server.cleanUp();
	}
}

const SHOW = {
	inbound: [
		{
			expressions: ["req.url.path == '/show'"],
			actions: [
				{
					type: "custom-response",
					config: {
						content:
							"${req.host} ${endpoint.host} ${req.url.host} ${req.headers.exists(n, n.matches('[_.]'))}",
					},
				},
			],
		},
		{
			expressions: ["req.url.path == '/limited'"],
			actions: [
				{
					type: "rate-limit",
					config: { capacity: 1, rate: "60s", bucket_key: ["req.headers['host']"] },
				},
			],
		},
	],
};
const MERGED = [
	"x_admin: 1",
	"X_Forwarded_For: 6.6.6.6",
	"X-Forwarded.For: 6.6.6.6",
	"content_length: 5",
	"x-kept: 2",
];

describe("with the defaults", () => {
	it("hosts, methods, names and codings have one spelling each", () =>
		serving({}, SHOW, async (server) => {
			for (const host of ["name.example", "NAME.Example.", "name.example:80", "Name.example.:81"]) {
				const { status, body } = await ask(server, "GET /show", `host: ${host}`);
				expect([status, body]).toEqual([200, "name.example name.example name.example false"]);
			}
			for (const host of ["name.example..", "name..example", ".name.example", ".", ".."]) {
				expect((await ask(server, "GET /show", `host: ${host}`)).status).toBe(400);
			}

			expect((await ask(server, "GET /limited", "host: key.example")).status).toBe(200);
			for (const host of ["key.example:80", "KEY.example", "key.example.", "KEY.example.:81"]) {
				expect((await ask(server, "GET /limited", `host: ${host}`)).status).toBe(429);
			}

			const reached = upstream.seen.length;
			for (const method of ["post", "Get", "trace", "cOnNeCt", "pATCH"]) {
				expect((await ask(server, `${method} /x`, "host: h")).status).toBe(400);
			}
			const trace = await ask(server, "TRACE /x", "host: h");
			expect([trace.status, trace.allow]).toEqual([
				405,
				"GET, HEAD, POST, PUT, DELETE, OPTIONS, PATCH",
			]);
			const kelvin = "transfer-encoding: chun\xe2\x84\xaaed";
			expect((await ask(server, "POST /x", "host: h", kelvin)).status).toBe(501);
			expect(upstream.seen.length).toBe(reached);

			expect((await ask(server, "GET /show", "host: h", ...MERGED)).body).toBe("h h h false");
			const forged = ["Forwarded: for=6.6.6.6;proto=https", ...MERGED];
			expect((await ask(server, "GET /x", "host: h", ...forged)).status).toBe(200);
			expect(lastLines().join("\n")).not.toMatch(/_|d\.for|forwarded: for|6\.6\.6\.6/i);
			expect(lastLines()).toContain("x-kept: 2");
			const series = 'weir_underscored_fields_total{action="drop"}';
			await until(
				async () => ((await server.metric(series)) === 8 ? true : undefined),
				"eight dropped fields to be counted",
			);
		}));
});

describe("with settings of its own", () => {
	it("underscores pass, TRACE passes, a trusted peer's forwarded passes", () =>
		serving(
			{ underscores_in_headers: "pass", allow_trace: true, trusted_proxies: ["127.0.0.1"] },
			SHOW,
			async (server) => {
				expect((await ask(server, "GET /show", "host: h", "x_admin: 1")).body).toBe("h h h true");
				const forwarded = "forwarded: for=6.6.6.6;proto=https";
				const { status } = await ask(server, "TRACE /x", "host: h", "x_admin: 1", forwarded);
				expect(status).toBe(200);
				expect(upstream.seen.at(-1)?.method).toBe("TRACE");
				expect(lastLines()).toEqual(expect.arrayContaining(["x_admin: 1", forwarded]));
			},
		));

	it("underscores are refused", () =>
		serving({ underscores_in_headers: "refuse" }, undefined, async (server) => {
			const reached = upstream.seen.length;
			expect((await ask(server, "GET /x", "host: h", "x_admin: 1")).status).toBe(400);
			expect(upstream.seen.length).toBe(reached);
			expect((await ask(server, "GET /x", "host: h", "x-admin: 1")).status).toBe(200);
			const series = 'weir_underscored_fields_total{action="refuse"}';
			expect(await server.metric(series)).toBe(1);
		}));
});
