/**
 * Policies of the kind that users of such products publish (`published/`), in each of the forms that are accepted,
 * against the real server: what clients get, what the backend gets, what is logged; and what is refused, where and how.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { run } from "./commands.ts";
import {
	type Answer,
	type Server,
	send,
	sendRaw,
	startServer,
	startUpstream,
	type TestUpstream,
	until,
} from "./harness.ts";

type Lines = Readonly<Record<string, string | readonly string[] | null>>;

interface Request {
	/** `METHOD path` or `METHOD http://host/path`; the host is shop.example if there is none */
	readonly send: string;
	readonly from?: string;
	readonly basic?: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly bytes?: number;
	readonly upstream?: { status?: number; headers?: Record<string, string>; body?: string };
	readonly closed?: true;
	readonly status?: number;
	readonly answer?: string;
	readonly answers?: Lines;
	/** the code of a refusal's small body */
	readonly error?: string;
	readonly backend?: { readonly target?: string; readonly headers?: Lines };
	readonly logs?: readonly unknown[];
}

interface Published {
	readonly shows: string;
	readonly submit: "yaml" | "json" | "envelope";
	readonly document: string;
	readonly requests?: readonly Request[];
	/** of each problem, in order: its pointer, then what its sentence says */
	readonly refused?: readonly (readonly [string, ...string[]])[];
}

const folder = join(import.meta.dirname, "published");
const published: readonly Published[] = readdirSync(folder).flatMap((name) =>
	parse(readFileSync(join(folder, name), "utf8")),
);

let server: Server;
let upstream: TestUpstream;
beforeAll(async () => {
	upstream = await startUpstream();
	const config = { trusted_proxies: ["127.0.0.1"] };
	server = await startServer({ workers: 2, config });
	await server.route(upstream.port);
});
afterAll(async () => {
	await server?.cleanUp();
	await upstream?.close();
});

const ROUTE = "/edges/https/e/routes/r";

function submitted({ submit, document }: Published): Promise<Answer> {
	if (submit === "envelope")
		return server.api("PUT", `${ROUTE}/traffic_policy`, { value: document });
	const type = submit === "yaml" ? { "content-type": "application/yaml" } : {};
	return server.api("PUT", `${ROUTE}/policy`, document, type);
}

