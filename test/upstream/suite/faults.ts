/** Upstream suite: backends that break, lie or speak something else. None may look like a whole answer. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { isFieldName, isFieldValue } from "../../../src/http/fields.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import type { UpstreamFactory } from "../../../src/upstream/upstream.ts";
import { backend, bench, ManualBody, until } from "../probe.ts";
import { refusingUrl, type Script } from "../scripted-upstream.ts";

const saying =
	(bytes: string, how: "end" | "reset" | "stay"): Script =>
	async (connection) => {
		await connection.readRequest();
		await connection.drain(Buffer.from(bytes, "latin1"));
		if (how === "end") connection.end();
		else if (how === "reset") connection.reset();
		await connection.closed;
	};

const HEAD = "HTTP/1.1 200 OK\r\nx: y\r\n";

export const upstreamFaults = (factory: UpstreamFactory): void => {
	test.each([
		["two lengths", `${HEAD}content-length: 5\r\ncontent-length: 6\r\n\r\nabcdef`],
		["one length twice", `${HEAD}content-length: 5\r\ncontent-length: 5\r\n\r\nabcde`],
		[
			"length and chunked",
			`${HEAD}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
		],
		[
			"chunked and length",
			`${HEAD}transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\n`,
		],
		["a list as length", `${HEAD}content-length: 5, 5\r\n\r\nabcde`],
		["a negative length", `${HEAD}content-length: -5\r\n\r\nabcde`],
		["a signed length", `${HEAD}content-length: +5\r\n\r\nabcde`],
		["an empty length", `${HEAD}content-length: \r\n\r\nabcde`],
		["a length beyond 2^64", `${HEAD}content-length: 99999999999999999999\r\n\r\nabcde`],
		["a coding unknown", `${HEAD}transfer-encoding: gzip\r\n\r\nabcde`],
		["a coding on top", `${HEAD}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
		[
			"chunked twice",
			`${HEAD}transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
		],
		["chunked not last", `${HEAD}transfer-encoding: chunked, gzip\r\n\r\n0\r\n\r\n`],
		["NUL in a value", `${HEAD}a: b\0c\r\ncontent-length: 0\r\n\r\n`],
		["NUL in a name", `${HEAD}a\0: b\r\ncontent-length: 0\r\n\r\n`],
		["a control byte in a value", `${HEAD}a: b\x01c\r\ncontent-length: 0\r\n\r\n`],
		["a bare CR in a value", `${HEAD}a: b\rc\r\ncontent-length: 0\r\n\r\n`],
		["no header name", `${HEAD}: b\r\ncontent-length: 0\r\n\r\n`],
		["a space before the colon", `${HEAD}content-length : 5\r\n\r\nabcde`],
		["no status", "HTTP/1.1\r\n\r\n"],
		["another protocol", "SSH-2.0-OpenSSH_9.2p1 Debian\r\n"],
		["HTTP/0.9", "<html>hello</html>"],
		[
			"an unasked upgrade",
			"HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
		],
		["garbage", "\0\x01\x02\xff\xfe"],
	])("fails an answer with %s", async (_, bytes) => {
		const upstream = await backend(saying(bytes, "end"));
		const { ask, failures } = bench(factory, [upstream.url]);
		const answer = await ask();
		expect(answer).toMatchObject({ failure: "broken", statusCode: undefined });
		expect(failures.map(({ failure }) => failure)).toEqual(["broken"]);
		await upstream.connections[0]?.closed;
	});

	test.each([
		["no size", "\r\nabc\r\n0\r\n\r\n"],
		["letters as size", "xyz\r\nabc\r\n0\r\n\r\n"],
		["a negative size", "-1\r\nabc\r\n0\r\n\r\n"],
		["a size too large", "ffffffffffffffffff\r\nabc\r\n0\r\n\r\n"],
		["more bytes than its size", "2\r\nabc\r\n0\r\n\r\n"],
		["fewer bytes than its size", "4\r\nabc\r\n0\r\n\r\n"],
		["a space in its size", "3 3\r\nabc\r\n0\r\n\r\n"],
	])("fails a chunk with %s, never as a whole answer", async (_, chunks) => {
		const upstream = await backend(
			saying(`${HEAD}transfer-encoding: chunked\r\n\r\n${chunks}`, "end"),
		);
		const answer = await bench(factory, [upstream.url]).ask();
		expect(answer.failure).toBe("broken");
		// If both came at once, nothing need be heard of the header.
		expect([200, undefined]).toContain(answer.statusCode);
	});

	test("fails a header larger than the bound and reads no further", async () => {
		const upstream = await backend(async (connection) => {
			await connection.readRequest();
			const line = `x: ${"y".repeat(1000)}\r\n`;
			connection.write("HTTP/1.1 200 OK\r\n");
			while (!connection.socket.destroyed && connection.socket.writable) {
				await connection.drain(Buffer.from(line));
			}
		});
		const answer = await bench(factory, [upstream.url]).ask();
		expect(answer).toMatchObject({ failure: "broken", statusCode: undefined });
		expect(upstream.connections.length).toBe(1);
	});

	test.each(["HTTP/1.1 100 ", "HTTP/1.1 200 OK\r\nx", "HTTP/1.1 200 "])(
		"fails endless %j",
		async (start) => {
			const upstream = await backend(async (connection) => {
				await connection.readRequest();
				connection.write(start);
				while (!connection.socket.destroyed && connection.socket.writable) {
					await connection.drain(Buffer.alloc(10_000, "a"));
				}
			});
			const answer = await bench(factory, [upstream.url], { responseTimeoutMs: 1000 }).ask();
			expect(["broken", "timeout"]).toContain(answer.failure);
			expect(answer.statusCode).toBeUndefined();
		},
	);

	test("accepts a header just below the bound", async () => {
		const value = "y".repeat(LIMITS.responseHeaderBytes - 100);
		const upstream = await backend(
			saying(`HTTP/1.1 200 OK\r\ncontent-length: 0\r\nx: ${value}\r\n\r\n`, "end"),
		);
		const answer = await bench(factory, [upstream.url]).ask();
		expect(answer.headers[1]).toEqual(["x", value]);
	});

	const whole: Record<string, string> = {
		length: "HTTP/1.1 200 OK\r\ncontent-length: 10\r\nx: y\r\n\r\n0123456789",
		chunked:
			"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\n0123\r\n6\r\n456789\r\n0\r\nt: u\r\n\r\n",
		interim: "HTTP/1.1 103 Early\r\na: b\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok",
	};
	test.each(
		Object.keys(whole).flatMap((kind) => (["end", "reset"] as const).map((how) => ({ kind, how }))),
	)("an answer ($kind) cut off by $how at any byte fails", async ({ kind, how }) => {
		const text = whole[kind] ?? "";
		let cut = 0;
		const upstream = await backend(async (connection) => {
			await saying(text.slice(0, cut), how)(connection);
		});
		const { ask } = bench(factory, [upstream.url]);
		for (cut = 0; cut < text.length; cut += 1) {
			const answer = await ask({ method: "POST" });
			expect(answer.failure, `cut at ${cut}`).toBe("broken");
			expect(text.endsWith(answer.body.toString()) && answer.body.length > 0).toBe(false);
		}
	});

	test("an answer that ends with the connection is whole after FIN, broken after RST", async () => {
		const text = `${HEAD}\r\n0123456789`;
		let cut = 0;
		let how: "end" | "reset" = "end";
		const upstream = await backend((connection) => saying(text.slice(0, cut), how)(connection));
		const { ask } = bench(factory, [upstream.url]);
		const headEnd = text.indexOf("\r\n\r\n") + 4;
		for (cut = 0; cut <= text.length; cut += 1) {
			how = "end";
			const ended = await ask();
			expect(ended.failure, `FIN at ${cut}`).toBe(cut < headEnd ? "broken" : undefined);
			if (cut >= headEnd) expect(ended.body.toString()).toBe(text.slice(headEnd, cut));
			how = "reset";
			expect((await ask()).failure, `RST at ${cut}`).toBe("broken");
		}
	});

	test("bytes after an answer are never taken for the next one", async () => {
		const smuggled = "HTTP/1.1 200 OK\r\nx-smuggled: 1\r\ncontent-length: 0\r\n\r\n";
		const upstream = await backend(async (connection) => {
			for (;;) {
				await connection.readRequest();
				connection.write(`HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok${smuggled}`);
			}
		});
		const { ask } = bench(factory, [upstream.url]);
		for (let round = 0; round < 10; round += 1) {
			const answer = await ask({ method: round % 2 === 0 ? "GET" : "HEAD" });
			expect(answer.headers).not.toContainEqual(["x-smuggled", "1"]);
		}
	});

	test("a 101 for which nobody had asked is a broken response", async () => {
		for (const method of ["GET", "POST"]) {
			const upstream = await backend((connection) =>
				saying("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n", "end")(connection),
			);
			const { ask } = bench(factory, [upstream.url]);
			const answer = await ask({ method });
			expect(answer.statusCode).toBeUndefined();
			expect(answer.failure).toBe("broken");
		}
	});

	test("no backend's bytes make header lines that could not be sent on, nor crash", async () => {
		let bytes = "";
		const upstream = await backend((connection) => saying(bytes, "end")(connection));
		const { ask } = bench(factory, [upstream.url]);
		const token = fc.constantFrom(
			..."\r\n|\n|\r|:|: | |\t|\0|\x7f|\xff|HTTP/1.1 |200|204|100|101 x|content-length: |transfer-encoding: |chunked|5|0|a|abcde|;".split(
				"|",
			),
		);
		const odd = fc.array(token, { maxLength: 30 }).map((tokens) => tokens.join(""));
		const starts = fc.constantFrom(
			"",
			"HTTP/1.1 200 OK\r\n",
			"HTTP/1.1 200 OK\r\nx: y\r\n",
			"HTTP/1.1 ",
		);
		await fc.assert(
			fc.asyncProperty(starts, odd, async (start, rest) => {
				bytes = start + rest;
				const answer = await ask({ method: "POST" });
				for (const [name, value] of answer.headers) {
					expect(isFieldName(name), JSON.stringify(bytes)).toBe(true);
					expect(isFieldValue(value), JSON.stringify(bytes)).toBe(true);
				}
				expect(answer.statusCode === undefined || answer.statusCode >= 200).toBe(true);
			}),
			{ numRuns: 500 },
		);
	});

	test("a connection that breaks while the request is sent fails it, and the body is told no more", async () => {
		const upstream = await backend(async (connection) => {
			await connection.readHead();
			await connection.readBytes(5);
			connection.reset();
		});
		const { probe } = bench(factory, [upstream.url]);
		const body = new ManualBody(1000);
		const sent = probe({ method: "PUT", body });
		await until(() => body.started, "the body starts");
		body.push("first");
		expect((await sent.answer).failure).toBe("broken");
		body.push("second");
		body.end();
	});

	test("a body shorter or longer than announced never looks complete to the backend", async () => {
		const ends: Buffer[] = [];
		const upstream = await backend(async (connection) => {
			const sent = await connection.readHead().catch(() => undefined);
			ends.push(sent === undefined ? Buffer.alloc(0) : await connection.readToEnd());
		});
		const { probe } = bench(factory, [upstream.url]);
		for (const text of ["short", "much too long"]) {
			const body = new ManualBody(8);
			const sent = probe({ method: "POST", body });
			await until(() => body.started, "the body starts");
			body.push(text);
			body.end();
			expect((await sent.answer).failure).toBe("broken");
		}
		await until(() => ends.length === upstream.connections.length, "the backend saw the ends");
		for (const bytes of ends) expect(bytes.length).toBeLessThan(8);
	});

	test("a refused connection fails as such", async () => {
		const url = await refusingUrl();
		const { ask, failures } = bench(factory, [url]);
		const answer = await ask({ method: "POST" });
		expect(answer).toMatchObject({ failure: "connect", statusCode: undefined });
		expect(answer.message).toMatch(/refused/i);
		expect(failures).toEqual([{ failure: "connect", address: url, message: answer.message }]);
	});
};
