/**
 * A replay does what the data path has done (contract 1, "Replays"): requests made at random, under policies made at random with
 * rate-limits, are sent to a real server; its log, replayed under the same policies, tells of no difference.
 */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ReplayReport } from "../../src/replay/shapes.ts";
import { run } from "./commands.ts";
import { generatedPolicy, generatedRequest } from "./explain-generator.ts";
import {
	MAIN,
	type Server,
	send,
	startServer,
	startUpstream,
	type TestUpstream,
	until,
} from "./harness.ts";

const POLICIES = Number(process.env.REPLAY_POLICIES ?? 8);
const REQUESTS = 14;
const ENTRIES = ["192.0.2.0/25", "2001:db8::/32"];

let server: Server;
let upstream: TestUpstream;
beforeAll(async () => {
	upstream = await startUpstream();
	const log = {
		access: true,
		access_query: true,
		headers: ["host", "x-role", "x-number", "cookie", "origin", "content-length"],
		response_headers: ["x-backend", "content-length"],
	};
	// One worker: what two of them log in one millisecond has no order.
	server = await startServer({ workers: 1, config: { trusted_proxies: ["127.0.0.1"], log } });
	await server.must(server.api("PUT", "/ip-lists/l", { entries: ENTRIES }));
});
afterAll(async () => {
	await server.cleanUp();
	await upstream.close();
});

/** An edge of its own for each policy, so that none counts what another has admitted. */
const hostOf = (host: string, at: number): string => {
	const name = host.toLowerCase().replace(/:80$/, "");
	return name.endsWith(".example") ? name.replace(".example", `.p${at}.example`) : `${name}.p${at}`;
};

async function place(policy: object, at: number): Promise<void> {
	const hostports = ["gold.example", "a.example", "other"].map((host) => hostOf(host, at));
	await server.must(server.api("PUT", `/edges/https/e${at}`, { hostports }));
	const backend = { urls: [`http://127.0.0.1:${upstream.port}`] };
	const route = { match_type: "path_prefix", match: "/", backend };
	await server.must(server.api("PUT", `/edges/https/e${at}/routes/r`, route));
	await server.must(server.api("PUT", `/edges/https/e${at}/routes/r/policy`, policy));
}

async function replayed(
	...args: string[]
): Promise<{ status: number | null; report: ReplayReport }> {
	const config = join(server.folder, "weir.json");
	const { status, stdout, stderr } = await run("replay", "--config", config, ...args, "--json");
	expect(stderr).toBe("");
	return { status, report: JSON.parse(stdout) };
}

const NONE = { now_blocked: 0, now_passed: 0, changed: 0 };

