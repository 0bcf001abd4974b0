/**
 * Contract 6 over the real server: what is refused, what is passed on, and how, with two workers and
 * raw sockets where a well-behaved client can't say it.
 */
import {
	connect,
	createServer as createTcpServer,
	type Socket,
	type Server as TcpServer,
} from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	type Server,
	send,
	sendRaw,
	startServer,
	startUpstream,
	type TestUpstream,
} from "./harness.ts";

let server: Server;
let upstream: TestUpstream;
beforeAll(async () => {
	upstream = await startUpstream();
	server = await startServer({ workers: 2 });
	await server.route(upstream.port);
});
afterAll(async () => {
	await server?.cleanUp();
	await upstream?.close();
});

/** @param got told what there is so far @returns what came behind the header, and whether a reset was its end */
function askHttp10(
	path: string,
	got: (received: string) => unknown = () => {},
): Promise<{ body: string; reset: boolean }> {
	const socket = connect(server.port, "127.0.0.1");
	socket.write(`GET ${path} HTTP/1.0\r\nhost: a.example\r\n\r\n`);
	let [received, reset] = ["", false];
	socket.on("data", (bytes) => {
		received += bytes;
		got(received);
	});
	socket.on("error", (error) => {
		reset = (error as NodeJS.ErrnoException).code === "ECONNRESET";
	});
	return new Promise((resolve) => {
		socket.on("close", () => {
			resolve({ body: received.slice(received.indexOf("\r\n\r\n") + 4), reset });
		});
	});
}

const statusOf = (received: string): number => Number(/^HTTP\/1\.1 (\d{3}) /.exec(received)?.[1]);

describe("requests that could desynchronise are refused and the connection closed", () => {
	const post = (headers: string, body = ""): string =>
		`POST / HTTP/1.1\r\nhost: a.example\r\n${headers}\r\n\r\n${body}`;
	it.each([
		["two content-lengths", post("content-length: 1\r\ncontent-length: 2", "ab"), 400],
		["the same content-length twice", post("content-length: 1\r\ncontent-length: 1", "a"), 400],
		["an empty content-length", post("content-length: "), 400],
		["a malformed content-length", post("content-length: 1x", "a"), 400],
		["a signed content-length", post("content-length: +1", "a"), 400],
		["both framings", post("content-length: 1\r\ntransfer-encoding: chunked", "0\r\n\r\n"), 400],
		["an unknown transfer-encoding", post("transfer-encoding: xchunked", "0\r\n\r\n"), 501],
		["a listed transfer-encoding", post("transfer-encoding: gzip, chunked", "0\r\n\r\n"), 501],
		["an empty host", "GET / HTTP/1.1\r\nhost: \r\n\r\n", 400],
		["a repeated host", "GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n", 400],
		[
			"bytes that arrive changed",
			Buffer.from("GET /\xff HTTP/1.1\r\nhost: a\r\n\r\n", "latin1"),
			400,
		],
	])("%s", async (_name, bytes, status) => {
		const before = upstream.seen.length;
		const { received, closed } = await sendRaw(server.port, bytes);
		expect(statusOf(received)).toBe(status);
		expect(closed).toBe(true);
		expect(received.match(/HTTP\/1\.1 /g)).toHaveLength(1);
		expect(upstream.seen.length).toBe(before);
	});
});

