/** A response that an upstream hands over whole reaches the client as one that comes bit by bit. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { RawResponseHead, type WholeResponse } from "../../../src/upstream/response-head.ts";
import type { ResponseSink, UpstreamFactory } from "../../../src/upstream/upstream.ts";
import { NO_CALL, NO_LOAD } from "../../upstream/idle.ts";
import { CONTINUE, get, post, RawClient, startEdge, type TestEdge } from "../harness.ts";
import { until } from "../manual-evaluator.ts";

let hand: (sink: ResponseSink) => void = () => {};
let aborts = 0;
const upstreamFactory: UpstreamFactory = () => ({
	send(_request, sink) {
		setImmediate(() => hand(sink));
		return { ...NO_CALL, resume() {}, abort: () => aborts++ };
	},
	...NO_LOAD,
	close: () => Promise.resolve(),
});

let edge: TestEdge;
beforeAll(async () => {
	edge = await startEdge({ urls: ["http://127.0.0.1:1"], upstreamFactory });
});
afterAll(() => edge.close());

interface Given {
	readonly status: number;
	readonly lines: readonly string[];
	/** characters of the body */
	readonly size: number;
	readonly sized: boolean;
}
const bodyOf = ({ status, size }: Given, method: string): Buffer =>
	Buffer.alloc(status === 204 || status === 304 || method === "HEAD" ? 0 : size, "body ");
const lengthOf = ({ size, sized }: Given): number => (sized ? size : -1);
const headOf = (lines: readonly string[]): RawResponseHead => {
	const head = RawResponseHead.from(lines.map((text) => Buffer.from(text, "latin1")));
	if (head === undefined) throw new Error("no header");
	return head;
};

const wholeOf = (lines: readonly string[], body: Buffer): WholeResponse => {
	const head = headOf(lines);
	return {
		...{ passed: head.passed, ascii: head.ascii, lines: () => head.lines(), body: () => body },
		...{ passedBytes: head.passed.length, bodyBytes: body.length, record: -1 },
	};
};

async function received(given: Given, method: string, whole: boolean) {
	hand = (sink) => {
		const body = bodyOf(given, method);
		if (whole) {
			sink.onWhole(given.status, wholeOf(given.lines, body), lengthOf(given));
			// The memory is the upstream's, which goes on with it.
			body.fill("!");
			return;
		}
		sink.onResponse(given.status, headOf(given.lines), lengthOf(given));
		if (body.length > 0) sink.onData(body);
		sink.onEnd();
	};
	const client = new RawClient(edge.port).send(get("/").replace("GET", method));
	const { statusLine, lines, body } = await client.response(method);
	client.destroy();
	// What is there whole needs no chunks, though its length wasn't told.
	const framing = /^(?:content-length|transfer-encoding):/i;
	const others = lines.filter((line) => !/^date:/i.test(line));
	const passed = given.sized ? others : others.filter((line) => !framing.test(line));
	return { statusLine, lines: new Set(passed), body };
}

const given: fc.Arbitrary<Given> = fc.record({
	status: fc.constantFrom(200, 201, 204, 299, 304, 404),
	lines: fc
		.array(fc.constantFrom(["X-A", "1"], ["b", "t\xe9"], ["Via", ""]))
		.map((all) => all.flat()),
	size: fc.oneof(fc.nat(100), fc.integer({ min: 15_700, max: 16_500 }), fc.constant(70_000)),
	sized: fc.boolean(),
});

it.each([
	["with no rule that sees it", undefined],
	["with rules that let it pass", { outbound: () => CONTINUE }],
])("%s", async (_, phases) => {
	edge.setPolicy(phases);
	await fc.assert(
		fc.asyncProperty(given, fc.constantFrom("GET", "HEAD"), async (given, method) => {
			expect(await received(given, method, true)).toEqual(await received(given, method, false));
		}),
		{ numRuns: 60 },
	);
	edge.setPolicy(undefined);
});

it("shorter or longer than its length resets the client", async () => {
	for (const length of [3, 10]) {
		hand = (sink) => sink.onWhole(200, wholeOf([], Buffer.from("hello")), length);
		const client = await new RawClient(edge.port).send(get("/")).untilClosed();
		const [, told, body = ""] =
			/length: (\d+)[\s\S]*?\r\n\r\n([\s\S]*)/i.exec(client.received) ?? [];
		expect(Number(told)).not.toBe(body.length);
	}
});

it("is counted, and there are as many bytes in the log as in the body", async () => {
	edge.setPolicy({
		inbound: (exchange) => {
			exchange.log("x");
			return CONTINUE;
		},
	});
	const before = edge.lines.length;
	await received({ status: 200, lines: [], size: 77, sized: true }, "GET", true);
	expect(edge.lines.slice(before)).toMatchObject([{ fields: { status: 200, bytes_out: 77 } }]);
	expect(edge.metrics.snapshot().weir_requests_in_flight).toBe(0);
	edge.setPolicy(undefined);
});

it("before the request's body is complete drops the upstream, and the connection goes on", async () => {
	hand = (sink) => sink.onWhole(200, wholeOf([], Buffer.from("ok")), 2);
	aborts = 0;
	const request = post("/", "0123456789");
	const client = new RawClient(edge.port).send(request.slice(0, -5));
	expect((await client.response()).body).toBe("ok");
	await until(() => aborts === 1);
	client.send(request.slice(-5) + get("/"));
	expect((await client.response()).body).toBe("ok");
	client.destroy();
});

it("for a client that has left is thrown away", async () => {
	let sink: ResponseSink | undefined;
	hand = (each) => {
		sink = each;
	};
	aborts = 0;
	const client = new RawClient(edge.port).send(get("/"));
	await until(() => sink !== undefined);
	client.destroy();
	await until(() => aborts === 1);
	sink?.onWhole(200, wholeOf([], Buffer.from("ok")), 2);
	expect(edge.metrics.snapshot().weir_requests_in_flight).toBe(0);
});