describe("a replay", () => {
	let policies: readonly object[];
	let count = 0;
	const file = (name: string, document: object): string => {
		const path = join(server.folder, name);
		writeFileSync(path, JSON.stringify(document));
		return path;
	};
	const site = (wanted: readonly object[]): object => ({
		ip_lists: { l: { entries: ENTRIES } },
		policies: Object.fromEntries(wanted.map((policy, at) => [`e${at}/r`, policy])),
	});

	it("tells of no difference under the same policies", { timeout: 120_000 }, async () => {
		const seed = Number(process.env.REPLAY_SEED ?? Date.now() % 1_000_000);
		policies = fc.sample(generatedPolicy, { numRuns: POLICIES, seed });
		const requests = fc.sample(generatedRequest, { numRuns: POLICIES * REQUESTS, seed });
		for (const [at, policy] of policies.entries()) {
			await place(policy, at);
			for (const asked of requests.slice(at * REQUESTS, (at + 1) * REQUESTS)) {
				const length = asked.status === 204 ? {} : { "content-length": "upstream".length };
				Object.assign(upstream, {
					status: asked.status,
					headers: { ...asked.answered, ...length },
				});
				const { method, path, host, body } = asked;
				// Cookies are told without their values, and two lines of a field as one.
				const { cookie: _, ...kept } = asked.headers;
				const headers: Record<string, string | string[]> = kept;
				const role = headers["x-role"];
				if (Array.isArray(role)) headers["x-role"] = "adm";
				const sent = body === "" ? {} : { "content-length": String(body.length) };
				await send(server.port, path, {
					method,
					headers: { ...headers, host: hostOf(host, at), ...sent },
					...(body && { body }),
				});
				count++;
			}
		}
		const lines = () => server.logLines().filter(({ msg }) => msg === "request").length;
		await until(() => lines() >= count || undefined, "a line for each request");
		const old = file("old.json", site(policies));
		const { status, report } = await replayed("--log", server.logFile, "--policy", old);
		const about = `seed ${seed}: ${JSON.stringify(report, null, 1)}`;
		expect(report.requests, about).toMatchObject(NONE);
		expect([status, report.lines.requests, report.lines.bad], about).toEqual([0, count, 0]);
		expect(report.requests.same + report.requests.unknown).toBe(count);
		// the others met outbound rules that have replaced a backend's response, which no line holds
		expect(report.requests.same, about).toBeGreaterThan(0);
		const both = await replayed("--log", server.logFile, "--policy", old, "--against", old);
		expect([both.status, both.report.requests]).toMatchObject([0, NONE]);
	});

	it("tells what another policy blocks, by all that is to be told", {
		timeout: 60_000,
	}, async () => {
		const deny = { actions: [{ type: "deny", config: { status_code: 451 } }], name: "none at all" };
		const none = file("new.json", { inbound: [deny] });
		const log = join(server.folder, "access.log.gz");
		writeFileSync(log, gzipSync(readFileSync(server.logFile)));
		const { status, report } = await replayed("--log", log, "--policy", none);
		const { now_blocked: blocked, now_passed: passed, changed, same, unknown } = report.requests;
		expect([status, passed, same + blocked + changed + unknown]).toEqual([1, 0, count]);
		expect(report.rules[0]).toMatchObject({ of: "new", rule_name: "none at all" });
		const sum = (rows: readonly { now_blocked: number }[]) =>
			rows.reduce((all, row) => all + row.now_blocked, 0);
		expect([report.rules, report.routes, report.clients, report.paths].map(sum)).toEqual(
			Array(4).fill(blocked),
		);
		const { stdout } = await run("replay", "--log", log, "--policy", none);
		expect(stdout).toContain("now blocked");
		expect(stdout).toContain('new: inbound rule 0 "none at all"');
	});

	it("reads what is piped, and says what it can't read", { timeout: 60_000 }, async () => {
		const none = file("none.json", { inbound: [] });
		const child = spawn(process.execPath, [MAIN, "replay", "--log", "-", "--policy", none]);
		let [told, stdout] = ["", ""];
		child.stdout.on("data", (piece) => {
			stdout += piece;
		});
		child.stderr.on("data", (piece) => {
			told += piece;
		});
		child.stdin.end("neither\nnor\n");
		const status = await new Promise((resolve) => child.once("close", resolve));
		expect([status, stdout]).toEqual([2, ""]);
		expect(told).toContain("stdin, line 1: it is neither JSON nor in the combined format");
		const refused = async (...args: string[]) => {
			const ran = await run("replay", ...args);
			return [ran.status, ran.stderr];
		};
		expect(await refused("--policy", none)).toEqual([2, expect.stringContaining("--log FILE")]);
		expect(await refused("--log", "/nowhere", "--policy", none)).toEqual([
			2,
			expect.stringContaining("/nowhere cannot be read: there is no such file"),
		]);
		const [, wrong] = await refused("--log", none, "--policy", file("wrong.json", { inbuond: [] }));
		expect(wrong).toContain("wrong.json can't be replayed");
	});

	it("reports so far when it is interrupted, also while nothing comes", async () => {
		const none = file("none.json", { inbound: [] });
		const args = ["replay", "--log", "-", "--policy", none, "--json"];
		const child = spawn(process.execPath, [MAIN, ...args]);
		let stdout = "";
		child.stdout.on("data", (piece) => {
			stdout += piece;
		});
		const over = new Promise((resolve) => child.once("close", resolve));
		child.stdin.on("error", () => {});
		// More than the pipe holds: when all of it is taken, the command reads, and so it obeys.
		const line = readFileSync(server.logFile, "utf8")
			.split("\n")
			.find((each) => each.includes('"msg":"request"'));
		const many = `${line}\n`.repeat(3000);
		await new Promise((resolve) => child.stdin.write(many, resolve));
		child.kill("SIGINT");
		expect(await over).toBe(130);
		const { complete, lines } = JSON.parse(stdout);
		expect([complete, lines.requests > 0]).toEqual([false, true]);
	});
});