describe("what goes upstream", () => {
	it("keeps target, order, duplicates and values; drops hop-by-hop; adds the forwarding fields", async () => {
		const bytes = [
			"GET /a%2fb//c?q='%20| HTTP/1.1",
			"Host: a.example:81",
			"X-One: 1",
			"Cookie: a=1",
			"X-Two: caf\u00e9 au lait",
			"X-One: 2",
			"Connection: x-gone, keep-alive",
			"X-Gone: yes",
			"TE: trailers",
			"Keep-Alive: 5",
			"X-Forwarded-For: 1.2.3.4",
			"Accept: */*",
		].join("\r\n");
		await sendRaw(server.port, Buffer.from(`${bytes}\r\n\r\n`), (got) => got.includes("upstream"));
		const seen = upstream.seen.at(-1);
		expect(seen?.target).toBe("/a%2fb//c?q='%20|");
		const pairs: [string, string][] = [];
		const raw = seen?.rawHeaders ?? [];
		for (let i = 0; i < raw.length; i += 2)
			pairs.push([
				(raw[i] ?? "").toLowerCase(),
				Buffer.from(raw[i + 1] ?? "", "latin1").toString("utf8"),
			]);
		const own = pairs.filter(([name]) => /^(x-one|x-two|cookie|accept|host)$/.test(name));
		expect(own.filter(([name]) => name !== "host")).toEqual([
			["x-one", "1"],
			["cookie", "a=1"],
			["x-two", "café au lait"],
			["x-one", "2"],
			["accept", "*/*"],
		]);
		const value = (name: string) => pairs.filter(([each]) => each === name).map(([, text]) => text);
		expect(value("host")).toEqual(["a.example:81"]);
		expect(value("x-forwarded-for")).toEqual(["127.0.0.1"]);
		expect(value("x-forwarded-proto")).toEqual(["http"]);
		expect(value("x-forwarded-host")).toEqual(["a.example:81"]);
		expect(value("via")[0]).toMatch(/^1\.1 /);
		for (const name of ["x-gone", "te", "keep-alive"]) expect(value(name)).toEqual([]);
	});

	it("streams request bodies of both framings", async () => {
		const body = "x".repeat(300_000);
		const sized = await send(server.port, "/sized", { method: "PUT", body });
		expect(sized.status).toBe(200);
		expect(upstream.seen.at(-1)).toMatchObject({ method: "PUT", body });
		const chunked =
			"POST /c HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
		await sendRaw(server.port, chunked, (got) => got.includes("upstream"));
		expect(upstream.seen.at(-1)).toMatchObject({ body: "abcde" });
	});

	it("answers expect: 100-continue and sends the body on", async () => {
		const bytes =
			"POST /e HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n";
		const { received } = await sendRaw(server.port, `${bytes}ok`, (got) =>
			got.includes("upstream"),
		);
		expect(received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
		expect(upstream.seen.at(-1)?.body).toBe("ok");
	});
});

describe("what comes back", () => {
	it("keeps status, order, duplicates and length; drops hop-by-hop", async () => {
		upstream.headers = {
			"set-cookie": ["a=1", "b=2"],
			"x-kept": "yes",
			connection: "x-gone",
			"x-gone": "1",
			"content-length": "8",
		};
		upstream.status = 201;
		const answer = await server.get("/");
		expect(answer.status).toBe(201);
		expect(answer.headers["set-cookie"]).toEqual(["a=1", "b=2"]);
		expect(answer.headers).toMatchObject({ "x-kept": "yes", "content-length": "8" });
		expect(answer.headers["x-gone"]).toBeUndefined();
		expect(answer.rawHeaders.filter((name) => name.toLowerCase() === "date")).toHaveLength(1);
		upstream.headers = { "content-type": "text/plain" };
		upstream.status = 200;
	});

	it("HEAD, 204 and 304 carry no body and keep the connection usable", async () => {
		upstream.headers = { "content-length": "8" };
		const two = (first: string): string => `${first} / HTTP/1.1\r\nhost: a\r\n\r\n`;
		const head = await sendRaw(server.port, two("HEAD"), (got) => got.includes("\r\n\r\n"));
		expect(head.received).toMatch(/content-length: 8\r\n/i);
		expect(head.received.endsWith("\r\n\r\n")).toBe(true);
		upstream.headers = {};
		upstream.body = "";
		for (const status of [204, 304]) {
			upstream.status = status;
			const answer = await server.get("/");
			expect([answer.status, answer.body]).toEqual([status, ""]);
		}
		upstream.status = 200;
		upstream.body = "upstream";
		upstream.headers = { "content-type": "text/plain" };
	});
});

describe("a backend that fails", () => {
	const scripted: TcpServer[] = [];
	afterAll(() => {
		for (const each of scripted) each.close();
	});
	const backend = (script: (socket: Socket) => void): Promise<number> =>
		new Promise((resolve) => {
			const tcp = createTcpServer((socket) => {
				socket.on("error", () => {});
				script(socket);
			}).listen(0, "127.0.0.1", () => resolve((tcp.address() as { port: number }).port));
			scripted.push(tcp);
		});
	const routeTo = async (path: string, port: number, extra = {}): Promise<void> => {
		await server.must(
			server.api("PUT", `/edges/https/e/routes/r${path.replace("/", "-")}`, {
				match_type: "path_prefix",
				match: path,
				backend: { urls: [`http://127.0.0.1:${port}`], ...extra },
			}),
		);
	};

	it("that refuses is 502, and outbound rules see it", async () => {
		const closed = await backend(() => {});
		const [tcp] = scripted.splice(-1);
		await new Promise((resolve) => tcp?.close(resolve));
		await routeTo("/refused", closed);
		expect((await server.get("/refused")).status).toBe(502);
		await server.must(
			server.api("PUT", "/edges/https/e/routes/r-refused/policy", {
				outbound: [
					{
						expressions: ["res.status_code == 502"],
						actions: [{ type: "custom-response", config: { status_code: 503, content: "sorry" } }],
					},
				],
			}),
		);
		expect(await server.get("/refused")).toMatchObject({ status: 503, body: "sorry" });
	});

	it("that never answers is 504", async () => {
		await routeTo("/silent", await backend(() => {}), { response_timeout_ms: 200 });
		expect((await server.get("/silent")).status).toBe(504);
	});

	it("that speaks no HTTP is 502", async () => {
		const port = await backend((socket) =>
			socket.once("data", () => socket.end("nonsense\r\n\r\n")),
		);
		await routeTo("/nonsense", port);
		expect((await server.get("/nonsense")).status).toBe(502);
	});

	it("that dies in the middle of a body resets the client, never a short body that looks complete", async () => {
		const sized = await backend((socket) =>
			socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort")),
		);
		await routeTo("/short", sized);
		await expect(server.get("/short")).rejects.toThrow();
		const chunked = await backend((socket) =>
			socket.once("data", () =>
				socket.end("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nshort\r\n"),
			),
		);
		await routeTo("/torn", chunked);
		await expect(server.get("/torn")).rejects.toThrow();
	});

	it("resets a client of HTTP/1.0, to which the end of the connection is that of the body", async () => {
		let tear = (): void => {};
		const torn = await backend((socket) => {
			tear = () => socket.destroy();
			socket.once("data", () =>
				socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nshort\r\n"),
			);
		});
		await routeTo("/torn10", torn);
		// Not before the client has what there is: Node takes a reset right behind bytes for an end.
		const client = askHttp10("/torn10", (received) => received.endsWith("short") && tear());
		expect(await client).toEqual({ body: "short", reset: true });
	});

	it("that answers until it closes is passed on whole", async () => {
		const port = await backend((socket) =>
			socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\n\r\nuntil close")),
		);
		await routeTo("/until", port);
		expect(await server.get("/until")).toMatchObject({ status: 200, body: "until close" });
		expect(await askHttp10("/until")).toMatchObject({ body: "until close", reset: false });
	});

	it("is told when the client goes", async () => {
		let gone = (): void => {};
		const left = new Promise<void>((resolve) => {
			gone = resolve;
		});
		let reached = (): void => {};
		const waiting = new Promise<void>((resolve) => {
			reached = resolve;
		});
		const port = await backend((socket) => {
			socket.once("data", () => reached());
			socket.on("close", () => gone());
		});
		await routeTo("/leave", port);
		const client = connect(server.port, "127.0.0.1", () =>
			client.write("GET /leave HTTP/1.1\r\nhost: a\r\n\r\n"),
		);
		await waiting;
		client.destroy();
		await left;
	});
});

describe("normalisation", () => {
	it("lets no spelling of a path slip past a policy, and sends the target as the policy saw it", async () => {
		await server.policy({
			inbound: [
				{ expressions: ["req.url.path.startsWith('/admin')"], actions: [{ type: "deny" }] },
			],
		});
		for (const path of [
			"/admin",
			"/%61dmin",
			"/x/../admin",
			"/./admin",
			"/x/%2e%2e/admin",
			"/%2E/admin/x",
		]) {
			const bytes = `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;
			const { received } = await sendRaw(server.port, bytes, (got) => got.includes("\r\n\r\n"));
			expect([path, statusOf(received)]).toEqual([path, 403]);
		}
		await sendRaw(server.port, "GET /x/%2e/y HTTP/1.1\r\nhost: a\r\n\r\n", (got) =>
			got.includes("upstream"),
		);
		expect(upstream.seen.at(-1)?.target).toBe("/x/y");
	});
});
