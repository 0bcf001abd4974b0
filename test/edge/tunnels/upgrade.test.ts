/**
 * Upgrades over a whole edge, byte by byte (contract 6, "Upgrades"): what the backend is asked for, which of its answers
 * open a tunnel, what rules do to them, and what comes around both heads.
 */
import { Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { acceptFor } from "../../../src/http/upgrade.ts";
import { logSettings } from "../../observing.ts";
import {
	CONTINUE,
	get,
	RawClient,
	RawUpstream,
	startEdge,
	type TestEdge,
	type TestEdgeOptions,
} from "../harness.ts";
import { ManualEvaluator, suspended } from "../manual-evaluator.ts";

const KEY = "dGhlIHNhbXBsZSBub25jZQ==";
const ASKING = [
	"Upgrade: websocket",
	"Connection: keep-alive, Upgrade",
	`Sec-WebSocket-Key: ${KEY}`,
	"Sec-WebSocket-Version: 13",
];
const HANDSHAKE = get("/chat?room=1", ...ASKING);
const agree = (...lines: string[]): string =>
	[
		"HTTP/1.1 101 Switching",
		"Upgrade: WebSocket",
		"Connection: Upgrade",
		`Sec-WebSocket-Accept: ${acceptFor(KEY)}`,
		...lines,
		"",
		"",
	].join("\r\n");

const closing: (() => unknown)[] = [];
afterEach(async () => {
	for (const close of closing.splice(0).reverse()) await close();
});

/** @param answer of the backend to every request; what comes behind is echoed */
async function world(answer: string, options: Omit<TestEdgeOptions, "urls"> = {}) {
	const upstream = new RawUpstream();
	const heads: string[] = [];
	/** what tunnels brought */
	const state = { received: "", closed: 0, connections: 0 };
	upstream.onConnection = (socket) => {
		state.connections++;
		let head = "";
		socket.on("data", (data: Buffer) => {
			if (head.includes("\r\n\r\n") && heads.at(-1)?.startsWith("GET /chat") === true) {
				state.received += data.toString("latin1");
				socket.write(data);
				return;
			}
			head += data.toString("latin1");
			const end = head.indexOf("\r\n\r\n") + 4;
			if (end === 3) return;
			heads.push(head.slice(0, end));
			const rest = head.slice(end);
			state.received += rest;
			const isAsking = head.startsWith("GET /chat");
			socket.write(isAsking ? answer : "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok", "latin1");
			socket.write(rest, "latin1");
			if (!isAsking || !answer.startsWith("HTTP/1.1 101")) head = "";
		});
		socket.on("close", () => state.closed++);
	};
	const edge = await startEdge({ urls: [await upstream.listen()], ...options });
	closing.push(
		() => upstream.close(),
		() => edge.close(),
	);
	const client = (socket?: Socket) => {
		const made = new RawClient(edge.port, socket?.connect(edge.port, "127.0.0.1"));
		closing.push(() => made.destroy());
		return made;
	};
	return { edge, heads, state, client, upstream };
}

/** The 101's header, taken off. */
async function opened(client: RawClient): Promise<readonly string[]> {
	await client.until(({ received, closed }) => closed || received.includes("\r\n\r\n"));
	const end = client.received.indexOf("\r\n\r\n");
	const lines = client.received.slice(0, end).split("\r\n");
	client.received = client.received.slice(end + 4);
	return lines;
}

const metric = ({ metrics }: TestEdge, name: string): number => metrics.snapshot()[name] ?? 0;
const gone = async (state: { readonly closed: number }, many = 1): Promise<void> => {
	const deadline = Date.now() + 5000;
	while (state.closed < many) {
		if (Date.now() > deadline) throw new Error("the backend's connection stays open");
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
};
const codeOf = ({ body }: { readonly body: string }): unknown => JSON.parse(body).error_code;

describe("a backend that agrees", () => {
	it("is asked with the usual lines, and the client gets its 101", async () => {
		const { heads, client } = await world(
			agree("Sec-WebSocket-Protocol: chat", "X-A: 1", "X-A: 2"),
		);
		const lines = await opened(client().send(HANDSHAKE));
		expect(heads[0]?.trimEnd().split("\r\n").sort()).toEqual(
			[
				"GET /chat?room=1 HTTP/1.1",
				"host: h.example",
				`sec-websocket-key: ${KEY}`,
				"sec-websocket-version: 13",
				...["x-forwarded-for: 127.0.0.1", "x-forwarded-proto: http"],
				...["x-forwarded-host: h.example", "via: 1.1 weir"],
				...["connection: upgrade", "upgrade: websocket"],
			].sort(),
		);
		const [status, ...fields] = lines;
		expect(status).toBe("HTTP/1.1 101 Switching Protocols");
		expect(fields.filter((line) => !line.startsWith("date: "))).toEqual([
			`Sec-WebSocket-Accept: ${acceptFor(KEY)}`,
			"Sec-WebSocket-Protocol: chat",
			...["X-A: 1", "X-A: 2", "connection: upgrade", "upgrade: websocket"],
		]);
		expect(fields.filter((line) => line.startsWith("date: "))).toHaveLength(1);
	});

	it("bytes behind either head come first, in order", async () => {
		const { state, client } = await world(`${agree()}hello `);
		const each = client().send(`${HANDSHAKE}GET /x HTTP/1.1\r\n\r\n`);
		await opened(each);
		each.send("later");
		const expected = "hello GET /x HTTP/1.1\r\n\r\nlater";
		await each.until(({ received }) => received.length >= expected.length);
		expect(each.received).toBe(expected);
		expect(state.received).toBe("GET /x HTTP/1.1\r\n\r\nlater");
	});

	it("to another protocol, of another method, is a tunnel as well", async () => {
		const answer = "HTTP/1.1 101 x\r\nconnection: upgrade\r\nupgrade: foo/1\r\n\r\n";
		const { heads, client, edge } = await world(answer);
		const asking = get("/chat", "Upgrade: h2c, Foo/1, bar", "Connection: upgrade");
		const each = client().send(asking);
		const lines = await opened(each);
		expect(lines).toContain("upgrade: foo/1");
		expect(heads[0]).toContain("\r\nupgrade: foo/1, bar\r\n");
		each.send("\0\xff");
		await each.until(({ received }) => received === "\0\xff");
		expect(metric(edge, "weir_tunnels_open")).toBe(1);
	});

	it("is counted as a request with 101 and as a tunnel, logged at both moments", async () => {
		const { edge, client } = await world(agree(), {
			config: { log: logSettings({ access: true }) },
		});
		const each = client().send(`${HANDSHAKE}abc`);
		await opened(each);
		await each.until(({ received }) => received === "abc");
		expect(metric(edge, 'weir_requests_total{class="1xx"}')).toBe(1);
		expect(metric(edge, "weir_requests_in_flight")).toBe(0);
		expect(metric(edge, "weir_tunnels_opened_total")).toBe(1);
		each.destroy();
		await each.untilClosed();
		const isEnded = () => metric(edge, 'weir_tunnels_ended_total{by="client"}') === 1;
		await client().until(isEnded);
		expect(metric(edge, "weir_tunnels_open")).toBe(0);
		expect(metric(edge, 'weir_tunnel_bytes_total{direction="in"}')).toBe(3);
		expect(metric(edge, 'weir_tunnel_bytes_total{direction="out"}')).toBe(3);
		expect(
			edge.lines.map(({ message, fields }) => [message, fields.status, fields.ended_by]),
		).toEqual([
			["request", 101, undefined],
			["tunnel ended", undefined, "client"],
		]);
	});
});

describe("an end of one side", () => {
	it("the client's: what the backend still says arrives", async () => {
		const { client, upstream, state } = await world(agree());
		const each = client().send(HANDSHAKE);
		await opened(each);
		const [socket] = upstream.sockets;
		if (socket !== undefined) socket.allowHalfOpen = true;
		let isEnded = false;
		socket?.on("end", () => {
			isEnded = true;
		});
		each.send("last words");
		each.socket.end();
		await each.until(({ received }) => isEnded && received === "last words");
		expect(state.received).toBe("last words");
		socket?.end(" and an answer");
		await each.untilClosed();
		expect(each.received).toBe("last words and an answer");
	});

	it("the backend's: what the client still says arrives", async () => {
		const { client, upstream, state } = await world(agree());
		const socket = new Socket({ allowHalfOpen: true });
		const each = client(socket).send(HANDSHAKE);
		await opened(each);
		const [behind] = upstream.sockets;
		let isEnded = false;
		socket.on("end", () => {
			isEnded = true;
		});
		behind?.end("bye");
		await each.until(({ received }) => isEnded && received === "bye");
		each.send("still here");
		await each.until(() => state.received === "still here");
		socket.end();
		await gone(state);
	});

	it.each(["client", "backend"] as const)("a reset of the %s ends both", async (who) => {
		const { client, upstream, state, edge } = await world(agree());
		const each = client().send(HANDSHAKE);
		await opened(each);
		if (who === "client") each.socket.resetAndDestroy();
		else for (const socket of upstream.sockets) socket.resetAndDestroy();
		await each.untilClosed();
		await gone(state);
		await each.until(() => metric(edge, `weir_tunnels_ended_total{by="${who}"}`) === 1);
	});
});

describe("a backend that does not", () => {
	it.each([
		["200", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nno", 200],
		["426", "HTTP/1.1 426 x\r\ncontent-length: 2\r\nsec-websocket-version: 7\r\n\r\nno", 426],
		[
			"403 in chunks",
			"HTTP/1.1 403 x\r\ntransfer-encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n",
			403,
		],
	])("%s is handed over, and the connection goes on with what waits", async (_, answer, status) => {
		const { client, edge } = await world(answer);
		const each = client().send(HANDSHAKE + get("/next"));
		const refused = await each.response();
		expect([refused.status, refused.body]).toEqual([status, "no"]);
		expect(await each.response()).toMatchObject({ status: 200, body: "ok" });
		expect(metric(edge, "weir_tunnels_opened_total")).toBe(0);
	});

	it.each([
		["a wrong accept", agree().replace(acceptFor(KEY), acceptFor("x"))],
		["no accept", agree().replace(/Sec-WebSocket-Accept.*\r\n/, "")],
		["another protocol", agree().replace("WebSocket", "h2c")],
		["no upgrade", agree().replace(/Upgrade: W.*\r\n/, "")],
		["no connection", agree().replace(/Connection.*\r\n/, "")],
	])("%s is 502, and its connection is dropped", async (_, answer) => {
		const { client, edge, state } = await world(`${answer}more`);
		const each = client().send(HANDSHAKE + get("/next"));
		const refused = await each.response();
		expect(refused.status).toBe(502);
		expect(["ERR_UPGRADE_FAILED", "ERR_UPSTREAM_FAILED"]).toContain(codeOf(refused));
		expect(await each.response()).toMatchObject({ status: 200, body: "ok" });
		await gone(state);
		const reasons = edge.lines.map(({ fields }) => String(fields.reason));
		expect(reasons.join()).toContain("its 101");
	});

	it("by a 101 that nobody asked for is 502 as ever", async () => {
		const { client } = await world(agree());
		const refused = await client().send(get("/chat")).response();
		expect([refused.status, codeOf(refused)]).toEqual([502, "ERR_UPSTREAM_FAILED"]);
	});

	it("because it is gone is 502, and no tunnel", async () => {
		const { client, upstream, edge } = await world(agree());
		await upstream.close();
		const refused = await client().send(HANDSHAKE).response();
		expect([refused.status, codeOf(refused)]).toEqual([502, "ERR_UPSTREAM_FAILED"]);
		expect(metric(edge, "weir_requests_in_flight")).toBe(0);
	});
});

describe("rules", () => {
	it("that deny end the handshake before the backend hears of it", async () => {
		const { client, edge, heads } = await world(agree());
		edge.setPolicy({ inbound: () => ({ kind: "deny", statusCode: 401 }) });
		const each = client().send(HANDSHAKE + get("/next"));
		expect((await each.response()).status).toBe(401);
		expect((await each.response()).status).toBe(401);
		expect(heads).toEqual([]);
	});

	it("see the 101, and what they add reaches the client", async () => {
		const { client, edge } = await world(agree("X-Secret: 1"));
		const seen: unknown[] = [];
		edge.setPolicy({
			outbound(exchange) {
				seen.push(exchange.responseStatusCode, exchange.responseHeaders.lines("upgrade"));
				exchange.addHeaders("outbound", [["x-added", "1"]]);
				exchange.removeHeaders("outbound", ["x-secret"]);
				return CONTINUE;
			},
		});
		const lines = await opened(client().send(HANDSHAKE));
		expect(seen).toEqual([101, ["WebSocket"]]);
		expect(lines).toContain("x-added: 1");
		expect(lines.join()).not.toContain("X-Secret");
	});

	it("may replace it, which closes the backend's connection", async () => {
		const { client, edge, state } = await world(agree());
		edge.setPolicy({
			outbound: () => ({ kind: "respond", statusCode: 403, headers: [], content: "no" }),
		});
		const each = client().send(HANDSHAKE + get("/next"));
		expect(await each.response()).toMatchObject({ status: 403, body: "no" });
		await gone(state);
		expect((await each.response()).status).toBe(403);
		expect(metric(edge, "weir_tunnels_opened_total")).toBe(0);
	});

	it.each(["the client waits", "the client leaves", "the backend leaves"])(
		"may take their time: %s",
		async (what) => {
			const evaluator = new ManualEvaluator();
			const { client, edge, state, upstream } = await world(`${agree()}hello`, { evaluator });
			edge.setPolicy({
				outbound: () => suspended("outbound"),
				resume: () => CONTINUE,
			});
			const each = client().send(`${HANDSHAKE}abc`);
			const asked = await evaluator.next();
			if (what === "the client leaves") {
				each.destroy();
				await gone(state);
				expect(metric(edge, "weir_requests_in_flight")).toBe(0);
				return;
			}
			if (what === "the backend leaves") {
				for (const socket of upstream.sockets) socket.resetAndDestroy();
				await gone(state);
			}
			expect(each.received).toBe("");
			asked.settle(true);
			const [status] = await opened(each);
			if (what === "the client waits") {
				expect(status).toContain("101");
				await each.until(({ received }) => received === "helloabc");
			} else {
				// What it sent first may still come; then the end.
				await each.until(
					({ closed, received }) => closed || received.includes("ERR_UPSTREAM_FAILED"),
				);
			}
			each.destroy();
		},
	);
});

describe("bounds", () => {
	it("max_tunnels: one more is 503, until one ends", async () => {
		const { client, edge } = await world(agree(), { backend: { max_tunnels: 1 } });
		const first = client().send(HANDSHAKE);
		await opened(first);
		const refused = await client().send(HANDSHAKE).response();
		expect([refused.status, codeOf(refused)]).toEqual([503, "ERR_TOO_MANY_TUNNELS"]);
		first.destroy();
		await client().until(() => metric(edge, "weir_tunnels_open") === 0);
		expect((await opened(client().send(HANDSHAKE)))[0]).toContain("101");
	});

	it("two that come at once are one too many as well", async () => {
		const { client } = await world(agree(), { backend: { max_tunnels: 1 } });
		const both = [client().send(HANDSHAKE), client().send(HANDSHAKE)];
		const lines = await Promise.all(both.map(opened));
		expect(lines.map(([status]) => Number(status?.split(" ")[1])).sort()).toEqual([101, 503]);
	});

	it("a silent tunnel ends after its idle time, one that is used does not", async () => {
		const { client, edge, state } = await world(agree(), {
			backend: { tunnel_idle_timeout_ms: 600 },
		});
		const [silent, used] = [client().send(HANDSHAKE), client().send(HANDSHAKE)];
		await Promise.all([opened(silent), opened(used)]);
		const beat = setInterval(() => used.send("x"), 50);
		closing.push(() => clearInterval(beat));
		await silent.untilClosed();
		expect(used.closed).toBe(false);
		expect(metric(edge, 'weir_tunnels_ended_total{by="idle"}')).toBe(1);
		await gone(state);
	});
});

it("h2c and http2-settings are dropped, and the request is proxied as any other", async () => {
	const { client, heads } = await world(agree());
	const lines = ["Upgrade: h2c", "Connection: Upgrade, HTTP2-Settings", "HTTP2-Settings: AAMA"];
	expect(
		await client()
			.send(get("/next", ...lines))
			.response(),
	).toMatchObject({ status: 200 });
	expect(heads[0]).not.toMatch(/upgrade|settings/i);
});

it.each([
	["POST", HANDSHAKE.replace("GET", "POST"), 400],
	["without a key", HANDSHAKE.replace(/Sec-WebSocket-Key.*\r\n/, ""), 400],
	["version 8", HANDSHAKE.replace("Version: 13", "Version: 8"), 426],
	["HTTP/1.0", HANDSHAKE.replace("HTTP/1.1", "HTTP/1.0"), 400],
])("a handshake with %s is refused, and the backend hears nothing", async (_, asking, status) => {
	const { client, heads } = await world(agree());
	const refused = await client().send(asking).response();
	expect(refused.status).toBe(status);
	expect(refused.header("sec-websocket-version")).toBe(status === 426 ? "13" : undefined);
	expect(heads).toEqual([]);
});

it("without the front a WebSocket is 501", async () => {
	const { client } = await world(agree(), { withoutFront: true });
	expect((await client().send(HANDSHAKE).response()).status).toBe(501);
});
