/**
 * Whatever clients and upstreams do, in whatever order: nothing throws in a callback of the library
 * (which would end the process), every request ends, and the next one is served.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { ask, get, RawClient, RawUpstream, startEdge } from "./harness.ts";

const TURNS = 12;
const turns = async (count: number): Promise<void> => {
	for (let index = 0; index < count; index++) await new Promise((resolve) => setImmediate(resolve));
};

const exchange = fc.record({
	method: fc.constantFrom("GET", "HEAD", "POST", "PUT"),
	chunked: fc.boolean(),
	bodyBytes: fc.constantFrom(0, 1, 1000, 100_000, 700_000),
	/** part of the body that is sent before the client stops, in percent */
	sentPercent: fc.constantFrom(0, 50, 100, 100, 100),
	leaves: fc.option(fc.nat(TURNS), { nil: undefined }),
	readsNothing: fc.boolean(),
	upstream: fc.constantFrom("sized", "chunked", "until close", "early", "dies", "refuses", "204"),
	responseBytes: fc.constantFrom(0, 1, 5000, 3_000_000),
	diesAfter: fc.nat(TURNS),
	replaced: fc.boolean(),
});

const framing = (bytes: number, chunked: boolean): string =>
	chunked ? "Transfer-Encoding: chunked" : `Content-Length: ${bytes}`;

it("ends every request and serves the next one", async () => {
	const upstream = new RawUpstream();
	upstream.onConnection = (socket) => {
		let text = "";
		let answered = false;
		socket.on("data", (data: Buffer) => {
			text = (text + data.toString("latin1")).slice(0, 2000);
			const head = /^\w+ \/(.*) HTTP/.exec(text)?.[1];
			if (head === undefined || answered) return;
			answered = true;
			const [kind, bytes, diesAfter] = decodeURIComponent(head).split(",");
			const body = "x".repeat(Number(bytes));
			const die = async () => {
				await turns(Number(diesAfter));
				socket.destroy();
			};
			if (kind === "refuses") socket.destroy();
			else if (kind === "204") socket.end("HTTP/1.1 204 No Content\r\n\r\n");
			else if (kind === "chunked") {
				const chunk = body === "" ? "" : `${body.length.toString(16)}\r\n${body}\r\n`;
				socket.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`);
			} else if (kind === "until close") socket.end(`HTTP/1.1 200 OK\r\n\r\n${body}`);
			else {
				const length = kind === "dies" ? body.length + 1 : body.length;
				// Answers once per connection, and says so.
				socket.write(
					`HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n${body}`,
				);
				if (kind === "dies") void die();
				else if (kind === "sized") socket.end();
			}
		});
	};
	const edge = await startEdge({
		urls: [await upstream.listen()],
		backend: { response_timeout_ms: 2000 },
	});
	edge.setPolicy({
		outbound: ({ url }) =>
			url.query === "replaced"
				? {
						kind: "respond",
						statusCode: 200,
						headers: [["content-type", "x/y"]],
						content: "replaced",
					}
				: { kind: "continue" },
	});
	await fc.assert(
		fc.asyncProperty(fc.array(exchange, { minLength: 1, maxLength: 20 }), async (exchanges) => {
			const clients = await Promise.all(
				exchanges.map(async (plan) => {
					const target = encodeURIComponent(
						`${plan.upstream},${plan.responseBytes},${plan.diesAfter}`,
					);
					const client = new RawClient(edge.port);
					if (plan.readsNothing) client.socket.pause();
					const body = plan.method === "POST" || plan.method === "PUT";
					client.send(
						`${plan.method} /${target}${plan.replaced ? "?replaced" : ""} HTTP/1.1\r\nHost: h\r\n${
							body ? `${framing(plan.bodyBytes, plan.chunked)}\r\n` : ""
						}\r\n`,
					);
					if (body) {
						const part = "b".repeat(Math.floor((plan.bodyBytes * plan.sentPercent) / 100));
						if (!plan.chunked) client.send(part);
						else if (part !== "") client.send(`${part.length.toString(16)}\r\n${part}\r\n`);
						if (plan.chunked && plan.sentPercent === 100) client.send("0\r\n\r\n");
					}
					if (plan.leaves !== undefined) {
						await turns(plan.leaves);
						client.destroy();
					}
					return client;
				}),
			);
			await turns(TURNS * 3);
			expect((await ask(edge.port, get("/sized,10,0"))).body).toBe("xxxxxxxxxx");
			for (const client of clients) client.destroy();
			await expect
				.poll(() => edge.metrics.snapshot().weir_requests_in_flight, { timeout: 5000 })
				.toBe(0);
		}),
		{ numRuns: 60 },
	);
	expect(edge.lines.filter(({ level }) => level === "error")).toEqual([]);
	await edge.close();
	await upstream.close();
}, 120_000);
