/**
 * What the front hands over is what was sent: the quick way and the one line by line agree with each other, and with
 * what went over the wire.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { Authorities } from "../../../src/edge/request/authorities.ts";
import { FrontHeader } from "../../../src/edge/request/front-header.ts";
import { HeaderReader } from "../../../src/edge/request/header-reader.ts";
import type { ParsedHeader } from "../../../src/edge/request/request-head.ts";
import { Front } from "../../../src/http/front.ts";
import { Counter } from "../../../src/telemetry/metrics.ts";
import { frontListener } from "../../http/front-listener.ts";

const OWN = "own.example:80";
const SETTINGS = {
	requestHeaderMs: 10_000,
	idleMs: 10_000,
	requestHeaderBytes: 65_536,
	proxyProtocol: false,
};
const opened = Front.open();
if (opened === undefined) throw new Error("there is no front on this machine");
const front = opened;
const header = new FrontHeader(front, new HeaderReader("pass", new Counter()));

interface Seen {
	readonly isPlain: boolean;
	readonly line: readonly [string, string, string | undefined];
	readonly host: string;
	readonly length: ParsedHeader["bodyLength"];
	readonly names: readonly string[];
	readonly values: readonly (readonly string[])[];
	readonly forwarded: string;
	readonly status: number | undefined;
}

const authorities = new Authorities();
const heard: Seen[] = [];
const send = frontListener(front, SETTINGS, (response, client) => {
	const refusal = header.refusal();
	const parsed = refusal === undefined ? header.read(OWN) : undefined;
	const lines = parsed?.takeLines();
	const names = lines?.names() ?? [];
	heard.push({
		isPlain: parsed === header,
		line: [header.method, header.rawPath, header.rawQuery],
		host: parsed?.authorityIn(authorities)?.text ?? "",
		length: parsed?.bodyLength ?? 0,
		names,
		values: names.map((name) => lines?.lines(name) ?? []),
		forwarded: lines?.forwarded(undefined) ?? "",
		status: refusal?.reply.statusCode,
	});
	response.end("ok");
	client.answered(refusal !== undefined);
});

/** Sends a request and reads its answer. */
const ask = async (bytes: string): Promise<Seen | undefined> => {
	await send(bytes);
	return heard.pop();
};

const name = fc.constantFrom("X-A", "accept", "Cookie", "x-b", "User-Agent");
const value = fc.stringMatching(/^[!-~]([ !-~]{0,10}[!-~])?$/);

it("both ways tell the same of a plain request", async () => {
	const lines = fc.array(fc.tuple(name, value), { maxLength: 6 });
	const target = fc.constantFrom("/", "/a/b", "/a?b", "/a?", "/?a?b");
	await fc.assert(
		fc.asyncProperty(lines, target, async (lines, target) => {
			const text = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
			const plain = await ask(`GET ${target} HTTP/1.1\r\nHost: h.example\r\n${text}\r\n`);
			// A field that needs thought, and goes no further.
			const other = await ask(
				`GET ${target} HTTP/1.1\r\nHost: h.example\r\n${text}TE: trailers\r\n\r\n`,
			);
			expect([plain?.isPlain, other?.isPlain]).toEqual([true, false]);
			expect(plain?.line).toEqual(other?.line);
			expect(plain?.host).toBe("h.example");
			expect(plain?.forwarded).toBe(other?.forwarded);
			expect(plain?.names).toEqual(other?.names.filter((name) => name !== "te"));
			expect(plain?.values).toEqual(
				other?.values.filter((_, index) => other.names[index] !== "te"),
			);
			const [path, query] = target.split(/\?(.*)/s);
			expect(plain?.line).toEqual(["GET", path, query]);
		}),
		{ numRuns: 60 },
	);
});

it.each([
	["a method without a constant", "PURGE /x HTTP/1.1\r\nHost: h\r\n\r\n", "PURGE", "h", 0],
	["a length", "PUT /x HTTP/1.1\r\nHost: h\r\nContent-Length: 7\r\n\r\n", "PUT", "h", 7],
	["chunks", "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n", "POST", "h", -1],
	["no host", "GET /x HTTP/1.0\r\n\r\n", "GET", OWN, 0],
	["another authority", "GET http://o/x HTTP/1.1\r\nHost: h\r\n\r\n", "GET", "o", 0],
])("%s", async (_name, bytes, method, host, length) => {
	const seen = await ask(bytes);
	expect([seen?.line[0], seen?.line[1], seen?.host, seen?.length]).toEqual([
		method,
		"/x",
		host,
		length,
	]);
});

it("a target is read as UTF-8, and so are values, which go on as they came", async () => {
	const seen = await ask("GET /t\xc3\xa9 HTTP/1.1\r\nHost: h\r\nX: \xff\xc3\xa9\r\n\r\n");
	expect(seen?.line[1]).toBe("/té");
	expect(seen?.values[seen.names.indexOf("x")]).toEqual(["\ufffdé"]);
	expect(seen?.forwarded).toContain("x: \xff\xc3\xa9\r\n");
});

it("a refusal is told with its status", async () => {
	expect((await ask("GET /x HTTP/2.0\r\n\r\n"))?.status).toBe(505);
	expect((await ask("GET /x HTTP/1.1\r\n\r\n"))?.status).toBe(400);
});
