/** What an upstream says while outbound rules wait: kept, and handed on in order; first alone, then over sockets. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BufferedResponse } from "../../../src/edge/proxying/buffered-response.ts";
import type { Outcome } from "../../../src/policy/exchange.ts";
import {
	ask,
	CONTINUE,
	get,
	post,
	RawClient,
	RawUpstream,
	startEdge,
	type TestEdge,
} from "../harness.ts";
import { ManualEvaluator, suspended, until } from "../manual-evaluator.ts";

describe("a held response", () => {
	it("hands on what it kept, as if it came only then", () => {
		fc.assert(
			fc.property(
				fc.array(fc.tuple(fc.uint8Array({ minLength: 1 }), fc.boolean())),
				fc.constantFrom("ended", "failed", "goes on"),
				(chunks, then) => {
					const held = new BufferedResponse();
					const heard: unknown[] = [];
					for (const [chunk] of chunks) {
						const memory = chunk.slice();
						expect(held.data(memory)).toBe(false);
						// Whoever gave it uses its memory again.
						memory.fill(0);
					}
					if (then === "ended") held.end();
					if (then === "failed") held.fail("broken", "reset");
					const resume = held.handOver({
						onResponse() {},
						onData(chunk) {
							const [, taken] = chunks[heard.length] ?? [];
							heard.push(chunk);
							return taken === true;
						},
						onEnd: () => heard.push("ended"),
						onWhole: () => heard.push("whole"),
						onError: (failure, message) => heard.push(`${failure}: ${message}`),
					});
					const end = { ended: ["ended"], failed: ["broken: reset"], "goes on": [] }[then] ?? [];
					expect(heard).toEqual([...chunks.map(([chunk]) => chunk), ...end]);
					// Whoever was told to wait and has been taken everything of may go on.
					expect(resume).toBe(then === "goes on" && chunks.at(-1)?.[1] === true);
				},
			),
		);
	});
});

describe("a response whose outbound rules wait", () => {
	const upstream = new RawUpstream();
	const evaluator = new ManualEvaluator();
	let edge: TestEdge;
	beforeAll(async () => {
		edge = await startEdge({ urls: [await upstream.listen()], evaluator });
	});
	afterAll(async () => {
		await edge.close();
		await upstream.close();
	});

	const afterWaiting = (outcome: Outcome): void =>
		edge.setPolicy({
			outbound: (exchange) => (exchange.url.path === "/light" ? CONTINUE : suspended("outbound")),
			resume: (exchange) => {
				// Header lines are there however long it took.
				exchange.log({ seen: exchange.responseHeaders.lines("x-from").join() });
				return outcome;
			},
		});
	const respond: Outcome = { kind: "respond", statusCode: 203, headers: [], content: "instead" };
	const answer = (text: string): void => {
		upstream.onRequest = (socket) => void socket.write(Buffer.from(text, "latin1"));
	};
	const HEAD = "HTTP/1.1 200 OK\r\nx-from: upstream\r\n";

	it.each([
		["sized", 5, `${HEAD}content-length: 5\r\n\r\nhello`],
		["chunked", 5, `${HEAD}transfer-encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n`],
		["empty", 0, `${HEAD}content-length: 0\r\n\r\n`],
		["without a body", 0, "HTTP/1.1 204 No Content\r\nx-from: upstream\r\n\r\n"],
	])("passes whole: %s", async (_, length, text) => {
		afterWaiting(CONTINUE);
		answer(text);
		const client = new RawClient(edge.port);
		for (const method of ["GET", "GET", "HEAD"]) {
			if (method === "HEAD") answer(text.slice(0, text.indexOf("\r\n\r\n") + 4));
			client.send(get("/").replace("GET", method));
			const asked = await evaluator.next();
			expect((await ask(edge.port, get("/light").replace("GET", method))).status).toBeLessThan(300);
			expect(client.received).toBe("");
			asked.settle(true);
			const response = await client.response(method);
			expect(response.header("x-from")).toBe("upstream");
			expect(response.body).toBe(method === "HEAD" ? "" : "hello".slice(0, length));
		}
		client.destroy();
		expect(edge.lines.at(-1)?.fields).toMatchObject({
			traffic_policy: { logs: [{ metadata: { seen: "upstream" } }] },
		});
	});

	it("is held back at the upstream, and passes whole afterwards", async () => {
		afterWaiting(CONTINUE);
		const body = "abcdefgh".repeat(1 << 21);
		let written = 0;
		let taken = false;
		upstream.onRequest = (socket) => {
			socket.write(`${HEAD}content-length: ${body.length}\r\n\r\n`);
			taken = false;
			socket.write(body, () => {
				taken = true;
			});
			written += 1;
		};
		const client = new RawClient(edge.port).send(get("/"));
		const asked = await evaluator.next();
		for (let round = 0; round < 20; round++) await new Promise((resolve) => setImmediate(resolve));
		expect([written, taken, client.received]).toEqual([1, false, ""]);
		asked.settle(true);
		await client.until(({ received }) => received.length > body.length);
		expect((await client.response()).body === body).toBe(true);
		client.destroy();
	});

	it("is replaced, and the upstream's is not wanted any more", async () => {
		answer(`${HEAD}content-length: 1000\r\n\r\nbegun`);
		for (const [outcome, status] of [
			[respond, 203],
			[{ kind: "failed" }, 500],
		] as const) {
			afterWaiting(outcome);
			for (const request of [get("/"), post("/", "x")]) {
				const waits = ask(edge.port, request);
				(await evaluator.next()).settle(true);
				expect((await waits).status).toBe(status);
			}
		}
		await until(() => upstream.sockets.size === 0);
	});

	it("resets the client if it broke off meanwhile, unless it is replaced", async () => {
		for (const begun of ["", "begun"]) {
			let ended = false;
			upstream.onRequest = (socket) => {
				socket.end(`${HEAD}content-length: 1000\r\n\r\n${begun}`, () => {
					ended = true;
				});
			};
			afterWaiting(CONTINUE);
			const client = new RawClient(edge.port).send(get("/"));
			const asked = await evaluator.next();
			await until(() => ended);
			for (let round = 0; round < 20; round++) {
				await new Promise((resolve) => setImmediate(resolve));
			}
			expect([client.received, client.closed]).toEqual(["", false]);
			asked.settle(true);
			await client.untilClosed();
			afterWaiting(respond);
			const waits = ask(edge.port, get("/"));
			(await evaluator.next()).settle(true);
			expect((await waits).body).toBe("instead");
		}
	});

	it("is the edge's own 502: shown to rules that wait, and sent if they let it pass", async () => {
		upstream.onRequest = (socket) => void socket.destroy();
		for (const [outcome, status] of [
			[CONTINUE, 502],
			[respond, 203],
		] as const) {
			afterWaiting(outcome);
			for (const request of [get("/"), post("/", "x")]) {
				const waits = ask(edge.port, request);
				(await evaluator.next()).settle(true);
				expect((await waits).status).toBe(status);
			}
		}
	});

	it("is dropped when the client leaves", async () => {
		answer(`${HEAD}content-length: 1000\r\n\r\nbegun`);
		afterWaiting(CONTINUE);
		const client = new RawClient(edge.port).send(get("/"));
		const asked = await evaluator.next();
		client.destroy();
		await until(() => asked.cancelled && upstream.sockets.size === 0);
		expect(edge.metrics.snapshot().weir_requests_in_flight).toBe(0);
	});
});
