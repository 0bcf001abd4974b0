/**
 * Clients that people measure and script with: `ab`, curl and wget as they are, and HTTP/1.0 by hand as older ones speak
 * it. Of a thousand requests with bodies both ways none may fail.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EchoUpstream, NOTHING, startEcho } from "./echo.ts";
import { type Server, sendRaw, startServer } from "./harness.ts";
import { isInstalled } from "./programs.ts";

const REQUESTS = 1000;
const BODY = "0123456789abcdef".repeat(150);
const folder = mkdtempSync(join(tmpdir(), "weir-clients-"));
const bodyFile = join(folder, "body");
let upstream: EchoUpstream;
let server: Server;
beforeAll(async () => {
	writeFileSync(bodyFile, BODY);
	upstream = await startEcho();
	server = await startServer({
		config: {
			listen: [{ address: "127.0.0.1:0" }, { address: "127.0.0.1:0", proxy_protocol: true }],
		},
	});
	await server.route(upstream.port);
});
afterAll(async () => {
	await server?.cleanUp();
	await upstream?.close();
	rmSync(folder, { recursive: true });
});

/** Runs a program to its end; @throws Error if it fails @returns its standard output */
async function run(program: string, ...words: string[]): Promise<string> {
	const { stdout } = await promisify(execFile)(program, words, {
		maxBuffer: 64 << 20,
		timeout: 60_000,
	});
	return stdout;
}

const url = (path: string, listener = 0): string =>
	`http://127.0.0.1:${server.ports[listener]}${path}`;
const arrived = (prefix: string) => upstream.seen.filter(({ target }) => target.startsWith(prefix));

describe.skipIf(!isInstalled("ab", "-V", "apache2-utils is not tried"))("ab", () => {
	it.each([
		["a connection for each request", [], 0],
		["kept connections", ["-k"], REQUESTS],
	])("%s", async (_name, flags, kept) => {
		for (const body of [[], ["-p", bodyFile, "-T", "text/plain"]]) {
			const words = ["-q", "-n", String(REQUESTS), "-c", "8", ...flags, ...body, url("/ab")];
			const told = await run("ab", ...words);
			expect(told).toMatch(new RegExp(`^Complete requests: +${REQUESTS}$`, "m"));
			expect(told).toMatch(/^Failed requests: +0$/m);
			expect(told).not.toMatch(/Non-2xx|Write errors: +[1-9]/);
			expect(Number(/^Keep-Alive requests: +(\d+)$/m.exec(told)?.[1] ?? 0)).toBe(kept);
			const document = body.length === 0 ? NOTHING.length : BODY.length;
			expect(told).toMatch(new RegExp(`^HTML transferred: +${REQUESTS * document} bytes$`, "m"));
		}
	});
});

describe.skipIf(!isInstalled("curl", "--version", "it is not tried"))("curl", () => {
	/** a thousand requests of one process; it writes each body, and behind it the status */
	const curl = (path: string, words: readonly string[], listener = 0): Promise<string> =>
		run(
			"curl",
			"-sS",
			"-w",
			"|%{http_code}\\n",
			...words,
			url(`${path}/[1-${REQUESTS}]`, listener),
		);
	const UPLOAD = ["--data-binary", `@${bodyFile}`];

	it.each([
		["--http1.0", ["--http1.0"], 0, "1.0 weir"],
		["--http1.1, kept", [], 0, "1.1 weir"],
		["in chunks", ["-H", "transfer-encoding: chunked"], 0, "1.1 weir"],
		["that waits for 100 Continue", ["-H", "Expect: 100-continue"], 0, "1.1 weir"],
		["--haproxy-protocol", ["--haproxy-protocol"], 1, "1.1 weir"],
	])("%s: bodies both ways", async (_name, words, listener, via) => {
		const path = `/curl-${words.join("").replace(/[^a-z0-9]/gi, "")}`;
		const told = await curl(path, [...words, ...UPLOAD], listener);
		expect(told === `${BODY}|200\n`.repeat(REQUESTS)).toBe(true);
		const all = arrived(`${path}/`);
		expect(all).toHaveLength(REQUESTS);
		expect(new Set(all.map(({ headers }) => headers.via))).toEqual(new Set([via]));
	});

	it("--path-as-is: dot segments are gone, and what readers could disagree about is refused", async () => {
		const told = await curl("/as-is/../seen/./x", ["--path-as-is"]);
		expect(told === `${NOTHING}|200\n`.repeat(REQUESTS)).toBe(true);
		expect(arrived("/seen/x/")).toHaveLength(REQUESTS);
		const before = upstream.seen.length;
		const refused = await curl("/as-is/..;/x", ["--path-as-is", "-o", "/dev/null"]);
		expect(refused).toBe("|400\n".repeat(REQUESTS));
		expect(upstream.seen.length).toBe(before);
	});
});

describe.skipIf(!isInstalled("wget", "--version", "it is not tried"))("wget", () => {
	/** a thousand requests of one process; it writes each body */
	const wget = (path: string, ...words: readonly string[]): Promise<string> => {
		const list = join(folder, "urls");
		const urls = Array.from({ length: REQUESTS }, (_, each) => `${url(`${path}/${each}`)}\n`);
		writeFileSync(list, urls.join(""));
		return run("wget", "-q", "-O", "-", ...words, "-i", list);
	};

	it("kept connections", async () => {
		expect((await wget("/wget")) === NOTHING.repeat(REQUESTS)).toBe(true);
		expect(arrived("/wget/")).toHaveLength(REQUESTS);
	});

	it("uploads", async () => {
		// It sends a header and its body apart: on a kept connection its kernel waits 40 ms between them, whoever serves.
		const told = await wget("/wget-post", "--no-http-keep-alive", `--post-file=${bodyFile}`);
		expect(told === BODY.repeat(REQUESTS)).toBe(true);
		expect(arrived("/wget-post/")).toHaveLength(REQUESTS);
	});
});

describe("HTTP/1.0 by hand, as old clients speak it", () => {
	const text = (path: string, ...lines: string[]): string =>
		[`POST ${path} HTTP/1.0`, ...lines, `Content-Length: ${BODY.length}`, "", BODY].join("\r\n");

	it("without a host, a connection for each request", async () => {
		for (let each = 0; each < REQUESTS; each++) {
			const { received, closed } = await sendRaw(server.port, text(`/by-hand/${each}`));
			expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
			expect(received.endsWith(`\r\n\r\n${BODY}`) && closed).toBe(true);
		}
		expect(arrived("/by-hand/")).toHaveLength(REQUESTS);
	});

	it("with keep-alive, on one connection, and all at once", async () => {
		const one = (each: number) => text(`/kept/${each}`, "Host: h", "Connection: Keep-Alive");
		const all = Array.from({ length: REQUESTS }, (_, each) => one(each)).join("");
		const answered = (received: string): number => received.split("HTTP/1.1 200 OK\r\n").length - 1;
		const isAll = (received: string): boolean =>
			received.length > REQUESTS * BODY.length &&
			received.endsWith(BODY) &&
			answered(received) === REQUESTS;
		const { received } = await sendRaw(server.port, all, isAll);
		expect(received.split(BODY)).toHaveLength(REQUESTS + 1);
		expect(arrived("/kept/").map(({ target }) => target)).toEqual(
			Array.from({ length: REQUESTS }, (_, each) => `/kept/${each}`),
		);
	});
});
