/** Upstream suite: the bytes that a backend gets. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { UpstreamFactory } from "../../../src/upstream/upstream.ts";
import { backend, bench, ChunkedBody, headerLines, wholeBody } from "../probe.ts";
import { headerOf, type ReceivedRequest, type Script } from "../scripted-upstream.ts";

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

const recorder = (): { received: ReceivedRequest[]; script: Script } => {
	const received: ReceivedRequest[] = [];
	return {
		received,
		script: async (connection) => {
			for (;;) {
				received.push(await connection.readRequest());
				connection.write(OK);
			}
		},
	};
};

export const upstreamRequests = (factory: UpstreamFactory): void => {
	test("sends lines in two pieces as one header", async () => {
		const { received, script } = recorder();
		const { ask } = bench(factory, [(await backend(script)).url]);
		const lines = headerLines(["host", "a.test"], ["x-a", "1"]);
		const more = headerLines(["x-b", "caf\u00c3\u00a9"], ["x-a", "2"]);
		for (const change of [{ lines, more }, { lines: lines + more }]) {
			expect((await ask(change)).failure).toBeUndefined();
		}
		const [inTwo, inOne] = received.map(({ headers }) => headers);
		expect(inTwo?.filter(([name]) => name !== "connection")).toEqual([
			...[
				["host", "a.test"],
				["x-a", "1"],
			],
			...[
				["x-b", "caf\u00c3\u00a9"],
				["x-a", "2"],
			],
		]);
		expect(inTwo).toEqual(inOne);
	});

	test.each([
		"/%2f/%2e%2e/../a/./b",
		"//double//slash",
		"/?",
		"/a?b=c?d&e='f'\"g\"",
		"/caf\u00c3\u00a9?\u00ff",
		"/a%zz%0",
		"/a:b@c[]{}|\\^`;,",
		"/#fragment",
	])("sends the target %j as it is", async (target) => {
		const { received, script } = recorder();
		const { ask } = bench(factory, [(await backend(script)).url]);
		expect((await ask({ target })).failure).toBeUndefined();
		expect(received[0]?.target).toBe(target);
	});

	test("sends any target of visible bytes as it is", async () => {
		const { received, script } = recorder();
		const { ask } = bench(factory, [(await backend(script)).url]);
		const byte = fc.oneof(
			fc.integer({ min: 0x21, max: 0x7e }),
			fc.integer({ min: 0x80, max: 0xff }),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(byte, { maxLength: 60 }), async (bytes) => {
				const target = `/${String.fromCharCode(...bytes)}`;
				await ask({ target });
				expect(received.at(-1)?.target).toBe(target);
			}),
		);
	});

	test("keeps header lines: order, spelling, duplicates, bytes", async () => {
		const { received, script } = recorder();
		const { ask } = bench(factory, [(await backend(script)).url]);
		const lines = [
			["Host", "Example.test:8080"],
			["X-Two", "b"],
			["accept", "*/*"],
			["x-two", "a, \u00c3\u00a9\u00ff\t;"],
			["Content-Type", "text/plain"],
			["content-type", "text/html"],
			["x-empty", ""],
			["cookie", "a=1"],
			["cookie", "b=2"],
		] as const;
		await ask({ lines: headerLines(...lines) });
		const sent = received[0]?.headers ?? [];
		expect(headerOf({ headers: sent } as ReceivedRequest, "host")).toBe("Example.test:8080");
		const own = new Set(["host", "connection"]);
		expect(sent.filter(([name]) => !own.has(name.toLowerCase()))).toEqual(lines.slice(1));
	});

	test.each(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "X-Own!"])(
		"sends %s without a body without framing",
		async (method) => {
			const { received, script } = recorder();
			const { ask } = bench(factory, [(await backend(script)).url]);
			expect((await ask({ method })).failure).toBeUndefined();
			expect(received[0]?.method).toBe(method);
			expect(received[0]?.head).not.toMatch(/transfer-encoding/i);
			expect(["0", undefined]).toContain(
				headerOf(received[0] as ReceivedRequest, "content-length"),
			);
		},
	);

	test.each(["POST", "PUT", "PATCH", "DELETE", "GET", "OPTIONS"])(
		"sends the body of %s with its length, or chunked if that is unknown",
		async (method) => {
			const { received, script } = recorder();
			const { ask } = bench(factory, [(await backend(script)).url]);
			await ask({ method, body: wholeBody("hello") });
			await ask({ method, body: wholeBody("hello", true) });
			const [known, unknown] = received;
			expect(known?.body.toString()).toBe("hello");
			expect(headerOf(known as ReceivedRequest, "content-length")).toBe("5");
			expect(unknown?.body.toString()).toBe("hello");
			// A body that is over before the header is written has a length by then.
			const lengthFound = headerOf(unknown as ReceivedRequest, "content-length");
			if (lengthFound !== undefined) expect(lengthFound).toBe("5");
		},
	);

	test("sends an empty POST with length 0, announced or chunked", async () => {
		const { received, script } = recorder();
		const { ask } = bench(factory, [(await backend(script)).url]);
		await ask({ method: "POST" });
		await ask({ method: "POST", body: new ChunkedBody([], 0) });
		await ask({ method: "POST", body: new ChunkedBody([], -1) });
		expect(received.map(({ body }) => body.length)).toEqual([0, 0, 0]);
		expect(headerOf(received[0] as ReceivedRequest, "content-length")).toBe("0");
		expect(headerOf(received[1] as ReceivedRequest, "content-length")).toBe("0");
	});

	test("sends bodies intact however they are cut", async () => {
		const { received, script } = recorder();
		const { ask } = bench(factory, [(await backend(script)).url]);
		const chunks = fc.array(fc.uint8Array({ minLength: 0, maxLength: 5000 }), { maxLength: 20 });
		await fc.assert(
			fc.asyncProperty(chunks, fc.boolean(), async (parts, chunked) => {
				const whole = Buffer.concat(parts);
				const body = new ChunkedBody(parts, chunked ? -1 : whole.length);
				expect((await ask({ method: "POST", body })).failure).toBeUndefined();
				expect(received.at(-1)?.body.equals(whole)).toBe(true);
				expect(body.starts).toBeLessThanOrEqual(1);
			}),
			{ numRuns: 50 },
		);
	});

	test("answers what cannot be sent as a failure and sends nothing of it", async () => {
		const { received, script } = recorder();
		const { ask } = bench(factory, [(await backend(script)).url]);
		const odd = [
			{ target: "/a b" },
			{ target: "/a\r\nx: y" },
			{ target: "/\u0100" },
			{ method: "GE T" },
		];
		for (const change of odd) expect((await ask(change)).failure).toBe("broken");
		expect((await ask()).failure).toBeUndefined();
		expect(received.length).toBe(1);
	});
};
