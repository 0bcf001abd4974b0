/** Upstream suite: which header lines pass, how large and how many they may be, and what may come before them. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { isFieldValue } from "../../../src/http/fields.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import type { UpstreamFactory } from "../../../src/upstream/upstream.ts";
import { backend, bench, headerLines } from "../probe.ts";
import { answering } from "../scripted-upstream.ts";

const name = fc.constantFrom(
	"X-A",
	"x-b",
	"x-C",
	"Host",
	"Date",
	"Connection",
	"connection",
	"Keep-Alive",
	"Proxy-Authenticate",
	"proxy-authorization",
	"Proxy-Connection",
	"TE",
	"Trailer",
	"upgrade",
	"set-cookie",
	"!#$%&'*+-.^_`|~09",
);
const listed = fc
	.array(fc.constantFrom("close", "X-A", "x-b ", "\tx-c", " Host", "date", "", "set-cookie", "!"))
	.map((names) => names.join(","));
const value = fc.oneof(
	listed,
	fc.string({ unit: "binary-ascii", maxLength: 12 }),
	fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
);
const line = fc
	.tuple(name, value.filter(isFieldValue), fc.constantFrom("", " ", "\t", "  "))
	.map(([key, text, after]) => ({ key, value: text.replace(/^[ \t]+|[ \t]+$/g, ""), after }));

export const upstreamHeads = (factory: UpstreamFactory): void => {
	// The probe holds what passes against what came.
	test("tells all lines, and passes those that are not the connection's", async () => {
		let head = "";
		const upstream = await backend(answering(() => `HTTP/1.1 200 OK\r\n${head}\r\n`));
		const { ask } = bench(factory, [upstream.url]);
		await fc.assert(
			fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (lines) => {
				head = lines
					.map(({ key, value: text, after }) => `${key}:${after}${text}${after}\r\n`)
					.join("");
				head += "content-length: 0\r\n";
				const answer = await ask();
				expect(answer.failure, JSON.stringify(head)).toBeUndefined();
				const told = lines.map(({ key, value: text }) => [
					key.toLowerCase(),
					Buffer.from(text, "latin1").toString(),
				]);
				expect(answer.headers).toEqual([...told, ["content-length", "0"]]);
				const spelled = lines.map(({ key, value: text }) => `${key}: ${text}`);
				for (const [key, text] of answer.passed) expect(spelled).toContain(`${key}: ${text}`);
			}),
			{ numRuns: 200 },
		);
	});

	test("nothing is left to pass of lines that are all the connection's", async () => {
		const upstream = await backend(
			answering(
				"HTTP/1.1 200 OK\r\nDate: now\r\nConnection: x\r\nX: y\r\nContent-Length: 2\r\n\r\nok",
			),
		);
		const answer = await bench(factory, [upstream.url]).ask();
		expect(answer.passed).toEqual([]);
		expect(answer.headers.length).toBe(4);
	});

	test("passes many lines and large ones up to the bound, in order", async () => {
		for (const count of [1, 2, 100, LIMITS.responseHeaderLines - 1]) {
			const size = Math.floor((LIMITS.responseHeaderBytes - 200) / count) - 20;
			const lines = Array.from(
				{ length: count },
				(_, index) => [`x-${index}`, "v".repeat(size)] as const,
			);
			const upstream = await backend(
				answering(`HTTP/1.1 200 OK\r\n${headerLines(...lines)}content-length: 2\r\n\r\nok`),
			);
			const { ask } = bench(factory, [upstream.url]);
			for (let round = 0; round < 2; round += 1) {
				const answer = await ask();
				expect(answer.failure).toBeUndefined();
				expect(answer.passed).toEqual(lines);
				expect(answer.body.toString()).toBe("ok");
			}
			expect(upstream.connections.length).toBe(1);
		}
	});

	test("refuses a head beyond the bound, of many lines or of one", async () => {
		for (const size of [100, 1000, LIMITS.responseHeaderBytes + 100]) {
			const count = Math.ceil((LIMITS.responseHeaderBytes + 100) / size);
			const lines = Array.from(
				{ length: count },
				(_, index) => [`x-${index}`, "v".repeat(size)] as const,
			);
			const upstream = await backend(
				answering(`HTTP/1.1 200 OK\r\n${headerLines(...lines)}content-length: 2\r\n\r\nok`),
			);
			const answer = await bench(factory, [upstream.url]).ask();
			expect(answer).toMatchObject({ failure: "broken", statusCode: undefined });
		}
	});

	test("refuses more lines than the bound", async () => {
		const lines = "x: y\r\n".repeat(LIMITS.responseHeaderLines);
		const upstream = await backend(
			answering(`HTTP/1.1 200 OK\r\n${lines}content-length: 2\r\n\r\nok`),
		);
		const answer = await bench(factory, [upstream.url]).ask();
		expect(answer).toMatchObject({ failure: "broken", statusCode: undefined });
	});

	test("white space within values costs no more than other bytes", async () => {
		const blanks = `${" \t".repeat(LIMITS.responseHeaderBytes / 2 - 100)}`;
		const upstream = await backend(
			answering(`HTTP/1.1 200 OK\r\ncontent-length: 2\r\nx: a${blanks}b\r\n\r\nok`),
		);
		const { ask } = bench(factory, [upstream.url]);
		// Were it looked at from each of its bytes to its end, this would take a minute.
		for (let round = 0; round < 20; round += 1) {
			expect((await ask()).passed).toEqual([["x", `a${blanks}b`]]);
		}
	});

	test("interim responses have a bound of their own", async () => {
		const large = `x: ${"y".repeat(LIMITS.responseHeaderBytes - 100)}\r\n`;
		const early = `HTTP/1.1 103 Early Hints\r\n${large}\r\n`;
		const upstream = await backend(
			answering(`${early}${early}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n${large}\r\nok`),
		);
		const answer = await bench(factory, [upstream.url]).ask();
		expect(answer).toMatchObject({ failure: undefined, statusCode: 200 });
		expect(answer.body.toString()).toBe("ok");
	});
};
