/**
 * A backend's answer that goes on from the native client's memory, without being JS's, reaches the client as one that rules
 * have seen: the same lines in the same order, the same body.
 */
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { addon } from "../../../src/native-addon.ts";
import { CONTINUE, get, RawClient, RawUpstream, startEdge, type TestEdge } from "../harness.ts";

const upstream = new RawUpstream();
let edge: TestEdge;
beforeAll(async () => {
	edge = await startEdge({ urls: [await upstream.listen()] });
});
afterEach(() => {
	vi.restoreAllMocks();
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
	const own = answer.chunked ? /^(?:date|content-length|transfer-encoding):/i : /^date:/i;
	return { statusLine, lines: lines.filter((line) => !own.test(line)), body };
};

/** Answers with a body and without rules that went on by their record. */
const records = (): number => vi.mocked(addon.sendRecord).mock.calls.length;

it("is the same whether or not rules have seen it", async () => {
	vi.spyOn(addon, "sendRecord");
	await fc.assert(
		fc.asyncProperty(given, async (answer) => {
			edge.setPolicy(undefined);
			const before = records();
			const asItCame = await received(answer);
			if (answer.body.length < 15_000) expect(records() - before).toBe(1);
			edge.setPolicy({ outbound: () => CONTINUE });
			const between = records();
			expect(asItCame).toEqual(await received(answer));
			expect(records()).toBe(between);
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

/** What becomes of attempts to have something else sent. */
const attempts = (handle: number, wrong: readonly unknown[]): Set<string> => {
	const send = addon.sendRecord;
	const outcomes = wrong.map((record) => {
		try {
			send(handle, "200 OK", record as number);
			return "sent";
		} catch (error) {
			return error instanceof TypeError ? "refused" : "failed";
		}
	});
	return new Set(outcomes);
};
const handleOf = (exchange: unknown): number =>
	(exchange as { client: { handle: number } }).client.handle;
const NEVER = [4096, 2 ** 31, 2 ** 32, -1, Number.NaN, "0", undefined];
const OK: Given = { status: "200 OK", lines: [], body: "ok", chunked: false };

it("of a batch that is over is refused instead of sending what is there", async () => {
	const outcomes: Set<string>[] = [];
	edge.setPolicy({
		inbound: (exchange) => {
			outcomes.push(attempts(handleOf(exchange), [0, 1, ...NEVER]));
			return CONTINUE;
		},
	});
	expect(await received(OK)).toMatchObject({ statusLine: "HTTP/1.1 200 OK", body: "ok" });
	expect(outcomes).toEqual([new Set(["refused"])]);
	edge.setPolicy(undefined);
});

it("is refused where a record of the batch that is being read is none of a whole answer, or there is none", async () => {
	const outcomes: Set<string>[] = [];
	edge.setPolicy({
		outbound: (exchange) => {
			// The first record is the head of an answer that goes on; behind the batch's own there are older ones.
			outcomes.push(attempts(handleOf(exchange), [0, 100, 4095, ...NEVER]));
			return CONTINUE;
		},
	});
	upstream.onRequest = (socket) => {
		socket.write("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nok");
		setTimeout(() => socket.write("ok"), 50);
	};
	const client = new RawClient(edge.port).send(get("/"));
	expect(await client.response("GET")).toMatchObject({ body: "okok" });
	client.destroy();
	expect(outcomes).toEqual([new Set(["refused"])]);
	edge.setPolicy(undefined);
});