it("there are many, in all forms", () => {
	const count = (test: (each: Published) => boolean) => published.filter(test).length;
	expect(count(({ requests }) => requests !== undefined)).toBeGreaterThanOrEqual(40);
	expect(count(({ refused }) => refused !== undefined)).toBeGreaterThanOrEqual(10);
	expect(count(({ submit }) => submit === "yaml")).toBeGreaterThanOrEqual(13);
	expect(count(({ submit }) => submit === "envelope")).toBeGreaterThanOrEqual(5);
	const isOlder = /^\s*\{"(inbound|outbound)"/;
	const json = published.filter(({ submit }) => submit === "json");
	expect(json.filter(({ document }) => isOlder.test(document)).length).toBeGreaterThanOrEqual(10);
	expect(json.filter(({ document }) => !isOlder.test(document)).length).toBeGreaterThanOrEqual(10);
	expect(new Set(published.map(({ shows }) => shows)).size).toBe(published.length);
});

it("weir check says of each what the management API says", async () => {
	const written = mkdtempSync(join(tmpdir(), "weir-published-"));
	const files = published.map(({ document }, index) => {
		const file = join(written, `${index}.yaml`);
		writeFileSync(file, document);
		return file;
	});
	const { stdout } = await run("check", ...files, "--json");
	rmSync(written, { recursive: true });
	const lines = stdout.trim().split("\n");
	expect(lines).toHaveLength(published.length);
	for (const [index, { shows, submit, refused = [] }] of published.entries()) {
		const { findings } = JSON.parse(lines[index] ?? "{}");
		const errors = (findings as { severity: string; pointer: string }[]).flatMap(
			({ severity, pointer }) => (severity === "error" ? [pointer] : []),
		);
		const within = submit === "envelope" ? "/value".length : 0;
		expect(errors, shows).toEqual(refused.map(([pointer]) => pointer.slice(within)));
	}
});

describe.each(published.filter(({ requests }) => requests !== undefined))("$shows", (each) => {
	it("is stored in one form, and putting that form again is no change", async () => {
		const put = await server.must(submitted(each));
		const stored = await server.api("GET", `${ROUTE}/policy`);
		const document = JSON.parse(stored.body);
		expect(Object.keys(document)).toEqual(["enabled", "inbound", "outbound"]);
		const again = await server.policy(document);
		expect([again.headers.etag, JSON.parse(again.body)]).toEqual([put.headers.etag, document]);
	});

	it("does what its author meant, request by request", async () => {
		await server.must(submitted(each));
		for (const request of each.requests ?? []) await comesOut(request);
	});
});

describe.each(published.filter(({ refused }) => refused !== undefined))("$shows", (each) => {
	it("is refused, each problem with its place and what there is instead", async () => {
		const before = await server.policy({ inbound: [] });
		const { status, body } = await submitted(each);
		expect(status, body).toBe(400);
		const { error_code, problems } = JSON.parse(body);
		expect(error_code).toBe("ERR_INVALID_DOCUMENT");
		const places = (problems as { pointer: string }[]).map(({ pointer }) => pointer);
		expect(places).toEqual(each.refused?.map(([pointer]) => pointer));
		for (const [index, [, ...said]] of (each.refused ?? []).entries())
			for (const text of said) expect(problems[index].message).toContain(text);
		expect(body).not.toContain("never-told");
		const after = await server.api("GET", `${ROUTE}/policy`);
		expect(after.headers.etag).toBe(before.headers.etag);
	});
});

async function comesOut(request: Request): Promise<void> {
	const told = JSON.stringify(request);
	const [method = "", target = ""] = request.send.split(" ");
	const url = new URL(target, "http://shop.example");
	const path = target.startsWith("/") ? target : target.slice(url.origin.length);
	const headers: Record<string, string> = { host: url.host, ...request.headers };
	if (request.from !== undefined) headers["x-forwarded-for"] = request.from;
	if (request.basic !== undefined)
		headers.authorization = `Basic ${Buffer.from(request.basic).toString("base64")}`;
	upstream.status = request.upstream?.status ?? 200;
	upstream.headers = { "content-type": "text/plain", ...request.upstream?.headers };
	upstream.body = request.upstream?.body ?? "upstream";
	const seen = upstream.seen.length;
	const logged = server.logged().length;
	if (request.closed) {
		const bytes = `${method} ${path} HTTP/1.1\r\nhost: ${url.host}\r\n\r\n`;
		expect(await sendRaw(server.port, bytes), told).toEqual({ received: "", closed: true });
		expect(upstream.seen.length, told).toBe(seen);
		return;
	}
	const body = request.bytes === undefined ? {} : { body: "x".repeat(request.bytes) };
	const answer = await send(server.port, path, { method, headers, ...body });
	expect(answer.status, told).toBe(request.status);
	if (request.answer !== undefined) expect(answer.body, told).toBe(request.answer);
	if (request.error !== undefined)
		expect(JSON.parse(answer.body).error_code, told).toBe(request.error);
	holds(answer.headers, request.answers, told);
	const last = upstream.seen.length > seen ? upstream.seen.at(-1) : undefined;
	if (request.backend !== undefined) expect(last, told).toBeDefined();
	if (request.backend?.target !== undefined)
		expect(last?.target, told).toBe(request.backend.target);
	holds(last?.headers ?? {}, request.backend?.headers, told);
	const lines = request.logs;
	if (lines === undefined) return;
	await until(
		() => (server.logged().length >= logged + lines.length ? true : undefined),
		`the log of ${told}`,
	);
	expect(server.logged().slice(logged), told).toEqual(lines);
}

function holds(headers: Answer["headers"], expected: Lines | undefined, told: string): void {
	for (const [name, value] of Object.entries(expected ?? {}))
		expect(headers[name] ?? null, `${name} of ${told}`).toEqual(value);
}
