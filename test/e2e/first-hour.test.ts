/**
 * What a newcomer meets in the first hour: mistakes at the command line, in files, in requests of the API, in policies
 * and in the traffic, and that each is answered with its status and a sentence that tells what to do. The mistakes are
 * rows of the tables in `first-hour/`.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeCertificate } from "../certificate.ts";
import { COMMAND_MISTAKES } from "./first-hour/commands.ts";
import { POLICY_MISTAKES } from "./first-hour/policies.ts";
import { REQUEST_MISTAKES } from "./first-hour/requests.ts";
import { TRAFFIC_MISTAKES } from "./first-hour/traffic.ts";
import {
	type Answer,
	MAIN,
	type Server,
	startServer,
	startUpstream,
	type TestUpstream,
	until,
} from "./harness.ts";

let server: Server;
let upstream: TestUpstream;
let folder = "";
let secure: SecureUpstream;
const ROUTE = "/edges/https/site/routes/all";
const WHOLE_PATH = { match_type: "path_prefix", match: "/" };
const data = () => join(server.folder, "data");

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), "weir-first-hour-"));
	upstream = await startUpstream();
	secure = await startSecure();
	server = await startServer({ workers: 1 });
	await server.must(server.api("PUT", "/edges/https/site", { hostports: ["site.example"] }));
	const backend = { urls: [filledUrl("http://PLAIN")] };
	await server.must(server.api("PUT", ROUTE, { ...WHOLE_PATH, backend }));
});
afterAll(async () => {
	await server?.cleanUp();
	await upstream?.close();
	secure?.close();
	rmSync(folder, { recursive: true, force: true });
});

/** A port on which nobody listens: that of discard, which needs rights to listen on. */
const DEAD = 9;

const filledUrl = (url: string): string =>
	url
		.replace("DEAD", `127.0.0.1:${DEAD}`)
		.replace("PLAIN", `127.0.0.1:${upstream.port}`)
		.replace("SELFSIGNED", `127.0.0.1:${secure.port}`)
		.replace("WEIR", `127.0.0.1:${server.port}`);
const filledIn = (value: unknown): unknown =>
	Array.isArray(value) ? value.map((each) => filledUrl(String(each))) : value;

function expectSaid(text: string, says: readonly (string | RegExp)[]): void {
	for (const part of says)
		if (typeof part === "string") expect(text).toContain(part);
		else expect(text).toMatch(part);
	expect(text, "no trace of the inside").not.toMatch(/\n\s+at |node_modules|\[object |undefined/);
}

interface Ran {
	readonly status: number | null;
	readonly output: string;
}

function weir(cwd: string, args: readonly string[]): Promise<Ran> {
	return new Promise((resolve) => {
		const child = spawn(process.execPath, [MAIN, ...args], { cwd });
		let output = "";
		for (const stream of [child.stdout, child.stderr])
			stream.on("data", (chunk) => {
				output += chunk;
			});
		child.on("close", (status) => resolve({ status, output }));
	});
}

let folders = 0;
function folderWith(files: Readonly<Record<string, string>>): string {
	const path = join(folder, String(folders++));
	mkdirSync(path);
	for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content);
	return path;
}

describe("at the command line", () => {
	it.each(COMMAND_MISTAKES)("$mistake", async ({ args, files = {}, status, says }) => {
		const filled = (text: string) => text.replace("PORT", `${server.port}`).replace("DATA", data());
		const ran = await weir(folderWith(files), args.map(filled));
		expectSaid(
			ran.output,
			says.map((part) => (typeof part === "string" ? filled(part) : part)),
		);
		expect(ran.status).toBe(status);
	});
});

/** What an answer tells a person: the sentence and its places, or its warnings. */
function toldBy({ body, headers }: Answer): string {
	const warnings = ["policy-warning", "route-warning"]
		.map((name) => headers[name] ?? "")
		.join("\n");
	const { msg = "", problems = [] } = body.startsWith("{") ? JSON.parse(body) : {};
	const places = problems.map(
		({ pointer, message }: { pointer: string; message: string }) => `${pointer}: ${message}`,
	);
	return [msg, ...places, warnings].join("\n");
}

describe("in requests of the API", () => {
	it.each(REQUEST_MISTAKES)("$mistake", async ({ request, body, headers, status, code, says }) => {
		const [method, path] = request;
		const answer = await server.api(method, path, body, headers);
		expectSaid(toldBy(answer), says);
		const { error_code } = JSON.parse(answer.body);
		expect([answer.status, error_code]).toEqual([status, code]);
	});
});

describe("in policies", () => {
	const path = `${ROUTE}/policy`;

	it.each(POLICY_MISTAKES)("$mistake", async ({ policy, refused, pointer, says }) => {
		const answer = await server.api("PUT", path, policy);
		expectSaid(toldBy(answer), [`${pointer}: `, ...says]);
		expect(answer.status).toBe(refused ? 400 : 200);
		await server.api("DELETE", path);
	});

	it("are all told by weir check, too", async () => {
		const files = POLICY_MISTAKES.map(({ policy }, index) => [
			`${index}.json`,
			JSON.stringify(policy),
		]);
		const ran = await weir(folderWith(Object.fromEntries(files)), [
			"check",
			...files.map(([name = ""]) => name),
		]);
		expect(ran.status).toBe(1);
		for (const [index, { refused, pointer, says }] of POLICY_MISTAKES.entries()) {
			const kind = refused ? "error" : "warning";
			const line = new RegExp(`^${index}\\.json:\\d+:\\d+: ${pointer}: ${kind}: `, "m");
			expectSaid(ran.output, [line, ...says]);
		}
	});
});

describe("in the traffic", () => {
	it.each(TRAFFIC_MISTAKES.map((row, index) => ({ ...row, route: `t${index}` })))(
		"$mistake",
		async (row) => {
			const {
				url,
				policy = {},
				host = "site.example",
				headers = {},
				status,
				code,
				logged,
				route,
			} = row;
			const backend = { urls: [filledUrl(url)], ...row.backend };
			const path = `/edges/https/site/routes/${route}`;
			const document = { match_type: "path_prefix", match: `/${route}`, backend };
			await server.must(server.api("PUT", path, document));
			await server.must(server.api("PUT", `${path}/policy`, policy));
			const answer = await server.get(`/${route}/`, { host, ...headers });
			expect([answer.status, JSON.parse(answer.body).error_code]).toEqual([status, code]);
			expect(JSON.parse(answer.body).msg.length).toBeGreaterThan(10);
			expect(answer.body).not.toMatch(/127\.0\.0\.1|certificate|x-api-key/);
			if (logged === undefined) return;
			const line = await until(
				() => server.logLines().find((each) => each.route === route && each.msg === logged.msg),
				`the log line ${logged.msg}`,
			);
			for (const [name, value] of Object.entries<unknown>({ edge: "site", ...logged }))
				if (value instanceof RegExp) expect(line[name], name).toMatch(value);
				else expect(line[name], name).toEqual(filledIn(value));
		},
	);
});

interface SecureUpstream {
	readonly port: number;
	close(): void;
}

/** An upstream whose certificate nobody vouches for. */
async function startSecure(): Promise<SecureUpstream> {
	const { cert, key } = await writeCertificate(folder, "backend", "backend.test");
	const upstreamOptions = { cert: readFileSync(cert), key: readFileSync(key) };
	const listening = createServer(upstreamOptions, (_, response) => response.end("secure"));
	await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
	const close = () => {
		listening.close();
		listening.closeAllConnections();
	};
	return { port: (listening.address() as AddressInfo).port, close };
}
