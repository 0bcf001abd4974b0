/** Upstream suite: answers as they should be, in every framing, however they are cut into packets. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { UpstreamFactory } from "../../../src/upstream/upstream.ts";
import { backend, bench, ManualBody } from "../probe.ts";
import { answering, type Script } from "../scripted-upstream.ts";

/** Answers once per connection and then ends it. */
const closing =
	(answer: string): Script =>
	async (connection) => {
		await connection.readRequest();
		connection.end(answer);
	};

export const upstreamResponses = (factory: UpstreamFactory): void => {
	test("hands header lines over as the bytes that came", async () => {
		const lines = [
			["Content-Type", 'text/plain; a="\u00ff\u00c3\u00a9"'],
			["SET-cookie", "a=1"],
			["x-b", "1"],
			["Set-Cookie", "b=2"],
			["x-empty", ""],
			["content-LENGTH", "2"],
		] as const;
		const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
		const { url } = await backend(answering(`HTTP/1.1 201 Odd reason\r\n${head}\r\nhi`));
		const answer = await bench(factory, [url]).ask();
		expect(answer.headers).toEqual(
			lines.map(([name, value]) => [
				name.toLowerCase(),
				Buffer.from(value, "latin1").toString("utf8"),
			]),
		);
		expect(answer.passed).toEqual(lines.slice(0, -1));
		expect(answer.statusCode).toBe(201);
		expect(answer.length).toBe(2);
		expect(answer.body.toString()).toBe("hi");
	});

	test.each([
		["chunked", "Transfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n2;ext=1\r\nde\r\n0\r\n\r\n"],
		[
			"chunked with trailers",
			"transfer-encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\nx-t: 1\r\n\r\n",
		],
		["of known length", "content-length: 5\r\n\r\nabcde"],
	])("reads a body %s and uses the connection again", async (_, rest) => {
		const upstream = await backend(answering(`HTTP/1.1 200 OK\r\n${rest}`));
		const { ask } = bench(factory, [upstream.url]);
		for (let round = 0; round < 3; round += 1) {
			const answer = await ask();
			expect(answer.failure).toBeUndefined();
			expect(answer.body.toString()).toBe("abcde");
			expect(answer.length).toBe(rest.startsWith("c") ? 5 : -1);
			expect(answer.headers.length).toBe(1);
		}
		expect(upstream.connections.length).toBe(1);
	});

	test.each([
		["GET", "200 OK\r\ncontent-length: 5\r\nX-A: b\r\n\r\nabcde"],
		["GET", "200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"],
		["GET", "404 Not Found\r\ncontent-length: 0\r\n\r\n"],
		["HEAD", "200 OK\r\ncontent-length: 5\r\n\r\n"],
		["GET", "204 No Content\r\nx-a: \u00e9\r\n\r\n"],
		["GET", "304 Not Modified\r\netag: x\r\n\r\n"],
	])("tells the same of a response (%s, %j) in one piece and in many", async (method, text) => {
		const bytes = `HTTP/1.1 ${text}`;
		let size = bytes.length;
		const upstream = await backend(async (connection) => {
			for (;;) {
				await connection.readRequest();
				for (let at = 0; at < bytes.length; at += size) {
					await connection.drain(Buffer.from(bytes.slice(at, at + size), "latin1"));
					if (at + size < bytes.length) await new Promise((resolve) => setImmediate(resolve));
				}
			}
		});
		const { ask } = bench(factory, [upstream.url]);
		const whole = await ask({ method });
		expect(whole.failure).toBeUndefined();
		for (size = 1; size < 20; size += 6) expect(await ask({ method })).toEqual(whole);
	});

	test("a trailer says nothing about the connection or the answer", async () => {
		let trailer = "";
		const upstream = await backend(
			answering(
				() =>
					`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n${trailer}\r\n\r\n`,
			),
		);
		const { ask } = bench(factory, [upstream.url]);
		for (trailer of ["connection: close", "Proxy-Connection: close", "upgrade: x", "x: y"]) {
			for (let round = 0; round < 3; round += 1) {
				const answer = await ask({ method: "POST" });
				expect(answer.message).toBe("");
				expect(answer.body.toString()).toBe("ok");
				expect(answer.headers).toEqual([["transfer-encoding", "chunked"]]);
			}
		}
	});

	test.each([
		"HTTP/1.1 200 OK\r\n",
		"HTTP/1.0 200 OK\r\n",
		"HTTP/1.1 200 OK\r\nconnection: close\r\n",
	])("reads a body that ends with the connection (%j)", async (head) => {
		const upstream = await backend(closing(`${head}x: y\r\n\r\nabcde`));
		const { ask } = bench(factory, [upstream.url]);
		for (let round = 0; round < 3; round += 1) {
			const answer = await ask();
			expect(answer).toMatchObject({ failure: undefined, length: -1 });
			expect(answer.body.toString()).toBe("abcde");
		}
		expect(upstream.connections.length).toBe(3);
	});

	test.each([
		["HEAD", "200 OK\r\ncontent-length: 1000"],
		["HEAD", "200 OK\r\ntransfer-encoding: chunked"],
		["HEAD", "200 OK"],
		["HEAD", "304 Not Modified\r\ncontent-length: 1000"],
		["GET", "304 Not Modified\r\ncontent-length: 1000"],
		["GET", "304 Not Modified\r\ntransfer-encoding: chunked"],
		["GET", "304 Not Modified"],
		["GET", "204 No Content"],
		["GET", "204 No Content\r\ncontent-length: 0"],
		["GET", "204 No Content\r\ncontent-length: 7"],
		["GET", "200 OK\r\ncontent-length: 0"],
	])("%s answered %j is over with its header", async (method, head) => {
		const upstream = await backend(answering(`HTTP/1.1 ${head}\r\n\r\n`));
		const { ask } = bench(factory, [upstream.url]);
		for (let round = 0; round < 2; round += 1) {
			const answer = await ask({ method });
			expect(answer.failure).toBeUndefined();
			expect(answer.statusCode).toBe(Number(head.slice(0, 3)));
			expect(answer.body.length).toBe(0);
			const length = /content-length: (\d+)/.exec(head)?.[1];
			expect(answer.length).toBe(length === undefined ? -1 : Number(length));
		}
	});

	const interim = [
		"HTTP/1.1 100 Continue\r\n\r\n",
		"HTTP/1.1 102 Processing\r\nx: y\r\n\r\n",
		"HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\nx: y\r\n\r\n",
		"HTTP/1.1 100\r\n\r\n",
		"HTTP/1.1 199 \n\n",
	];

	test("ignores any number of interim responses, however they are cut", async () => {
		const final = "HTTP/1.1 200 OK\r\nx-final: yes\r\ncontent-length: 5\r\n\r\nHTTP/";
		let parts: string[] = [];
		const upstream = await backend(async (connection) => {
			for (;;) {
				await connection.readRequest();
				for (const part of parts) await connection.drain(Buffer.from(part));
			}
		});
		const { ask } = bench(factory, [upstream.url]);
		const cuts = fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 6 });
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.constantFrom(...interim), { maxLength: 4 }),
				cuts,
				async (some, at) => {
					const text = some.join("") + final;
					const edges = [
						0,
						...at.filter((each) => each < text.length).sort((a, b) => a - b),
						text.length,
					];
					parts = edges.slice(1).map((end, index) => text.slice(edges[index], end));
					const answer = await ask({ method: "POST" });
					expect(answer).toMatchObject({ failure: undefined, statusCode: 200 });
					expect(answer.headers).toEqual([
						["x-final", "yes"],
						["content-length", "5"],
					]);
					expect(answer.body.toString()).toBe("HTTP/");
				},
			),
			{ numRuns: 60 },
		);
		expect(upstream.connections.length).toBe(1);
	});

	test("answers come through whatever the body holds and however it is cut", async () => {
		const upstream = await backend(async (connection) => {
			for (;;) {
				const { body } = await connection.readRequest();
				const { pieces, chunked } = JSON.parse(body.toString()) as {
					pieces: string[];
					chunked: boolean;
				};
				const bytes = pieces.map((piece) => Buffer.from(piece, "base64"));
				const length = bytes.reduce((sum, each) => sum + each.length, 0);
				const frame = chunked ? "transfer-encoding: chunked" : `content-length: ${length}`;
				await connection.drain(Buffer.from(`HTTP/1.1 200 OK\r\n${frame}\r\n\r\n`));
				for (const each of bytes) {
					if (chunked && each.length > 0) connection.write(`${each.length.toString(16)}\r\n`);
					if (each.length > 0) await connection.drain(each);
					if (chunked && each.length > 0) connection.write("\r\n");
				}
				if (chunked) connection.write("0\r\n\r\n");
			}
		});
		const { probe } = bench(factory, [upstream.url]);
		const pieces = fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 12 });
		await fc.assert(
			fc.asyncProperty(pieces, fc.boolean(), async (some, chunked) => {
				const asked = JSON.stringify({
					chunked,
					pieces: some.map((each) => Buffer.from(each).toString("base64")),
				});
				const body = new ManualBody(Buffer.byteLength(asked));
				const sent = probe({ method: "POST", body });
				await new Promise<void>((resolve) => {
					const poll = (): void => void (body.started ? resolve() : setImmediate(poll));
					poll();
				});
				body.push(asked);
				body.end();
				const answer = await sent.answer;
				expect(answer.failure).toBeUndefined();
				expect(answer.body.equals(Buffer.concat(some))).toBe(true);
			}),
			{ numRuns: 50 },
		);
		expect(upstream.connections.length).toBe(1);
	});

	test("an answer before the request's end is complete, and the connection is not used again", async () => {
		const upstream = await backend(async (connection) => {
			await connection.readHead();
			connection.write("HTTP/1.1 413 Too Large\r\ncontent-length: 3\r\n\r\nbig");
			await connection.closed;
		});
		const { probe } = bench(factory, [upstream.url]);
		const body = new ManualBody(1000);
		const sent = probe({ method: "POST", body });
		while (!body.started) await new Promise((resolve) => setImmediate(resolve));
		body.push("first");
		const answer = await sent.answer;
		expect(answer).toMatchObject({ failure: undefined, statusCode: 413 });
		expect(answer.body.toString()).toBe("big");
		await upstream.connections[0]?.closed;
	});
};
