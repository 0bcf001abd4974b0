/**
 * A backend's answer that goes on from the native client's memory, without being JS's, reaches the client as one that rules
 * have seen: the same lines in the same order, the same body.
 */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addon } from "../../../src/native-addon.ts";
import { CONTINUE, get, RawClient, RawUpstream, startEdge, type TestEdge } from "../harness.ts";

const upstream = new RawUpstream();
let edge: TestEdge;
beforeAll(async () => {
	edge = await startEdge({ urls: [await upstream.listen()] });
});
afterAll(async () => {
	await edge.close();
	await upstream.close();
});

interface Given {
	readonly status: string;
	readonly lines: readonly string[];
	readonly body: string;
	readonly chunked: boolean;
}

const given: fc.Arbitrary<Given> = fc.record({
	status: fc.constantFrom("200 OK", "201 Made", "299 x", "404 Not Found", "503 "),
	lines: fc.array(
		fc.constantFrom(
			...["x-a: 1", "X-A:2", "b: \t t\xe9\xff ", "set-cookie: a=b; c", "empty:"],
			...["connection: x-a", "keep-alive: 5", "date: never", "server: them", "via: 1.1 z"],
		),
		{ maxLength: 12 },
	),
	body: fc.oneof(
		fc
			.string({ unit: "binary", maxLength: 40 })
			.map((text) => Buffer.from(text).toString("latin1")),
		fc.integer({ min: 15_300, max: 17_000 }).map((size) => "body ".repeat(4000).slice(0, size)),
	),
	chunked: fc.boolean(),
});

const messageOf = ({ status, lines, body, chunked }: Given): string => {
	const framing = chunked ? "transfer-encoding: chunked" : `content-length: ${body.length}`;
	const head = [`HTTP/1.1 ${status}`, ...lines, framing].join("\r\n");
	if (!chunked) return `${head}\r\n\r\n${body}`;
	const chunk = body === "" ? "" : `${body.length.toString(16)}\r\n${body}\r\n`;
	return `${head}\r\n\r\n${chunk}0\r\n\r\n`;
};

const received = async (answer: Given) => {
	upstream.onRequest = (socket) => socket.write(Buffer.from(messageOf(answer), "latin1"));
	const client = new RawClient(edge.port).send(get("/"));
	const { statusLine, lines, body } = await client.response("GET");
	client.destroy();
	// When it is, and how the body is framed where its length was not told, may differ.
	const own = /^(?:date|content-length|transfer-encoding):/i;
	return { statusLine, lines: lines.filter((line) => !own.test(line)), body };
};

it("is the same whether or not rules have seen it", async () => {
	await fc.assert(
		fc.asyncProperty(given, async (answer) => {
			edge.setPolicy(undefined);
			const asItCame = await received(answer);
			edge.setPolicy({ outbound: () => CONTINUE });
			expect(asItCame).toEqual(await received(answer));
			expect(asItCame.body).toBe(answer.body);
		}),
		{ numRuns: 150 },
	);
	edge.setPolicy(undefined);
});

it("is told of in the log by the bytes of its body", async () => {
	edge.setPolicy({
		inbound: (exchange) => {
			exchange.log("x");
			return CONTINUE;
		},
	});
	const before = edge.lines.length;
	await received({ status: "200 OK", lines: [], body: "77".repeat(40), chunked: false });
	expect(edge.lines.slice(before)).toMatchObject([{ fields: { status: 200, bytes_out: 80 } }]);
	edge.setPolicy(undefined);
});

it("of a batch that is over, or of none, is refused instead of sending what is there", async () => {
	const tried: string[] = [];
	const attempt = (exchange: unknown): void => {
		const { handle } = (exchange as { client: { handle: number } }).client;
		for (const record of [0, 1, 4096, -1, Number.NaN, "0"]) {
			try {
				addon.sendRecord(handle, "200 OK", record as number);
				tried.push("sent");
			} catch (error) {
				tried.push(error instanceof TypeError ? "refused" : "failed");
			}
		}
	};
	edge.setPolicy({
		inbound: (exchange) => {
			attempt(exchange);
			return CONTINUE;
		},
	});
	const answer = { status: "200 OK", lines: [], body: "ok", chunked: false };
	expect(await received(answer)).toMatchObject({ statusLine: "HTTP/1.1 200 OK", body: "ok" });
	expect(new Set(tried)).toEqual(new Set(["refused"]));
	edge.setPolicy(undefined);
});
